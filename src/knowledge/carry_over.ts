/**
 * Which finished state the next one can be built from (decision 11).
 *
 * @module
 */

import type { Project } from "../projects/mod.ts";
import { SURFACEABLE_STATUSES } from "./model.ts";
import { footprint } from "./footprint.ts";
import { inApplicationOrder, type LoadedMigration, type MigrationSet } from "./migration_set.ts";
import { builtStates, openBuiltState } from "./state_inventory.ts";
import type { OpenState } from "./state_files.ts";

/** Newest states that are looked at. */
const CANDIDATES = 8;

/** One recorded row of a state's history. */
export interface HistoryEntry {
  readonly migrationId: string;
  readonly checksum: string;
}

/** A state to build on; the holder closes its connection. */
export interface CarriedBase extends OpenState {
  readonly path: string;
  /** What is not in it, in application order. */
  readonly rest: readonly LoadedMigration[];
}

/** The trusted, healthy state that holds most of the set's migrations, or `null`. */
export function findCarriedBase(
  project: Project,
  dataDirectory: string,
  set: MigrationSet,
): CarriedBase | null {
  let best: CarriedBase | null = null;
  for (const built of builtStates(project, dataDirectory).slice(0, CANDIDATES)) {
    if (built.stateHash === set.stateHash) continue;
    const state = openBuiltState(project, dataDirectory, built);
    if (state === null) continue;
    const rest = isHealthy(state) ? restAfter(set, readHistory(state)) : null;
    if (rest === null || (best !== null && rest.length >= best.rest.length)) {
      state.connection.close();
      continue;
    }
    best?.connection.close();
    best = { ...state, path: built.path, rest };
    if (rest.length === 1) break; // No other can hold more.
  }
  return best;
}

/** The recorded history, in application order. */
export function readHistory({ connection }: OpenState): readonly HistoryEntry[] {
  return connection.all<{ migration_id: string; checksum: string }>(
    "SELECT migration_id, checksum FROM history ORDER BY sequence",
  ).map((row) => ({ migrationId: row.migration_id, checksum: row.checksum }));
}

/** A state that lost rows must not lend them, or its own count, to the next one. */
function isHealthy({ connection, meta }: OpenState): boolean {
  const row = connection.get<{ n: number }>(
    "SELECT count(*) n FROM items WHERE status IN (?, ?, ?)",
    ...SURFACEABLE_STATUSES,
  );
  return row?.n === meta.surfaceable;
}

/**
 * What is left to apply on a state with this history so that the result equals a full replay;
 * `null` when it cannot be carried over. Either the history is a prefix of the order, or every new
 * migration has nothing in common with the recorded ones that belong behind it.
 */
export function restAfter(
  set: MigrationSet,
  history: readonly HistoryEntry[],
): readonly LoadedMigration[] | null {
  const recorded = new Map(history.map((entry) => [entry.migrationId, entry.checksum]));
  for (const [id, checksum] of recorded) if (set.byId.get(id)?.checksum !== checksum) return null;
  const order = inApplicationOrder(set);
  const kept = order.filter(({ migration }) => recorded.has(migration.id));
  const sameOrder = kept.length === history.length &&
    kept.every(({ migration }, i) => history[i]!.migrationId === migration.id);
  if (!sameOrder) return null;
  const rest = order.filter(({ migration }) => !recorded.has(migration.id));
  return canFollow(order, recorded, rest) ? rest : null;
}

function canFollow(
  order: readonly LoadedMigration[],
  recorded: ReadonlyMap<string, string>,
  rest: readonly LoadedMigration[],
): boolean {
  const first = order.findIndex(({ migration }) => !recorded.has(migration.id));
  if (first === -1 || first === recorded.size) return true;
  const touched = new Set<string>();
  for (const { migration } of rest) for (const key of footprint(migration)) touched.add(key);
  return order.slice(first)
    .filter(({ migration }) => recorded.has(migration.id))
    .every(({ migration }) => footprint(migration).isDisjointFrom(touched));
}
