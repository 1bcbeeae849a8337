/**
 * Whether an old build still holds text that the applied state has withdrawn since (decision 12).
 *
 * @module
 */

import type { StateReader } from "../knowledge/state_reader.ts";
import type { OpenBuild } from "./_built_files.ts";
import { admittedItems } from "./_plan_changes.ts";

/**
 * True when the build holds a revision that the state knows and would not index: superseded,
 * deprecated, rejected or above the level that the build may hold. A revision that the state does not
 * know belongs to another branch and counts for nothing.
 */
export function holdsWithdrawnText(build: OpenBuild, reader: StateReader): boolean {
  const { indexesUnapproved, sensitivities } = build.facts;
  const current = new Map<string, string>();
  for (const row of reader.currentRevisions(admittedItems(indexesUnapproved, sensitivities))) {
    current.set(row.itemId, row.revisionId);
  }
  const documents = build.connection.all<{ item_id: string; revision_id: string }>(
    "SELECT item_id, revision_id FROM documents",
  );
  return documents.some(({ item_id, revision_id }) =>
    current.get(item_id) !== revision_id && reader.revisionIdsOf(item_id).includes(revision_id)
  );
}
