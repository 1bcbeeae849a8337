/**
 * Reads `.theurian/migrations` as one whole: every file is checked, every body is compared with its
 * pin, and a set with one bad file is no set (corpus-and-migrations.md section 8).
 *
 * @module
 */

import type { ProjectPaths } from "../projects/mod.ts";
import { applicationOrder } from "./application_order.ts";
import { listMigrationFiles } from "./_list_migration_files.ts";
import { readMigrationFile } from "./_read_migration_file.ts";
import type { BodyStore } from "./_read_migration_file.ts";
import { type LoadFault, type MigrationFault, ruleFault } from "./migration_fault.ts";
import type { BodyClaim, LoadedMigration, MigrationSet } from "./migration_set.ts";
import { stateHash } from "./state_hash.ts";

/** How a set is loaded. */
export interface LoadOptions {
  /** Keeps the bytes of every body in memory; needed to build a state. */
  readonly keepBodies?: boolean;
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
 * Still throws when the directory itself cannot be read or leads out of the project.
 */
export function inspectMigrationSet(paths: ProjectPaths, options: LoadOptions = {}): Inspection {
  const loaded = load(paths, options);
  if (loaded.set !== null) {
    return { set: loaded.set, faults: [], stateHash: loaded.set.stateHash };
  }
  const faults = loaded.faults.map(({ path, location, rule }) => ({ path, location, rule }));
  return { set: null, faults, stateHash: null };
}

type Loaded =
  | { readonly set: MigrationSet; readonly faults: readonly LoadFault[] }
  | { readonly set: null; readonly faults: readonly LoadFault[] };

function load(paths: ProjectPaths, options: LoadOptions): Loaded {
  const { names, faults } = listMigrationFiles(paths);
  const all: LoadFault[] = [...faults];
  const loaded: LoadedMigration[] = [];
  const claims = new Map<string, readonly BodyClaim[]>();
  const store: BodyStore = { bodies: new Map(), keep: options.keepBodies ?? false };
  for (const name of names) {
    const file = readMigrationFile(paths, name, store);
    all.push(...file.faults);
    if (file.loaded === null) continue;
    loaded.push(file.loaded);
    claims.set(file.loaded.path, file.claims);
  }
  loaded.sort((a, b) => a.migration.id < b.migration.id ? -1 : 1);
  all.push(...setFaults(loaded, all.length > 0));
  if (all.length > 0) return { set: null, faults: all };
  const order = applicationOrder(loaded.map(({ migration }) => migration));
  if (order.ids === null) return { set: null, faults: [cycleFault(loaded, order.cycle)] };
  return { set: assemble(loaded, order.ids, claims, store), faults: [] };
}

function assemble(
  loaded: readonly LoadedMigration[],
  order: readonly string[],
  claims: ReadonlyMap<string, readonly BodyClaim[]>,
  store: BodyStore,
): MigrationSet {
  const bodyClaims = loaded.flatMap(({ path }) => claims.get(path)!);
  const contentHashes = new Set(bodyClaims.map((claim) => claim.contentSha256));
  return {
    migrations: loaded,
    applicationOrder: order,
    byId: new Map(loaded.map((one) => [one.migration.id, one])),
    stateHash: stateHash(
      loaded.map(({ migration, checksum }) => ({ id: migration.id, checksum })),
      contentHashes,
    ),
    contentFileCount: contentHashes.size,
    bodyClaims,
    bodies: store.bodies,
  };
}

/**
 * Rules over the set: unique ids and dependencies that exist. A dependency may stand in a file that
 * did not load, so with broken files only what is certain is reported.
 */
function setFaults(loaded: readonly LoadedMigration[], incomplete: boolean): LoadFault[] {
  const faults: LoadFault[] = [];
  const seen = new Map<string, string>();
  for (const { migration, path } of loaded) {
    const first = seen.get(migration.id);
    if (first === undefined) {
      seen.set(migration.id, path);
    } else {
      faults.push(setFault(path, "id", `has the id ${migration.id}, which ${first} has too`));
    }
  }
  for (const { migration, path } of loaded) {
    migration.dependsOn.forEach((needed, index) => {
      const location = `dependsOn/${index}`;
      if (needed === migration.id) {
        faults.push(setFault(path, location, "names the migration itself"));
      } else if (!incomplete && !seen.has(needed)) {
        faults.push(setFault(path, location, `names ${needed}, which no file here has as its id`));
      }
    });
  }
  return faults;
}

function cycleFault(loaded: readonly LoadedMigration[], cycle: readonly string[]): LoadFault {
  const first = loaded.find(({ migration }) => migration.id === cycle[0])!;
  return setFault(
    first.path,
    "dependsOn",
    `these migrations wait for each other: ${cycle.join(" → ")}`,
  );
}

function setFault(path: string, location: string, rule: string): LoadFault {
  return ruleFault(path, location, rule, { fault: "migration-set-invalid" });
}
