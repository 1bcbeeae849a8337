import { locateProject } from "../projects/mod.ts";
import { discardProposal, proposalIdOf } from "../proposals/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Deletes a proposal that was not accepted (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const proposalId = proposalIdOf(input.arguments["PROPOSAL_ID"] as string);
  const project = await locateProject(context.cwd, context.dataDirectory);
  return { document: { ...await discardProposal(project, context.dataDirectory, proposalId) } };
}
