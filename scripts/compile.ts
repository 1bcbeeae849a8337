/**
 * Builds `dist/theurian` with the permissions of `src/platform/grants.ts` baked in.
 *
 * The configuration it compiles with names only what the product imports: with the full one the
 * runtime embeds the test libraries too, which makes the binary larger and slower to start.
 *
 * @module
 */

import { PERMISSION_FLAGS } from "./permissions.ts";

/** Libraries that only tests and scripts import. */
const NOT_SHIPPED = ["@modelcontextprotocol/client", "fast-check"];

/** Modules that are reached at run time by name and not by an import the compiler sees. */
const INCLUDED = ["src/daemon/worker.ts"];

interface Configuration {
  name: string;
  version: string;
  unstable?: string[];
  imports: Record<string, string>;
  compilerOptions: unknown;
  nodeModulesDir: string;
  lock?: unknown;
}

async function main(args: readonly string[]): Promise<number> {
  const root = new URL("..", import.meta.url);
  const output = optionOf(args, "--output") ?? "dist/theurian";
  const target = optionOf(args, "--target");
  const full = JSON.parse(await Deno.readTextFile(new URL("deno.json", root))) as Configuration;
  const imports = Object.fromEntries(
    Object.entries(full.imports).filter(([name]) => !NOT_SHIPPED.includes(name)),
  );
  // A copy of the lock keeps every transitive version and may lose what is not shipped.
  const lock = new URL(`.compile-${Deno.pid}.lock`, root);
  const production = {
    ...full,
    imports,
    lock: { path: lock.pathname, frozen: false },
    tasks: undefined,
    exports: undefined,
  };
  // Beside deno.json, so that relative paths in it mean the same.
  const configuration = new URL(`.compile-${Deno.pid}.json`, root);
  await Deno.copyFile(new URL("deno.lock", root), lock);
  await Deno.writeTextFile(configuration, JSON.stringify(production));
  try {
    const included = INCLUDED.filter((path) => exists(new URL(path, root)));
    const { code } = await new Deno.Command(Deno.execPath(), {
      cwd: root,
      args: [
        "compile",
        "--quiet",
        "--no-check",
        `--config=${configuration.pathname}`,
        ...PERMISSION_FLAGS,
        ...included.map((path) => `--include=${path}`),
        ...(target === undefined ? [] : [`--target=${target}`]),
        `--output=${output}`,
        "main.ts",
      ],
    }).spawn().status;
    return code;
  } finally {
    await Deno.remove(configuration);
    await Deno.remove(lock);
  }
}

function optionOf(args: readonly string[], name: string): string | undefined {
  const given = args.find((arg) => arg.startsWith(`${name}=`));
  return given?.slice(name.length + 1);
}

function exists(path: URL): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
