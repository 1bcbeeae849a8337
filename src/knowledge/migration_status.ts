/**
 * `migrate status`: always answers, also over a set that does not load
 * (corpus-and-migrations.md 15.1, decisions 5 and 8). Reads only; takes no lock.
 *
 * @module
 */

import type { Project } from "../projects/mod.ts";
import { guarded } from "./_state_refusals.ts";
import { readHistory } from "./carry_over.ts";
import { refusedIds } from "./guards.ts";
import { inspectMigrationSet } from "./load_migrations.ts";
import type { MigrationFault } from "./migration_fault.ts";
import type { MigrationSet } from "./migration_set.ts";
import { openSourceCache } from "./source_cache.ts";
import { openTrustedState } from "./state_files.ts";
import { type ChangedMigration, changedMigrations, compareHistory } from "./verify_history.ts";

/** The document of `migrate status`; what a set that does not load cannot tell is `null`. */
export interface MigrationStatus {
  readonly stateHash: string | null;
  readonly stateBuilt: boolean | null;
  readonly total: number | null;
  readonly applied: number | null;
  readonly pending: number | null;
  /** In application order. */
  readonly pendingIds: readonly string[] | null;
  /** Refused by the whole-set guards. */
  readonly refusedIds: readonly string[] | null;
  /** Recorded in the active state, with no file here; only when there are any. */
  readonly missingIds?: readonly string[];
  /** Files that do not load or were changed after they were applied; only when there are any. */
  readonly faults?: readonly MigrationFault[];
}

const UNKNOWN: MigrationStatus = {
  stateHash: null,
  stateBuilt: null,
  total: null,
  applied: null,
  pending: null,
  pendingIds: null,
  refusedIds: null,
};

/**
 * Compares the project's files with what is built. Throws only when the directory of migrations or
 * the state itself cannot be read: `path-escape`, `migration-set-invalid`, `state-unreadable`,
 * `state-pointer-corrupt`.
 */
export function migrationStatus(project: Project, dataDirectory: string): MigrationStatus {
  const cache = openSourceCache(project.paths, dataDirectory);
  const { set, faults } = inspectMigrationSet(project.paths, { cache });
  if (set === null) return { ...UNKNOWN, faults };
  const { changed, missingIds } = compareHistory(project, dataDirectory, set);
  const recorded = recordedIds(project, dataDirectory, set);
  const pendingIds = set.applicationOrder.filter((id) => !recorded?.ids.has(id));
  const faulty = [...changed, ...recorded?.changed ?? []].map(changedFault);
  return {
    stateHash: set.stateHash,
    stateBuilt: recorded !== null,
    total: set.migrations.length,
    applied: set.migrations.length - pendingIds.length,
    pending: pendingIds.length,
    pendingIds,
    refusedIds: refusedIds(set),
    ...(missingIds.length === 0 ? {} : { missingIds }),
    ...(faulty.length === 0 ? {} : { faults: faulty }),
  };
}

/** What the state of this very set holds; `null` when it is not built here. */
function recordedIds(
  project: Project,
  dataDirectory: string,
  set: MigrationSet,
): { readonly ids: ReadonlySet<string>; readonly changed: readonly ChangedMigration[] } | null {
  const state = openTrustedState(project, dataDirectory, set.stateHash);
  if (state === null) return null;
  using _connection = state.connection;
  const history = guarded(() => readHistory(state));
  return {
    ids: new Set(history.map(({ migrationId }) => migrationId)),
    changed: changedMigrations(set, history),
  };
}

function changedFault({ migrationId, path, recorded, observed }: ChangedMigration): MigrationFault {
  return {
    path,
    location: "<root>",
    rule: `migration ${migrationId} was applied with the SHA-256 ${recorded.slice(0, 12)}…, but ` +
      `the file has ${observed.slice(0, 12)}… now; an applied migration never changes`,
  };
}
