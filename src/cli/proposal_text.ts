import { escapeControls } from "../platform/text.ts";
import type { ProposedChange, ShownProposal } from "../proposals/mod.ts";

/** How far the lines of a text stand in that go on below the first one. */
const HANGING = " ".repeat(15);

/** A proposal as a reviewer reads it in a terminal: who and why, what is loosened, then the changes. */
export function proposalText(shown: ShownProposal): string {
  const { evidence, proposalId } = shown;
  const fact = (key: string) => String(evidence?.[key] ?? "-");
  return [
    `Proposal ${proposalId} (${shown.state})`,
    `  migration    ${shown.migrationId}`,
    `  author       ${shown.author}`,
    `  drafted      ${shown.createdAt}`,
    `  drafted by   ${fact("agentId")} with ${fact("model")}, for ${fact("taskId")}`,
    `  description  ${shown.description ?? "-"}`,
    ...hanging(`  reasoning    ${fact("reasoning")}`),
    ...candidateLines(evidence?.["candidate"]),
    ...shown.permissiveMoves.map((move) =>
      `  LOOSENS      ${move.itemId}: ${move.field} ${move.before} -> ${move.after}` +
      (move.undoes === null ? "" : ` (${move.kind} ${move.undoes})`)
    ),
    ...shown.changes.flatMap(changeLines),
    "",
    `Take it with: theurian propose accept ${proposalId}`,
    `Turn it down: theurian propose discard ${proposalId}`,
  ].map(escapeControls).join("\n") + "\n";
}

/** A reasoning of several lines keeps them. */
function hanging(text: string): string[] {
  const [first, ...more] = text.trimEnd().split(/\r?\n/);
  return [first!, ...more.map((line) => HANGING + line)];
}

/** The review thread that a candidate was made of. */
function candidateLines(candidate: unknown): string[] {
  if (typeof candidate !== "object" || candidate === null) return [];
  const { repository, recordKey, category, fixCommit } = candidate as Record<string, unknown>;
  return [
    `  made of      ${recordKey} of ${repository} (${category}), fixed in ${fixCommit}`,
  ];
}

function changeLines(change: ProposedChange): string[] {
  return [
    "",
    `${change.change} ${change.itemId}` +
    (change.currentRevision === null ? "" : ` (now ${change.currentRevision})`),
    ...change.metadata.map(({ field, before, after }) =>
      before === null
        ? `  ${field}: ${valueText(after)}`
        : `  ${field}: ${valueText(before)} -> ${valueText(after)}`
    ),
    ...(change.bodyDiff === null ? [] : change.bodyDiff.trimEnd().split("\n")),
  ];
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(valueText).join(", ");
  if (value === null || typeof value !== "object") return String(value ?? "-");
  return "sourceUri" in value ? anchorText(value as Anchor) : JSON.stringify(value);
}

interface Anchor {
  readonly provider: string;
  readonly sourceUri: string;
  readonly commitSha: string | null;
  readonly filePath: string | null;
  readonly lineStart: number | null;
  readonly lineEnd: number | null;
}

/** Where a text comes from, as one would say it. */
function anchorText(anchor: Anchor): string {
  const { provider, sourceUri, commitSha, filePath, lineStart, lineEnd } = anchor;
  const known = [
    filePath !== null && !sourceUri.endsWith(filePath) ? filePath : null,
    lineStart === null ? null : `lines ${lineStart}–${lineEnd ?? ""}`,
    commitSha === null ? null : `at ${commitSha.slice(0, 12)}`,
  ].filter((part) => part !== null);
  return `${sourceUri} (${[provider, ...known].join(", ")})`;
}
