/**
 * State files by name, and what opening one finds (corpus-and-migrations.md 14.1 to 14.4).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { containedPath, leadsToSomething } from "../platform/files/mod.ts";
import { type Connection, ContentMemo, openForReading } from "../platform/sqlite/mod.ts";
import {
  isBuiltHere,
  type Project,
  type ProjectPaths,
  recordAllBuiltHere,
} from "../projects/mod.ts";
import { stateRefusal } from "./_state_refusals.ts";
import { STATE_APPLICATION_ID, STATE_LAYOUT_VERSION, STATE_STAMP } from "./_state_schema.ts";
import { damaged } from "./_stored_facts.ts";
import { ENGINE_VERSION, STATE_SCHEMA_VERSION } from "./state_hash.ts";

/** Name of the file that holds a state. */
export function stateFilename(stateHash: string): string {
  return `theurian-state-${stateHash.slice(0, 12)}.sqlite`;
}

/** The first 12 digits of the hash in a state file's name, or `null` for another name. */
export function hashPrefixOf(filename: string): string | null {
  return /^theurian-state-([0-9a-f]{12})\.sqlite$/.exec(filename)?.[1] ?? null;
}

/** Path of a state file, after proving that its directory stays inside the project. */
export function statePath(paths: ProjectPaths, filename: string): string {
  containedPath(paths.root, ".theurian/state", { label: ".theurian/state" });
  return join(paths.state, filename);
}

/** What the one row of facts says. */
export interface StateMeta {
  readonly stateHash: string;
  /** The id that the project had when the state was applied. */
  readonly projectId: string;
  readonly seal: string;
  /** `null` when the record is lost. */
  readonly surfaceable: number | null;
}

/** A state of ours, open for reading; the holder closes the connection. */
export interface OpenState {
  readonly connection: Connection;
  readonly meta: StateMeta;
}

/**
 * Opens a state file. `null` when nothing is there, or a file of another implementation or version:
 * that is *not built here* (decision 2). Ours never have side files, and one could change what
 * SQLite reads, so a file with one is not ours either. Throws `state-unreadable` for a damaged, busy
 * or irregular file. `open` may hand out a connection that was used before.
 */
export function openStateFile(
  path: string,
  open: (path: string) => Connection = openForReading,
): OpenState | null {
  let connection: Connection;
  try {
    connection = open(path);
  } catch (error) {
    if (isFault(error, "database-missing") || hasSidecar(path)) return null;
    throw stateRefusal(error);
  }
  try {
    const meta = metas.get(connection, "", () => readMeta(connection));
    if (meta !== null) return { connection, meta };
    connection.close();
    return null;
  } catch (error) {
    connection.close();
    throw stateRefusal(error);
  }
}

/** What a published file says of itself never changes. */
const metas = new ContentMemo<StateMeta | null>(1);

interface MetaRow {
  readonly stamp: string;
  readonly schema_version: number;
  readonly engine_version: number;
  readonly state_hash: string;
  readonly project_id: string;
  readonly seal: string;
  readonly surfaceable: number | null;
}

function readMeta(connection: Connection): StateMeta | null {
  const pragma = (name: "application_id" | "user_version") =>
    Object.values(connection.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0];
  if (pragma("application_id") !== STATE_APPLICATION_ID) return null;
  if (pragma("user_version") !== STATE_LAYOUT_VERSION) return null;
  const row = connection.get<MetaRow>(
    "SELECT stamp, schema_version, engine_version, state_hash, project_id, seal, surfaceable FROM meta",
  );
  if (row === undefined) throw damaged("its record of itself is missing");
  const ours = row.stamp === STATE_STAMP && row.schema_version === STATE_SCHEMA_VERSION &&
    row.engine_version === ENGINE_VERSION;
  if (!ours) return null;
  const { state_hash: stateHash, project_id: projectId, seal, surfaceable } = row;
  return { stateHash, projectId, seal, surfaceable };
}

function hasSidecar(path: string): boolean {
  return ["-wal", "-journal"].some((suffix) => leadsToSomething(path + suffix));
}

/**
 * True when this installation wrote exactly this file: its seal is recorded, and nobody who commits
 * a doctored file can foretell that. The hash has to be recorded besides.
 */
export function isSealed(dataDirectory: string, root: string, { meta }: OpenState): boolean {
  return isBuiltHere(dataDirectory, root, "seal", meta.seal);
}

/** Vouches for a state file that was built just now. */
export async function recordState(
  dataDirectory: string,
  root: string,
  stateHash: string,
  seal: string,
): Promise<void> {
  await recordAllBuiltHere(dataDirectory, root, [["seal", seal], ["state", stateHash]]);
}

/** The trusted state of exactly this hash, or `null`. Throws `state-unreadable` for damage. */
export function openTrustedState(
  project: Project,
  dataDirectory: string,
  stateHash: string,
): OpenState | null {
  if (!isBuiltHere(dataDirectory, project.root, "state", stateHash)) return null;
  const state = openStateFile(statePath(project.paths, stateFilename(stateHash)));
  if (state === null) return null;
  if (state.meta.stateHash === stateHash && isSealed(dataDirectory, project.root, state)) {
    return state;
  }
  state.connection.close();
  return null;
}

/** Refuses a state that this installation did not build; constant, so that no path is told. */
export function untrusted(): TheurianError {
  return new TheurianError(
    "state-untrusted",
    "Cannot use the state database: this installation did not build it",
    {
      remedy:
        "Delete .theurian/state/, then run: theurian migrate apply; if Git tracks it, first " +
        "run: git rm -r --cached .theurian/state",
    },
  );
}
