/**
 * Opening the state that a project serves now (retrieval.md 9.1 and 9.2).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { borrowForReading } from "../platform/sqlite/mod.ts";
import { isBuiltHere, type Project } from "../projects/mod.ts";
import { SqliteStateReader } from "./_sqlite_state_reader.ts";
import { type ActivePointer, namesPlainFile, readActivePointer } from "./active_pointer.ts";
import { isSealed, openStateFile, statePath, untrusted } from "./state_files.ts";
import type { StateReader } from "./state_reader.ts";

/**
 * Reads the pointer once and opens what it names. Throws `state-unbuilt`, `state-pointer-corrupt`,
 * `state-untrusted`, `state-unreadable` or `path-escape`; every remedy says what to type.
 */
export function openActiveState(
  project: Project,
  dataDirectory: string,
): { readonly pointer: ActivePointer; readonly reader: StateReader } {
  const pointer = requireActivePointer(project);
  return { pointer, reader: openStateAt(project, dataDirectory, pointer) };
}

/** The pointer of a project that has been applied. Throws `state-unbuilt`. */
export function requireActivePointer(project: Project): ActivePointer {
  const pointer = readActivePointer(project.paths);
  if (pointer !== null) return pointer;
  throw new TheurianError(
    "state-unbuilt",
    `Cannot read project ${project.projectId}: its knowledge has not been applied here`,
    { remedy: `Run in ${project.root}: theurian migrate apply` },
  );
}

/** Opens the state of a pointer that was read before. Throws as {@linkcode openActiveState}. */
export function openStateAt(
  project: Project,
  dataDirectory: string,
  pointer: ActivePointer,
): StateReader {
  const path = activeStatePath(project, pointer);
  const isOurs = isBuiltHere(dataDirectory, project.root, "state", pointer.stateHash);
  const state = isOurs ? openStateFile(path, borrowForReading) : null;
  if (state === null) throw describePath(path) === null ? missing(project) : untrusted();
  if (state.meta.stateHash === pointer.stateHash && isSealed(dataDirectory, project.root, state)) {
    return new SqliteStateReader(state, project.projectId);
  }
  state.connection.close();
  throw untrusted();
}

function missing({ projectId, root }: Project): TheurianError {
  return new TheurianError(
    "state-unbuilt",
    `Cannot read project ${projectId}: its state database is missing`,
    { remedy: `Run in ${root}: theurian migrate apply` },
  );
}

/** Path of the file that a pointer names. Throws `path-escape` when it leaves `state/`. */
export function activeStatePath(project: Project, pointer: ActivePointer): string {
  if (namesPlainFile(pointer)) return statePath(project.paths, pointer.databaseFilename);
  throw new TheurianError(
    "path-escape",
    "Cannot use .theurian/state/active.json: it names a file outside .theurian/state",
    { remedy: "Delete .theurian/state/active.json, then run: theurian migrate apply" },
  );
}
