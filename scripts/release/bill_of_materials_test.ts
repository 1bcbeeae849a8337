import assert from "node:assert/strict";
import { billOfMaterials } from "./bill_of_materials.ts";
import { notices } from "./notices.ts";
import { type Lock, shippedPackages } from "./shipped_packages.ts";

const INTEGRITY = `sha512-${new Uint8Array(64).fill(7).toBase64()}`;
const LOCK: Lock = {
  npm: {
    "@a/server@2.4.0": { integrity: INTEGRITY, dependencies: ["@a/core", "zod", "unshipped"] },
    "@a/core@2.4.0": { integrity: INTEGRITY, dependencies: ["zod@4.0.0"] },
    "zod@4.0.0": { integrity: INTEGRITY },
    "unshipped@1.0.0": { integrity: INTEGRITY },
    "silent@1.0.0": { integrity: INTEGRITY },
  },
};
const IDS = ["@a/core@2.4.0", "@a/server@2.4.0", "zod@4.0.0"];

const files = (id: string, file: string) => {
  if (id.startsWith("silent")) return file === "package.json" ? '{"license":"MIT"}' : null;
  return file === "package.json"
    ? '{"license":"MIT"}'
    : file === "LICENSE"
    ? `text of ${id}`
    : null;
};

const shipped = shippedPackages(IDS, LOCK, files);
const shipment = { version: "0.6.0", packages: shipped, runtime: "2.6.10", time: 1_700_000_000 };

Deno.test("shippedPackages() links what ships and leaves out what does not", () => {
  assert.deepEqual(shipped.map(({ name, dependencies }) => [name, dependencies]), [
    ["@a/core", ["zod@4.0.0"]],
    ["@a/server", ["@a/core@2.4.0", "zod@4.0.0"]],
    ["zod", []],
  ]);
  assert.equal(shipped[0]!.sha512, "07".repeat(64));
});

Deno.test("shippedPackages() refuses what is not locked or carries no license", () => {
  assert.throws(() => shippedPackages(["ghost@1.0.0"], LOCK, files), /not locked/);
  assert.throws(() => shippedPackages(["silent@1.0.0"], LOCK, files), /no license text/);
  assert.throws(() => shippedPackages(["zod@4.0.0"], LOCK, () => null), /states no license/);
});

Deno.test("billOfMaterials() names the program, the runtime and the libraries, each once", async () => {
  const bill = JSON.parse(await billOfMaterials(shipment));
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.version], ["CycloneDX", "1.6", 1]);
  assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  assert.equal(bill.metadata.timestamp, "2023-11-14T22:13:20Z");
  assert.deepEqual(bill.components.map(({ purl }: { purl: string }) => purl), [
    "pkg:github/denoland/deno@v2.6.10",
    "pkg:npm/%40a/core@2.4.0",
    "pkg:npm/%40a/server@2.4.0",
    "pkg:npm/zod@4.0.0",
  ]);
  const refs = [bill.metadata.component, ...bill.components].map((one) => one["bom-ref"]);
  assert.equal(new Set(refs).size, refs.length);
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const id of [ref, ...dependsOn]) assert.ok(refs.includes(id), id);
  }
});

Deno.test("billOfMaterials() gives the same bytes for the same shipment, and others for another", async () => {
  const first = await billOfMaterials(shipment);
  assert.equal(await billOfMaterials({ ...shipment }), first);
  const other = await billOfMaterials({ ...shipment, packages: shipped.slice(1) });
  assert.notEqual(JSON.parse(other).serialNumber, JSON.parse(first).serialNumber);
});

Deno.test("notices() holds the license of everything that ships", () => {
  const text = notices("Theurian\n", "2.6.10", shipped);
  assert.ok(text.startsWith("Theurian\n"));
  for (const { name, version, licenseText } of shipped) {
    assert.ok(text.includes(`${name} ${version} (MIT)`) && text.includes(licenseText));
  }
  assert.match(text, /deno 2\.6\.10/);
});
