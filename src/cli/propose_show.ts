import { loadMigrationSet, openSourceCache } from "../knowledge/mod.ts";
import { escapeControls } from "../platform/text.ts";
import { locateProject } from "../projects/mod.ts";
import {
  findProposal,
  proposalIdOf,
  type ProposedChange,
  type ShownProposal,
  showProposal,
} from "../proposals/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Shows a proposal against what stands now (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const proposalId = proposalIdOf(input.arguments["PROPOSAL_ID"] as string);
  const { paths } = await locateProject(context.cwd, context.dataDirectory);
  const landed = loadMigrationSet(paths, {
    toApply: true,
    cache: openSourceCache(paths, context.dataDirectory),
  });
  const shown = showProposal(paths, findProposal(paths, proposalId), landed);
  return { document: { ...shown }, text: readable(shown) };
}

function readable(shown: ShownProposal): string {
  const lines = [
    `Proposal ${shown.proposalId} (${shown.state})`,
    `  migration    ${shown.migrationId}`,
    `  author       ${shown.author}`,
    `  drafted      ${shown.createdAt}`,
    `  description  ${shown.description ?? "-"}`,
    `  reasoning    ${String(shown.evidence?.["reasoning"] ?? "-")}`,
    ...shown.permissiveMoves.map((move) =>
      `  LOOSENS      ${move.itemId}: ${move.field} ${move.before} -> ${move.after}` +
      (move.undoes === null ? "" : ` (${move.kind} ${move.undoes})`)
    ),
    ...shown.changes.flatMap(readableChange),
  ];
  return lines.map(escapeControls).join("\n") + "\n";
}

function readableChange(change: ProposedChange): string[] {
  return [
    "",
    `${change.change} ${change.itemId}` +
    (change.currentRevision === null ? "" : ` (now ${change.currentRevision})`),
    ...change.metadata.map(({ field, before, after }) =>
      before === null
        ? `  ${field}: ${value(after)}`
        : `  ${field}: ${value(before)} -> ${value(after)}`
    ),
    ...(change.bodyDiff === null ? [] : change.bodyDiff.trimEnd().split("\n")),
  ];
}

/** A list's entries in a row; an anchor by its address, with what is known of it. */
function value(of: unknown): string {
  if (Array.isArray(of)) return of.length === 0 ? "-" : of.map(value).join(", ");
  if (of === null || typeof of !== "object") return String(of ?? "-");
  const known = Object.entries(of).filter(([, fact]) => fact !== null);
  return known.map(([key, fact]) => `${key} ${fact}`).join(" ");
}
