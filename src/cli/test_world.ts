/**
 * A command line without a process, for tests: what is printed is collected, the environment and the
 * current directory are given, and no permission is dropped.
 *
 * @module
 */

import type { CommandGroup } from "./command.ts";
import { GROUPS } from "./commands.ts";
import type { World } from "./context.ts";
import { runCommandLine } from "./run.ts";

/** What one run gave. */
export interface Outcome {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a test sets. */
export interface TestWorld {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly groups?: readonly CommandGroup[];
  readonly world?: Partial<World>;
}

/** Runs one command line in this process. */
export async function runForTest(
  args: readonly string[],
  { cwd = "/", environment = {}, groups = GROUPS, world = {} }: TestWorld = {},
): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  const exit = await runCommandLine(groups, args, {
    terminal: {
      out: (text) => stdout += text,
      err: (text) => stderr += text,
      errIsTerminal: false,
    },
    variable: (name) => environment[name],
    currentDirectory: () => cwd,
    dropPermissions: () => {},
    ...world,
  });
  return { exit, stdout, stderr };
}
