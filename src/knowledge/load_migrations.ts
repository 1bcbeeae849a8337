/**
 * Reads `.theurian/migrations` as one whole: every file is checked, every body is compared with its
 * pin, and a set with one bad file is no set (corpus-and-migrations.md section 8).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { type AssembledSet, assembleSet } from "./_assemble_set.ts";
import { listMigrationFiles, MIGRATIONS_PATH } from "./_list_migration_files.ts";
import { SourceReader } from "./_source_reader.ts";
import { LoadedBodies } from "./_loaded_bodies.ts";
import { SourceCache } from "./source_cache.ts";
import { readMigrationFile, type Sources } from "./_read_migration_file.ts";
import { doorFault, type LoadFault, type MigrationFault } from "./migration_fault.ts";
import type { LoadedMigration, MigrationSet } from "./migration_set.ts";

/** How a set is loaded. */
export interface LoadOptions {
  /** Keeps raw bytes and makes bodies available; needed to build a state. */
  readonly toApply?: boolean;
  /** What earlier loads found; every file is read and parsed without it. */
  readonly cache?: SourceCache;
}

/** A set, or everything that is wrong with its files. */
export type Inspection =
  | { readonly set: MigrationSet; readonly faults: readonly []; readonly stateHash: string }
  | {
    readonly set: null;
    readonly faults: readonly MigrationFault[];
    readonly stateHash: null;
  };

/**
 * Loads the set. A missing directory is the empty set. Throws the first fault in the order of file
 * names: `migration-invalid`, `migration-set-invalid`, `yaml-invalid`, `path-escape`, `file-*`.
 */
export function loadMigrationSet(paths: ProjectPaths, options: LoadOptions = {}): MigrationSet {
  const loaded = load(paths, options);
  if (loaded.set === null) throw loaded.faults[0]!.error;
  return loaded.set;
}

/**
 * As {@linkcode loadMigrationSet}, but bad files become faults, each naming itself (decision 8).
 * Throws `path-escape` only: a directory that leads out of the project has nothing to report on.
 */
export function inspectMigrationSet(paths: ProjectPaths, options: LoadOptions = {}): Inspection {
  const loaded = load(paths, options);
  if (loaded.set !== null) {
    return { set: loaded.set, faults: [], stateHash: loaded.set.stateHash };
  }
  const faults = loaded.faults.map(({ path, location, rule }) => ({ path, location, rule }));
  return { set: null, faults, stateHash: null };
}

function load(paths: ProjectPaths, options: LoadOptions): AssembledSet {
  const faults: LoadFault[] = [];
  const loaded: LoadedMigration[] = [];
  const reader = new SourceReader(paths);
  const sources: Sources = {
    reader,
    cache: options.cache ?? new SourceCache(null, null, 0),
    toApply: options.toApply ?? false,
    bodies: new LoadedBodies(reader),
  };
  for (const entry of listed(paths)) {
    if (typeof entry !== "string") {
      faults.push(entry);
      continue;
    }
    const file = readMigrationFile(sources, entry);
    faults.push(...file.faults);
    if (file.loaded !== null) loaded.push(file.loaded);
  }
  const { cache, bodies } = sources;
  const assembled = assembleSet({ loaded, bodies, stateHash: cache.knownStateHash }, faults);
  if (assembled.set !== null) cache.noteStateHash(assembled.set.stateHash);
  return assembled;
}

/** A directory that cannot be listed is a fault like a file's; one that leaves the project is not. */
function listed(paths: ProjectPaths): readonly (string | LoadFault)[] {
  try {
    return listMigrationFiles(paths);
  } catch (error) {
    if (!isFault(error) || error.fault === "path-escape") throw error;
    return [doorFault(MIGRATIONS_PATH, "<root>", error)];
  }
}
