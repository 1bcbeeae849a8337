/** A {@linkcode CarriedState} over a state file that new migrations are applied on. */

import type { Connection } from "../platform/sqlite/mod.ts";
import {
  itemOf,
  type ItemRow,
  specificationOf,
  type SpecificationRow,
  traceOf,
} from "./_state_rows.ts";
import { guarded } from "./_state_refusals.ts";
import type { Specification } from "./model.ts";
import type { CarriedState, Edge, RevisionClaim, TracedItem } from "./working_state.ts";

/** Reads single rows; the connection stays the caller's. */
export class CarriedRows implements CarriedState {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  item(itemId: string): TracedItem | null {
    const sql =
      "SELECT item_id, status, sensitivity, revision_id, facts, trace FROM items WHERE item_id = ?";
    const row = guarded(() => this.#connection.get<ItemRow & { trace: string }>(sql, itemId));
    return row === undefined ? null : { item: itemOf(row), trace: traceOf(row.trace) };
  }

  revision(revisionId: string): RevisionClaim | null {
    const sql = "SELECT item_id, content_sha256 FROM revisions WHERE revision_id = ?";
    const row = guarded(() =>
      this.#connection.get<{ item_id: string; content_sha256: string }>(sql, revisionId)
    );
    return row === undefined ? null : { itemId: row.item_id, contentSha256: row.content_sha256 };
  }

  revisionIdsOf(itemId: string): readonly string[] {
    const sql = "SELECT revision_id FROM revisions WHERE item_id = ? ORDER BY position";
    return guarded(() => this.#connection.all<{ revision_id: string }>(sql, itemId))
      .map((row) => row.revision_id);
  }

  hasRelation({ sourceItemId, relationType, targetItemId }: Edge): boolean {
    const sql =
      "SELECT 1 FROM relations WHERE source_item_id = ? AND relation_type = ? AND target_item_id = ?";
    return guarded(() =>
      this.#connection.get(sql, sourceItemId, relationType, targetItemId) !== undefined
    );
  }

  specification(specId: string): Specification | null {
    const sql = "SELECT spec_id, facts FROM specifications WHERE spec_id = ?";
    const row = guarded(() => this.#connection.get<SpecificationRow>(sql, specId));
    return row === undefined ? null : specificationOf(row);
  }
}
