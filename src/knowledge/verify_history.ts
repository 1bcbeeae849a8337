/**
 * Compares the files of the set with what the active state recorded when it was built
 * (corpus-and-migrations.md 14.5).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { isBuiltHere, type Project } from "../projects/mod.ts";
import { type ActivePointer, readActivePointer } from "./active_pointer.ts";
import { type HistoryEntry, readHistory } from "./carry_over.ts";
import type { MigrationSet } from "./migration_set.ts";
import { activeStatePath } from "./open_state.ts";
import { guarded } from "./_state_refusals.ts";
import { isSealed, openStateFile } from "./state_files.ts";

/** A migration whose file is not the one that was applied. */
export interface ChangedMigration {
  readonly migrationId: string;
  /** Relative to the project. */
  readonly path: string;
  /** SHA-256 that was recorded, and that of the file now. */
  readonly recorded: string;
  readonly observed: string;
}

/** How the set differs from the active state's history. */
export interface HistoryComparison {
  readonly changed: readonly ChangedMigration[];
  /** Recorded, with no file here: another branch's migrations (decision 5). */
  readonly missingIds: readonly string[];
}

/**
 * Refuses a migration that was applied with other bytes. A recorded migration without a file is no
 * error. Throws `checksum-mismatch`, and `state-unreadable`, `state-pointer-corrupt` or
 * `path-escape` when the history cannot be read: that is never taken for a clean one.
 */
export function verifyHistory(project: Project, dataDirectory: string, set: MigrationSet): void {
  const [changed] = compareHistory(project, dataDirectory, set).changed;
  if (changed !== undefined) throw checksumMismatch(changed);
}

/** As {@linkcode verifyHistory}, but what differs is returned. */
export function compareHistory(
  project: Project,
  dataDirectory: string,
  set: MigrationSet,
): HistoryComparison {
  const pointer = readActivePointer(project.paths);
  if (pointer === null) return { changed: [], missingIds: [] };
  const path = activeStatePath(project, pointer);
  // The same hash means the same checksums: there is nothing to compare.
  if (pointer.stateHash === set.stateHash) return { changed: [], missingIds: [] };
  const history = historyAt(project, dataDirectory, pointer, path);
  return {
    changed: changedMigrations(set, history),
    missingIds: history.map((entry) => entry.migrationId).filter((id) => !set.byId.has(id)),
  };
}

/** Recorded migrations whose file has another checksum now. */
export function changedMigrations(
  set: MigrationSet,
  history: readonly HistoryEntry[],
): readonly ChangedMigration[] {
  return history.flatMap(({ migrationId, checksum }) => {
    const loaded = set.byId.get(migrationId);
    if (loaded === undefined || loaded.checksum === checksum) return [];
    const { path, checksum: observed } = loaded;
    return [{ migrationId, path, recorded: checksum, observed }];
  });
}

/** The refusal for a changed migration. Never repaired: restoring the file is the only cure. */
export function checksumMismatch(changed: ChangedMigration): TheurianError {
  const { migrationId, path, recorded, observed } = changed;
  return new TheurianError(
    "checksum-mismatch",
    `Cannot accept migration ${migrationId}: it was applied with the SHA-256 ` +
      `${recorded.slice(0, 12)}…, but ${path} has ${observed.slice(0, 12)}… now`,
    {
      remedy: `Restore ${path} from Git, and put the change into a new migration`,
      wireCode: "MIGRATION_CHECKSUM_MISMATCH",
      details: { path },
    },
  );
}

/** What the pointer's state recorded; nothing where it is no state of ours to ask. */
export function historyOf(
  project: Project,
  dataDirectory: string,
  pointer: ActivePointer,
): readonly HistoryEntry[] {
  return historyAt(project, dataDirectory, pointer, activeStatePath(project, pointer));
}

function historyAt(
  project: Project,
  dataDirectory: string,
  pointer: ActivePointer,
  path: string,
): readonly HistoryEntry[] {
  if (!isBuiltHere(dataDirectory, project.root, "state", pointer.stateHash)) return [];
  const state = openStateFile(path);
  if (state === null) return [];
  using _connection = state.connection;
  if (!isSealed(dataDirectory, project.root, state)) return [];
  return guarded(() => readHistory(state));
}
