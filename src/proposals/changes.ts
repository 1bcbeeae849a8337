/**
 * What a migration changes of each item, as a diff of the body and of the labels.
 *
 * @module
 */

import { createTwoFilesPatch } from "diff";
import type {
  ItemFacts,
  Migration,
  MigrationSet,
  Operation,
  Replay,
  RevisionFacts,
  RevisionMetadata,
  UpsertRevision,
} from "../knowledge/mod.ts";
import type { ReadProposal } from "./read_proposal.ts";

/** One field that differs; `before` is `null` for a new item. */
export interface ChangedField {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** One operation's effect, for a reader. */
export interface ProposedChange {
  readonly itemId: string;
  /** `new`, `update`, or the operation's own name. */
  readonly change: string;
  readonly expectedRevision: string | null;
  readonly currentRevision: string | null;
  readonly metadata: readonly ChangedField[];
  /** Unified diff against the current body; `null` for an operation without one. */
  readonly bodyDiff: string | null;
}

/** Past this many edits finding the shortest diff takes too long, and a plain one is given. */
const MOST_EDITS = 4_000;

const FIELDS = [
  "title",
  "contentType",
  "kind",
  "namespace",
  "status",
  "owner",
  "trustLevel",
  "sensitivity",
  "validFrom",
  "validTo",
  "labels",
  "scopePaths",
  "sourceAnchors",
] as const satisfies readonly (keyof RevisionMetadata)[];

/** The changes of a migration against the replayed landed set, in the order of its operations. */
export function changesOf(
  migration: Migration,
  before: Replay,
  landed: MigrationSet,
  proposal: ReadProposal,
): readonly ProposedChange[] {
  const revised = new Set(
    migration.operations.flatMap((one) => one.op === "upsertRevision" ? [one.itemId] : []),
  );
  return migration.operations.flatMap((operation) => {
    // The creation of an item is told by its revision, where it has one.
    if (operation.op === "createItem" && revised.has(operation.itemId)) return [];
    if (operation.op === "upsertRevision") {
      return [contentChange(operation, before, landed, proposal)];
    }
    return [otherChange(operation, before)];
  });
}

function contentChange(
  operation: UpsertRevision,
  before: Replay,
  landed: MigrationSet,
  proposal: ReadProposal,
): ProposedChange {
  const item = before.state.item(operation.itemId)?.item ?? null;
  const current = item?.currentRevisionId ?? null;
  const revision = current === null ? null : before.state.revisions.get(current) ?? null;
  const decoder = new TextDecoder();
  const old = revision === null ? "" : decoder.decode(landed.bodies.get(revision.contentSha256));
  const fresh = decoder.decode(proposal.byContentFile.get(operation.contentFile)!.bytes);
  return {
    itemId: operation.itemId,
    change: item === null ? "new" : "update",
    expectedRevision: operation.expectedRevision,
    currentRevision: current,
    metadata: changedFields(item, revision, operation.metadata),
    bodyDiff: bodyDiff(operation.itemId, current, old, fresh),
  };
}

function changedFields(
  item: ItemFacts | null,
  revision: RevisionFacts | null,
  metadata: RevisionMetadata,
): readonly ChangedField[] {
  return FIELDS.flatMap((field) => {
    // The item's own labels are the ones in force; the rest is the revision's.
    const inForce = item !== null && field in item
      ? (item as unknown as Record<string, unknown>)[field]
      : (revision as unknown as Record<string, unknown> | null)?.[field];
    const before = inForce ?? null;
    const after = metadata[field] ?? null;
    if (before === null && Array.isArray(after) && after.length === 0) return [];
    // Left out means the migration's own time, which is no change that anybody wrote.
    if (field === "validFrom" && after === null) return [];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ field, before, after }];
  });
}

function bodyDiff(itemId: string, current: string | null, old: string, fresh: string): string {
  const from = current === null ? "/dev/null" : `${itemId} (${current})`;
  const to = `${itemId} (proposed)`;
  const patch = createTwoFilesPatch(from, to, old, fresh, "", "", {
    context: 3,
    maxEditLength: MOST_EDITS,
  }) as string | undefined;
  return patch?.replace(/^=+\n/, "") ?? `--- ${from}\n+++ ${to}\n${wholeHunk(old, fresh)}`;
}

/** One hunk: everything between the lines that both texts begin and end with. */
function wholeHunk(old: string, fresh: string): string {
  const [before, after] = [linesOf(old), linesOf(fresh)];
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const gone = before.slice(start, before.length - end);
  const come = after.slice(start, after.length - end);
  const at = start + 1;
  return [
    `@@ -${at},${gone.length} +${at},${come.length} @@`,
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
  ].join("\n") + "\n";
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function otherChange(operation: Operation, before: Replay): ProposedChange {
  const { op, ...values } = operation as Operation & Record<string, unknown>;
  const named = ["itemId", "sourceItemId", "alias", "specId"].find((key) => key in values);
  const itemId = String(values[named ?? ""] ?? "");
  const item = before.state.item(itemId)?.item ?? null;
  return {
    itemId,
    change: op,
    expectedRevision: null,
    currentRevision: item?.currentRevisionId ?? null,
    metadata: Object.entries(values)
      .filter(([field, after]) => field !== "itemId" && after !== null)
      .map(([field, after]) => ({
        field,
        before: (item as unknown as Record<string, unknown> | null)?.[field] ?? null,
        after,
      })),
    bodyDiff: null,
  };
}
