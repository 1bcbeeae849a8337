/**
 * Builds `dist/theurian` with the permissions of `src/platform/grants.ts` baked in.
 *
 * The modules are first bundled, one file for each lazily imported part: the executable then holds
 * no package tree, is a sixth smaller, and starts in half the time. See `docs/decisions`.
 *
 * Options: `--output=PATH`, `--target=TRIPLE`, `--unbundled` (where the bundler cannot be had).
 *
 * @module
 */

import { PERMISSION_FLAGS } from "./permissions.ts";

/** Modules that start on their own: the program, and the workers it reaches by address. */
const ENTRIES = ["main.ts", "src/daemon/worker.ts"] as const;

async function main(args: readonly string[]): Promise<number> {
  const root = new URL("..", import.meta.url);
  const output = optionOf(args, "--output") ?? "dist/theurian";
  const target = optionOf(args, "--target");
  // Named after what is built: two builds at once do not meet, and the same build gives the same bytes.
  const bundlePath = `dist/.bundle-${output.replace(/[^A-Za-z0-9]+/g, "-")}`;
  const bundle = new URL(`${bundlePath}/`, root);
  const bundled = !args.includes("--unbundled") && await bundleInto(bundle, root);
  const place = (entry: string) => bundled ? `${bundlePath}/${entry.replace(/ts$/, "js")}` : entry;
  const [program, ...others] = ENTRIES;
  const code = await deno(root, [
    "compile",
    "--quiet",
    "--no-check",
    ...PERMISSION_FLAGS,
    ...(bundled ? [`--include=${bundlePath}`] : others.map((entry) => `--include=${place(entry)}`)),
    ...(target === undefined ? [] : [`--target=${target}`]),
    `--output=${output}`,
    place(program),
  ]);
  await removeDirectory(bundle);
  if (code !== 0) {
    console.error(
      "Cannot build the executable: the runtime to embed could not be fetched.\n" +
        "Set DENORT_BIN to a denort binary of this Deno's version, or connect to the network.",
    );
  }
  return code;
}

async function bundleInto(directory: URL, root: URL): Promise<boolean> {
  await removeDirectory(directory);
  const code = await deno(root, [
    "bundle",
    "--quiet",
    "--format=esm",
    "--platform=deno",
    "--code-splitting",
    `--outdir=${directory.pathname}`,
    ...ENTRIES,
  ]);
  if (code !== 0) console.error("Cannot bundle: building from the modules as they are.");
  return code === 0;
}

async function removeDirectory(directory: URL): Promise<void> {
  await Deno.remove(directory, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

async function deno(root: URL, args: readonly string[]): Promise<number> {
  const { code } = await new Deno.Command(Deno.execPath(), { cwd: root, args: [...args] })
    .spawn().status;
  return code;
}

function optionOf(args: readonly string[], name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
