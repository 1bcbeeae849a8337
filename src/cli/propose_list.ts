import { locateProject } from "../projects/mod.ts";
import { listProposals } from "../proposals/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Lists proposals, oldest first (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { paths } = await locateProject(context.cwd, context.dataDirectory);
  const { proposals, unreadable } = listProposals(paths, context.dataDirectory, context.clock);
  const state = input.options["state"];
  const shown = proposals.filter((one) => state === undefined || one.state === state);
  return { document: { count: shown.length, proposals: shown, unreadable } };
}
