import type { ShippedPackage } from "./shipped_packages.ts";

/** What a bill of materials is drawn up from. */
export interface Shipment {
  readonly version: string;
  readonly packages: readonly ShippedPackage[];
  /** Version of the runtime that is embedded. */
  readonly runtime: string;
  /** Seconds of the epoch. */
  readonly time: number;
}

const LICENSE = [{ license: { id: "Apache-2.0" } }];

/**
 * The CycloneDX 1.6 document of a release: the program, the runtime that is embedded and the
 * libraries whose code ships; nothing that only builds or tests (cli-and-plugins.md 7). The same
 * shipment gives the same bytes.
 */
export async function billOfMaterials(shipment: Shipment): Promise<string> {
  const { version, packages, runtime, time } = shipment;
  const program = `theurian@${version}`;
  const deno = `deno@${runtime}`;
  const components = [
    {
      type: "platform",
      "bom-ref": deno,
      name: "deno",
      version: runtime,
      description: "The JavaScript runtime that every executable embeds",
      scope: "required",
      licenses: [{ license: { id: "MIT" } }],
      purl: `pkg:github/denoland/deno@v${runtime}`,
    },
    ...packages.map(component),
  ];
  const dependsOn = [deno, ...packages.map(refOf)];
  const dependencies = [
    { ref: program, dependsOn },
    { ref: deno, dependsOn: [] },
    ...packages.map((one) => ({ ref: refOf(one), dependsOn: [...one.dependencies] })),
  ];
  const metadata = {
    timestamp: new Date(time * 1000).toISOString().replace(".000", ""),
    component: {
      type: "application",
      "bom-ref": program,
      name: "theurian",
      version,
      licenses: LICENSE,
      purl: `pkg:generic/theurian@${version}`,
    },
  };
  const content = { metadata, components, dependencies };
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${await contentUuid(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component(one: ShippedPackage) {
  const [scope, name] = one.name.startsWith("@") ? one.name.split("/") : [undefined, one.name];
  return {
    type: "library",
    "bom-ref": refOf(one),
    ...(scope === undefined ? {} : { group: scope }),
    name,
    version: one.version,
    scope: "required",
    hashes: [{ alg: "SHA-512", content: one.sha512 }],
    licenses: [
      /\s/.test(one.license) ? { expression: one.license } : { license: { id: one.license } },
    ],
    purl: `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`,
  };
}

function refOf({ name, version }: ShippedPackage): string {
  return `${name}@${version}`;
}

/** A version 8 identifier that is a digest of the content. */
async function contentUuid(content: string): Promise<string> {
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content)),
  ).slice(0, 16);
  digest[6] = digest[6]! & 0x0f | 0x80;
  digest[8] = digest[8]! & 0x3f | 0x80;
  return digest.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
