import { migrationStatus } from "../knowledge/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/**
 * Answers also over a broken set: then the document names every file at fault and the exit code is 4
 * (corpus-and-migrations.md 15.1).
 */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const status = migrationStatus(project, context.dataDirectory);
  return { document: { ...status }, exit: status.faults === undefined ? 0 : 4 };
}
