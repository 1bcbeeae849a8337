import { acceptProposal, proposalIdOf } from "../proposals/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Moves a proposal's files into place (proposals.md section 6). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const proposalId = proposalIdOf(input.arguments["PROPOSAL_ID"] as string);
  const project = await locateProject(context.cwd, context.dataDirectory);
  const acceptance = await acceptProposal(project, context.dataDirectory, proposalId);
  return { document: { ...acceptance } };
}
