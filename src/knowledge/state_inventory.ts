/**
 * The state files of a project that this installation built, and the pruning of old ones
 * (decision 12).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { describePath, listDirectory } from "../platform/files/mod.ts";
import { removeDatabase } from "../platform/sqlite/mod.ts";
import { builtHere, forgetAllBuiltHere, type Project } from "../projects/mod.ts";
import { readActivePointer } from "./active_pointer.ts";
import { hashPrefixOf, isSealed, type OpenState, openStateFile, statePath } from "./state_files.ts";

/** Number of states that are kept, the active one included. */
export const STATES_KEPT = 5;

/** Files that one publish removes at most; `index gc` removes the rest. */
export const PRUNED_PER_PUBLISH = 8;

/** A state file on disk whose hash is recorded for the project. */
export interface BuiltState {
  readonly filename: string;
  readonly path: string;
  readonly stateHash: string;
  readonly modifiedNs: bigint;
  /** Bytes. */
  readonly size: number;
}

/** State files that this installation recorded, newest first. Foreign files are not listed. */
export function builtStates(project: Project, dataDirectory: string): readonly BuiltState[] {
  const byPrefix = new Map(
    builtHere(dataDirectory, project.root, "state").map((hash) => [hash.slice(0, 12), hash]),
  );
  const states: BuiltState[] = [];
  for (const { name, kind } of listDirectory(project.paths.state)) {
    const stateHash = byPrefix.get(hashPrefixOf(name) ?? "");
    if (kind !== "file" || stateHash === undefined) continue;
    const path = statePath(project.paths, name);
    const facts = describePath(path);
    if (facts === null) continue;
    const { modifiedNs, size } = facts;
    states.push({ filename: name, path, stateHash, modifiedNs, size });
  }
  return states.sort((a, b) => a.modifiedNs > b.modifiedNs ? -1 : 1);
}

/** Opens a listed state if it is whole and sealed by this installation; `null` otherwise. */
export function openBuiltState(
  project: Project,
  dataDirectory: string,
  built: BuiltState,
): OpenState | null {
  let state: OpenState | null;
  try {
    state = openStateFile(built.path);
  } catch (error) {
    if (isFault(error, "state-unreadable")) return null;
    throw error;
  }
  if (state === null) return null;
  const trusted = state.meta.stateHash === built.stateHash &&
    isSealed(dataDirectory, project.root, state);
  if (trusted) return state;
  state.connection.close();
  return null;
}

/** True when a state on disk that was built here holds the migration. */
export function isMigrationRecorded(
  project: Project,
  dataDirectory: string,
  migrationId: string,
): boolean {
  return builtStates(project, dataDirectory).some((built) => {
    const state = openBuiltState(project, dataDirectory, built);
    if (state === null) return false;
    using connection = state.connection;
    return connection.get("SELECT 1 FROM history WHERE migration_id = ?", migrationId) !==
      undefined;
  });
}

/** States beyond the kept ones, oldest first; the active one is always kept. */
export function prunableStates(project: Project, dataDirectory: string): readonly BuiltState[] {
  const active = readActivePointer(project.paths)?.databaseFilename;
  const others = builtStates(project, dataDirectory).filter(({ filename }) => filename !== active);
  return others.slice(STATES_KEPT - (active === undefined ? 0 : 1)).reverse();
}

/**
 * Removes old states, oldest first, at most `limit` of them, and forgets them. The caller holds the
 * write lock. Returns what was removed.
 */
export async function pruneStates(
  project: Project,
  dataDirectory: string,
  limit: number = Number.MAX_SAFE_INTEGER,
): Promise<readonly BuiltState[]> {
  const doomed = prunableStates(project, dataDirectory).slice(0, limit);
  const seals: string[] = [];
  for (const built of doomed) {
    const state = openBuiltState(project, dataDirectory, built);
    if (state !== null) seals.push(state.meta.seal);
    state?.connection.close();
    removeDatabase(built.path);
  }
  await forgetAllBuiltHere(dataDirectory, project.root, [
    ...doomed.map(({ stateHash }) => ["state", stateHash] as const),
    ...seals.map((seal) => ["seal", seal] as const),
  ]);
  return doomed;
}
