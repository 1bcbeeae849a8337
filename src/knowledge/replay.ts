/**
 * Replays migrations, in memory and without any I/O of its own, over a carried-over state or over
 * nothing (corpus-and-migrations.md 12.1).
 *
 * @module
 */

import { applyOperation } from "./apply_operation.ts";
import type { LoadedMigration } from "./migration_set.ts";
import { MoveWatch, type PermissiveMove } from "./permissive_moves.ts";
import { type CarriedState, WorkingState } from "./working_state.ts";

/** What a replay leaves. */
export interface Replay {
  /** Every row that was written; what was not stands in the carried state. */
  readonly state: WorkingState;
  readonly permissiveMoves: readonly PermissiveMove[];
  /** Operations of all replayed migrations, the ones without effect included. */
  readonly operationsApplied: number;
  /** Items touched by an operation that can withdraw content (12.3). */
  readonly touched: ReadonlySet<string>;
}

/**
 * Applies migrations in the given order. Throws the first `migration-refused` or
 * `revision-conflict`; nothing of the replay is usable then.
 */
export function replay(
  migrations: readonly LoadedMigration[],
  carried: CarriedState | null,
): Replay {
  const state = new WorkingState(carried);
  const touched = new Set<string>();
  const permissiveMoves: PermissiveMove[] = [];
  let operationsApplied = 0;
  for (const loaded of migrations) {
    const watch = new MoveWatch(loaded.migration.id);
    loaded.migration.operations.forEach((operation, index) => {
      applyOperation(operation, { state, loaded, index, watch, touched });
    });
    operationsApplied += loaded.migration.operations.length;
    permissiveMoves.push(...watch.rows((itemId, field) => state.item(itemId)!.item[field]));
  }
  return { state, permissiveMoves, operationsApplied, touched };
}
