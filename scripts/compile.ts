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
  const fullLock = JSON.parse(await Deno.readTextFile(new URL("deno.lock", root))) as LockFile;
  await Deno.writeTextFile(lock, JSON.stringify(shippedLock(fullLock, Object.values(imports))));
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

interface LockFile {
  version: string;
  /** Requested specifier to resolved version. */
  specifiers: Record<string, string>;
  /** `name@version` to what it needs. */
  npm: Record<string, { integrity: string; dependencies?: string[] }>;
}

/**
 * The lock of the shipped libraries and what they need, every version as locked. With the full one
 * the compiler embeds the test libraries too.
 */
function shippedLock(lock: LockFile, imports: readonly string[]): LockFile {
  const specifiers = Object.fromEntries(
    Object.entries(lock.specifiers).filter(([specifier]) =>
      imports.some((target) => target.replace("npm:/", "npm:").replace(/\/$/, "") === specifier)
    ),
  );
  const npm: LockFile["npm"] = {};
  const pending = Object.entries(specifiers).map(([specifier, version]) =>
    specifier.replace(/^npm:/, "").replace(/@[^@/]*$/, "") + "@" + version
  );
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    const name = lock.npm[key] === undefined ? onlyVersionOf(lock, key) : key;
    const found = lock.npm[name];
    if (found === undefined || npm[name] !== undefined) continue;
    npm[name] = found;
    pending.push(...found.dependencies ?? []);
  }
  return { version: lock.version, specifiers, npm };
}

/** A dependency without a version is locked in one version only. */
function onlyVersionOf(lock: LockFile, name: string): string {
  return Object.keys(lock.npm).find((key) => key.startsWith(name + "@")) ?? name;
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
