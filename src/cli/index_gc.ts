import { collectIndexGarbage } from "../index/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Frees what old builds and states take (index-build.md 2.4). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, ulids } = context;
  const project = await locateProject(context.cwd, dataDirectory);
  const dryRun = input.options["dryRun"] === true;
  const report = await collectIndexGarbage(project, { dataDirectory, clock, ulids, dryRun });
  return { document: { ...report } };
}
