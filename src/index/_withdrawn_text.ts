/**
 * Whether an old build still holds text that the applied state has withdrawn since (decision 12).
 *
 * @module
 */

import type { MigrationSet, StateReader } from "../knowledge/mod.ts";
import type { OpenBuild } from "./_built_files.ts";
import { admittedItems } from "./_plan_changes.ts";
import { touchedSince } from "./_touched_items.ts";

interface HeldRevision {
  readonly item_id: string;
  readonly revision_id: string;
}

const HELD = "SELECT item_id, revision_id FROM documents";

/**
 * True when the build holds a revision that the state knows and would not index: superseded,
 * deprecated, rejected or above the level that the build may hold. A revision that the state does not
 * know belongs to another branch and counts for nothing. With the `set` of migrations only the items
 * that were touched since are looked at, where they can be told.
 */
export function holdsWithdrawnText(
  { facts, connection }: OpenBuild,
  reader: StateReader,
  set?: MigrationSet,
): boolean {
  const only = (set && touchedSince(facts, reader.history(), set)) ?? undefined;
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  const current = new Map<string, string>();
  for (const row of reader.currentRevisions(filter, only)) current.set(row.itemId, row.revisionId);
  const held = only === undefined
    ? connection.all<HeldRevision>(HELD)
    : only.flatMap((id) => connection.all<HeldRevision>(`${HELD} WHERE item_id = ?`, id));
  return held.some(({ item_id, revision_id }) =>
    current.get(item_id) !== revision_id && reader.revisionIdsOf(item_id).includes(revision_id)
  );
}
