/**
 * Builds a release into a folder: an archive for each target, the bill of materials, the installers
 * and `SHA256SUMS` over all of them (cli-and-plugins.md 7). The same sources, the same Deno and the
 * same runtimes give the same bytes; the one time in an archive is the commit's, or
 * `SOURCE_DATE_EPOCH`.
 *
 * Options: `--target=TRIPLE[,TRIPLE…]` (all unless given), `--output=DIR` (`dist/release`).
 *
 * @module
 */

import { join } from "node:path";
import { CORE_VERSION } from "../src/compat/versions.ts";
import { filePath, packagesOf, readTree } from "./bundle.ts";
import { compileBundle, optionOf, withBundle } from "./compile.ts";
import { type Entry, tarGz, zip } from "./release/archive.ts";
import { billOfMaterials } from "./release/bill_of_materials.ts";
import { checksumLines, sha256 } from "./release/checksums.ts";
import { notices } from "./release/notices.ts";
import { packageReader } from "./release/package_reader.ts";
import { type Lock, type ShippedPackage, shippedPackages } from "./release/shipped_packages.ts";
import { archiveName, billName, formatOf, type Target, TARGETS } from "./release/targets.ts";

/** Files of the checkout that are published as they are. */
const INSTALLERS = ["install.sh", "install.ps1"] as const;

const ROOT = new URL("..", import.meta.url);

async function main(args: readonly string[]): Promise<number> {
  const targets = targetsOf(optionOf(args, "--target"));
  if (targets === null) {
    console.error(`Known targets: ${TARGETS.map(({ triple }) => triple).join(", ")}`);
    return 2;
  }
  const output = optionOf(args, "--output") ?? filePath(new URL("dist/release", ROOT));
  const code = await withBundle(ROOT, (from) => release(from, targets, output), () => {
    console.error("Cannot build a release: there is no bundler here");
    return Promise.resolve(1);
  });
  return code ?? 1;
}

/** Builds everything from the bundle below `from`; whatever fails leaves no output folder. */
async function release(from: URL, targets: readonly Target[], output: string): Promise<number> {
  const time = await releaseTime();
  const ids = packagesOf(readTree(filePath(new URL("bundle", from))).values());
  const lock = JSON.parse(rootText("deno.lock")) as Lock;
  const packages = shippedPackages(ids, lock, await packageReader());
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const target of targets) {
    const executable = await build(from, target);
    if (executable === null) return 1;
    const entries = await archiveEntries(target, executable, packages);
    const pack = target.archive === "zip" ? zip : tarGz;
    files.push({ name: archiveName(CORE_VERSION, target), bytes: await pack(entries, time) });
    console.log(`${archiveName(CORE_VERSION, target)}`);
  }
  const shipment = { version: CORE_VERSION, packages, runtime: Deno.version.deno, time };
  const encoder = new TextEncoder();
  const text = (name: string, content: string) => ({ name, bytes: encoder.encode(content) });
  files.push(text(billName(CORE_VERSION), await billOfMaterials(shipment)));
  for (const name of INSTALLERS) files.push(text(name, rootText(`scripts/${name}`)));
  files.push(text("SHA256SUMS", await checksumLines(files)));
  await Deno.mkdir(output, { recursive: true });
  for (const { name, bytes } of files) Deno.writeFileSync(join(output, name), bytes);
  return 0;
}

/** The executable of a target; `null` when it cannot be built here, or would run elsewhere. */
async function build(from: URL, target: Target): Promise<Uint8Array | null> {
  const path = filePath(new URL(target.executable, from));
  if (!await compileBundle(from, { output: path, target: target.triple })) {
    console.error(
      `Cannot build for ${target.triple}: the runtime to embed could not be fetched.\n` +
        "Connect to the network, set DENORT_BIN for this machine's own target, or choose others " +
        "with --target.",
    );
    return null;
  }
  const bytes = Deno.readFileSync(path);
  if (formatOf(bytes) !== target.format) {
    console.error(`Cannot release for ${target.triple}: what was built is no ${target.format}`);
    return null;
  }
  if (target.triple === Deno.build.target && !await isThisVersion(path)) {
    console.error(`Cannot release for ${target.triple}: it does not say its version by itself`);
    return null;
  }
  return bytes;
}

/** Whether an executable says the version of the sources with nothing around it. */
async function isThisVersion(path: string): Promise<boolean> {
  const { code, stdout, stderr } = await new Deno.Command(path, {
    args: ["version", "--json"],
    clearEnv: true,
    env: { PATH: "" },
  }).output();
  if (code !== 0 || stderr.length > 0) return false;
  return JSON.parse(new TextDecoder().decode(stdout)).version === CORE_VERSION;
}

async function archiveEntries(
  target: Target,
  executable: Uint8Array,
  packages: readonly ShippedPackage[],
): Promise<Entry[]> {
  const text = (name: string, content: string): Entry => ({
    name,
    bytes: new TextEncoder().encode(content),
    executable: false,
  });
  const sum = `${await sha256(executable)}  ${target.executable}\n`;
  return [
    { name: target.executable, bytes: executable, executable: true },
    text("theurian.sha256", sum),
    text("LICENSE", rootText("LICENSE")),
    text("NOTICE", notices(rootText("NOTICE"), Deno.version.deno, packages)),
    text("README", rootText("README.md")),
  ];
}

/** Seconds of the epoch: as asked, else when the checked out commit was made. */
async function releaseTime(): Promise<number> {
  const asked = Number(Deno.env.get("SOURCE_DATE_EPOCH") ?? NaN);
  if (Number.isSafeInteger(asked) && asked > 0) return asked;
  const { stdout } = await new Deno.Command("git", {
    args: ["log", "-1", "--format=%ct"],
    cwd: filePath(ROOT),
  }).output();
  return Number(new TextDecoder().decode(stdout).trim());
}

function targetsOf(names: string | undefined): readonly Target[] | null {
  if (names === undefined) return TARGETS;
  const found = names.split(",").map((name) => TARGETS.find(({ triple }) => triple === name));
  return found.every((target) => target !== undefined) ? found : null;
}

function rootText(name: string): string {
  return Deno.readTextFileSync(new URL(name, ROOT));
}

if (import.meta.main) Deno.exit(await main(Deno.args));
