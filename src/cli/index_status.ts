import { indexStatus } from "../index/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Tells whether the published index is current (index-build.md 2.3); exit 0 whatever it finds. */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory } = context;
  const project = await locateProject(context.cwd, dataDirectory);
  return { document: { ...indexStatus(project, dataDirectory) } };
}
