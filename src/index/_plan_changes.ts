/**
 * What has to change in an earlier build so that it equals a build from scratch (decision 11).
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { admittedStatuses, type Sensitivity } from "../knowledge/model.ts";
import type { CurrentRevision, ItemFilter, StateReader } from "../knowledge/state_reader.ts";

/** An item to be indexed. */
export interface PlannedItem
  extends Pick<CurrentRevision, "itemId" | "revisionId" | "status" | "sensitivity"> {
  readonly factsSha256: string;
}

/** The difference between a build and a state. */
export interface ChangePlan {
  /** Rows of `documents` that have to go. */
  readonly removed: readonly number[];
  /** Items whose document has to be written, in ascending id order. */
  readonly added: readonly PlannedItem[];
  /** Documents that were compared and stay as they are. */
  readonly kept: number;
}

interface StandingDocument {
  readonly id: number;
  readonly item_id: string;
  readonly revision_id: string;
  readonly status: string;
  readonly sensitivity: string;
  readonly served_sha256: string;
  readonly facts_sha256: string;
}

/** Items that a flavour admits (index-build.md 3.1, rules 1 and 2). */
export function admittedItems(
  includeUnapproved: boolean,
  sensitivities: readonly Sensitivity[],
): ItemFilter {
  return { statuses: admittedStatuses(includeUnapproved), sensitivities };
}

/**
 * Compares an earlier build, or nothing, with the admitted items of a state; of `only` these items
 * when given, the others being known to be the same. Only items of the project that the state was
 * applied for count. Throws `build-failed` when an item points at another
 * item's revision: indexing it would show one item's text under another id (rule 4).
 */
export function planChanges(
  base: Connection | null,
  reader: StateReader,
  filter: ItemFilter,
  only?: readonly string[],
): ChangePlan {
  const standing = base === null ? new Map<string, StandingDocument>() : standingIn(base, only);
  const removed: number[] = [];
  const added: PlannedItem[] = [];
  let kept = 0;
  for (const revision of admittedRevisions(reader, filter, only)) {
    requireOwnRevision(revision);
    const factsSha256 = sha256Hex(revision.stamp);
    const document = standing.get(revision.itemId);
    standing.delete(revision.itemId);
    if (document !== undefined && isUnchanged(document, revision, factsSha256)) {
      kept++;
      continue;
    }
    if (document !== undefined) removed.push(document.id);
    const { itemId, revisionId, status, sensitivity } = revision;
    added.push({ itemId, revisionId, status, sensitivity, factsSha256 });
  }
  for (const document of standing.values()) removed.push(document.id);
  return { removed, added, kept };
}

const STANDING =
  "SELECT id, item_id, revision_id, status, sensitivity, served_sha256, facts_sha256 FROM documents";

function standingIn(
  base: Connection,
  only: readonly string[] | undefined,
): Map<string, StandingDocument> {
  const rows = only === undefined
    ? base.all<StandingDocument>(STANDING)
    : only.flatMap((id) => base.all<StandingDocument>(`${STANDING} WHERE item_id = ?`, id));
  return new Map(rows.map((row) => [row.item_id, row]));
}

function admittedRevisions(
  reader: StateReader,
  filter: ItemFilter,
  only: readonly string[] | undefined,
): Iterable<CurrentRevision> {
  return reader.builtFor === reader.projectId ? reader.currentRevisions(filter, only) : [];
}

function isUnchanged(
  document: StandingDocument,
  revision: CurrentRevision,
  factsSha256: string,
): boolean {
  return document.revision_id === revision.revisionId && document.status === revision.status &&
    document.sensitivity === revision.sensitivity &&
    document.served_sha256 === revision.servedSha256 && document.facts_sha256 === factsSha256;
}

function requireOwnRevision(revision: CurrentRevision): void {
  if (revision.itemId === revision.revisionItemId) return;
  throw new TheurianError(
    "build-failed",
    "Cannot build the index: in the state database an item points at the revision of another item",
    {
      remedy:
        "Delete .theurian/state/, then run: theurian migrate apply, then: theurian index build",
    },
  );
}
