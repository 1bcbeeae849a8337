/**
 * What a build still holds although the applied state has withdrawn it since (index-build.md 12.1,
 * decision 12).
 *
 * @module
 */

import type { MigrationSet, StateReader } from "../knowledge/mod.ts";
import type { OpenBuild } from "./_built_files.ts";
import { admittedItems } from "./_plan_changes.ts";
import { touchedSince } from "./_touched_items.ts";

/** A document of a build, as far as a purge needs it. */
export interface HeldDocument {
  readonly id: number;
  readonly item_id: string;
  readonly revision_id: string;
  readonly chunk_count: number;
}

const HELD = "SELECT id, item_id, revision_id, chunk_count FROM documents";

/**
 * Documents that hold a revision which the state knows and would not index: superseded, deprecated,
 * rejected or above the level that the build may hold. A revision that the state does not know belongs
 * to another branch and counts for nothing. With the `set` of migrations only the items that were
 * touched since the build's state are looked at, where they can be told, and those of `besides`.
 */
export function withdrawnDocuments(
  { facts, connection }: OpenBuild,
  reader: StateReader,
  set: MigrationSet | null,
  besides: readonly string[] = [],
): readonly HeldDocument[] {
  const touched = facts.stateHash === reader.stateHash
    ? []
    : set && touchedSince(facts, reader.history(), set);
  const only = touched === null ? undefined : [...new Set([...touched, ...besides])];
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  const current = new Map<string, string>();
  for (const row of reader.currentRevisions(filter, only)) current.set(row.itemId, row.revisionId);
  const held = only === undefined
    ? connection.all<HeldDocument>(HELD)
    : only.flatMap((id) => connection.all<HeldDocument>(`${HELD} WHERE item_id = ?`, id));
  return held.filter(({ item_id, revision_id }) =>
    current.get(item_id) !== revision_id && reader.revisionIdsOf(item_id).includes(revision_id)
  );
}

/** True when the build holds anything of that kind. */
export function holdsWithdrawnText(
  build: OpenBuild,
  reader: StateReader,
  set: MigrationSet | null = null,
): boolean {
  return withdrawnDocuments(build, reader, set).length > 0;
}
