/**
 * The program that the demonstration shows and the tests drive: the executable that
 * `THEURIAN_BINARY` names (`dist/theurian` when unset), or, where that is absent or the variable says
 * `source`, the source under the very flags the executable is compiled with.
 *
 * @module
 */

import { PERMISSION_FLAGS } from "./permissions.ts";

/** Root of the checkout. */
export const CHECKOUT = decodeURIComponent(new URL("..", import.meta.url).pathname)
  .replace(/\/$/, "");

/** How the program is started. */
export interface Program {
  /** Said once, so that a log tells what was run. */
  readonly description: string;
  readonly command: string;
  readonly prefix: readonly string[];
  /** Names the runtime itself needs; empty for an executable. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a run of a command gave. */
export interface Run {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** When an executable was built, or `null` when there is none. */
function builtAt(path: string): string | null {
  try {
    const { isFile, mtime } = Deno.statSync(path);
    return isFile ? mtime?.toISOString() ?? "at an unknown time" : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Finds the program; throws when `THEURIAN_BINARY` names no file. */
export function findProgram(): Program {
  const named = Deno.env.get("THEURIAN_BINARY");
  const path = named ?? `${CHECKOUT}/dist/theurian`;
  const built = named === "source" ? null : builtAt(path);
  if (built !== null) {
    const description = `executable ${path}, built ${built}`;
    return { description, command: path, prefix: [], environment: {} };
  }
  if (named !== undefined && named !== "source") throw new Error("THEURIAN_BINARY names no file");
  return {
    description: `source ${CHECKOUT}/main.ts under the baked flags, not an executable`,
    command: Deno.execPath(),
    prefix: [
      "run",
      "--quiet",
      `--config=${CHECKOUT}/deno.json`,
      ...PERMISSION_FLAGS,
      `${CHECKOUT}/main.ts`,
    ],
    // HOME is another one in every run; the module cache must stay where it is.
    environment: { DENO_DIR: moduleCache() },
  };
}

function moduleCache(): string {
  const output = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return (JSON.parse(new TextDecoder().decode(output.stdout)) as { denoDir: string }).denoDir;
}

/** Runs one command with nothing of this process' environment but what is given. */
export async function run(
  program: Program,
  argv: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; limitMs?: number },
): Promise<Run> {
  const child = spawn(program, argv, options);
  const timer = setTimeout(() => child.kill("SIGKILL"), options.limitMs ?? 60_000);
  try {
    const { code, stdout, stderr } = await child.output();
    return { exit: code, stdout: decode(stdout), stderr: decode(stderr) };
  } finally {
    clearTimeout(timer);
  }
}

/** Starts one command and returns at once. */
export function spawn(
  program: Program,
  argv: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Deno.ChildProcess {
  return new Deno.Command(program.command, {
    args: [...program.prefix, ...argv],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...program.environment, ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
