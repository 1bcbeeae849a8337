/**
 * The official runners and clients that `scripts/fetch_runners.sh` fetches. None is needed by the
 * product: a test that wants one which is absent is ignored under a name that says so.
 *
 * @module
 */

import { join } from "node:path";
import { CHECKOUT } from "../../scripts/program.ts";

const RUNNERS = Deno.env.get("THEURIAN_RUNNERS") ?? join(CHECKOUT, ".toolchain/runners");

/** What a run of a program gave. */
export interface RunnerOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Path of something fetched, or `null` when it is not there. */
export function fetched(path: string): string | null {
  const whole = join(RUNNERS, path);
  try {
    Deno.statSync(whole);
    return whole;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** The Node that was fetched for them. */
export const NODE = fetched("node_modules/.bin/node");

/** A test that needs files of the runners; without them it is ignored and says why. */
export function withRunner(
  name: string,
  needs: readonly string[],
  fn: (t: Deno.TestContext) => Promise<void>,
): void {
  const absent = needs.some((path) => fetched(path) === null);
  const why = absent ? " (did not run: scripts/fetch_runners.sh fetches what it needs)" : "";
  // A client of the test before may keep a timer of its own for a while.
  Deno.test({ name: name + why, ignore: absent, sanitizeOps: false, sanitizeResources: false, fn });
}

/** Runs a program with a limit of two minutes, and only the environment that is named. */
export async function runProgram(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<RunnerOutcome> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    clearEnv: true,
    env: { HOME: cwd, PATH: `${join(RUNNERS, "node_modules/.bin")}:/usr/local/bin:/usr/bin:/bin` },
    stdin: "null",
    signal: AbortSignal.timeout(120_000),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
