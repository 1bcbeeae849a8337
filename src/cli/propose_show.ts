import { loadMigrationSet, openSourceCache } from "../knowledge/mod.ts";
import { locateProject } from "../projects/mod.ts";
import { findProposal, proposalIdOf, showProposal } from "../proposals/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { proposalText } from "./proposal_text.ts";

/** Shows a proposal against what stands now (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const proposalId = proposalIdOf(input.arguments["PROPOSAL_ID"] as string);
  const { paths } = await locateProject(context.cwd, context.dataDirectory);
  const landed = loadMigrationSet(paths, {
    toApply: true,
    cache: openSourceCache(paths, context.dataDirectory),
  });
  const shown = showProposal(paths, findProposal(paths, proposalId), landed);
  return { document: { ...shown }, text: proposalText(shown) };
}
