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

import { resolve } from "node:path";
import { bundledName, bundleProgram, ENTRIES, filePath, removeDirectory } from "./bundle.ts";
import { PERMISSION_FLAGS } from "./permissions.ts";

/** What an executable is made of. */
export interface Compilation {
  /** Directory whose content is built; relative paths count from here. */
  readonly from: URL;
  /** Module that starts. */
  readonly program: string;
  /** Further modules and directories to embed. */
  readonly include: readonly string[];
  /** Path of the executable; a relative one counts from the current directory. */
  readonly output: string;
  /** Another target than this machine. */
  readonly target?: string;
  /** Leave the configuration out: a bundle needs none, and it would name what does not ship. */
  readonly bundled: boolean;
  /** Path of the runtime to embed; the one that the environment names or the network has. */
  readonly runtime?: string;
}

/** Compiles, with the permissions and nothing of the builder's machine. Answers whether it could. */
export async function compileProgram(compilation: Compilation): Promise<boolean> {
  const { from, program, include, output, target, bundled } = compilation;
  const { success } = await new Deno.Command(Deno.execPath(), {
    cwd: from,
    args: [
      "compile",
      "--quiet",
      "--no-check",
      // The runtime keeps compiled code in the shared temporary directory under a name that anybody
      // can foresee, and runs what it finds there: another user's file would be our program.
      "--no-code-cache",
      // A daemon that has been idle for some seconds would be made smaller by throwing compiled code
      // away: the next questions took three times as long. Memory is given back without it too.
      "--v8-flags=--no-memory-reducer",
      ...PERMISSION_FLAGS,
      ...(bundled ? ["--no-config"] : []),
      ...include.map((path) => `--include=${path}`),
      ...(target === undefined ? [] : [`--target=${target}`]),
      `--output=${resolve(output)}`,
      program,
    ],
    clearEnv: true,
    env: environmentFor(compilation),
  }).spawn().status;
  return success;
}

/** A runtime that was named for this machine must not end up in another target's executable. */
function environmentFor({ target, runtime }: Compilation): Record<string, string> {
  const environment = Deno.env.toObject();
  if (target !== undefined && target !== Deno.build.target) delete environment["DENORT_BIN"];
  return runtime === undefined ? environment : { ...environment, DENORT_BIN: runtime };
}

async function main(args: readonly string[]): Promise<number> {
  const root = new URL("..", import.meta.url);
  const output = optionOf(args, "--output") ?? filePath(new URL("dist/theurian", root));
  const target = optionOf(args, "--target");
  const goal = { output, ...(target === undefined ? {} : { target }) };
  const success = args.includes("--unbundled")
    ? await compileModules(root, goal)
    : await withBundle(root, (from) => compileBundle(from, goal), () => {
      console.error("There is no bundler here: building from the modules as they are.");
      return compileModules(root, goal);
    });
  if (success === null) {
    console.error("Cannot build the executable: the sources cannot be bundled, see above.");
  } else if (!success) {
    console.error(
      "Cannot build the executable: the runtime to embed could not be fetched.\n" +
        "Set DENORT_BIN to a denort binary of this Deno's version, or connect to the network.",
    );
  }
  return success === true ? 0 : 1;
}

type Goal = Pick<Compilation, "output" | "target">;

/**
 * Works with a bundle that lies in the folder `bundle` of `from`; two builds at once do not meet.
 * Faulty sources give `null`: embedded as they are, they would fail when they run.
 */
export async function withBundle<T>(
  root: URL,
  work: (from: URL) => Promise<T>,
  withoutBundler: () => Promise<T>,
): Promise<T | null> {
  const from = new URL(`dist/.build-${crypto.randomUUID()}/`, root);
  try {
    const bundling = await bundleProgram(root, new URL("bundle/", from));
    if (bundling === "sources-at-fault") return null;
    return await (bundling === "done" ? work(from) : withoutBundler());
  } finally {
    await removeDirectory(from);
  }
}

/** Compiles the bundle below `from`. */
export function compileBundle(from: URL, goal: Goal): Promise<boolean> {
  const program = `bundle/${bundledName(ENTRIES[0])}`;
  return compileProgram({ ...goal, from, program, include: ["bundle"], bundled: true });
}

function compileModules(root: URL, goal: Goal): Promise<boolean> {
  const [program, ...include] = ENTRIES;
  return compileProgram({ ...goal, from: root, program, include, bundled: false });
}

/** Value of `--name=value`, or `undefined`. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  return args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
