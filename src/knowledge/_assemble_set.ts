import { applicationOrder } from "./application_order.ts";
import { type LoadFault, ruleFault } from "./migration_fault.ts";
import {
  type BodyClaim,
  bodyClaimsOf,
  type BodySource,
  type LoadedMigration,
  type MigrationSet,
} from "./migration_set.ts";
import { stateHash } from "./state_hash.ts";

/** What the files gave, each checked alone. */
export interface SetParts {
  readonly loaded: readonly LoadedMigration[];
  /** By hash. */
  readonly bodies: BodySource;
  /** Hash of exactly these migrations and bodies, where it is known. */
  readonly stateHash?: string | null;
}

/** A set, or why the parts make none. */
export type AssembledSet =
  | { readonly set: MigrationSet; readonly faults: readonly LoadFault[] }
  | { readonly set: null; readonly faults: readonly LoadFault[] };

/** Puts checked migrations together: unique ids, dependencies that exist, no cycle. */
export function assembleSet(parts: SetParts, earlier: readonly LoadFault[]): AssembledSet {
  const loaded = [...parts.loaded].sort((a, b) => a.migration.id < b.migration.id ? -1 : 1);
  const faults = [...earlier, ...setFaults(loaded, earlier.length > 0)];
  if (faults.length > 0) return { set: null, faults };
  const order = applicationOrder(loaded.map(({ migration }) => migration));
  if (order.ids === null) return { set: null, faults: [cycleFault(loaded, order.cycle)] };
  return { set: assemble(loaded, order.ids, parts), faults: [] };
}

function assemble(
  loaded: readonly LoadedMigration[],
  order: readonly string[],
  parts: SetParts,
): MigrationSet {
  let contentHashes: ReadonlySet<string> | null = null;
  const bodyHashes = () =>
    contentHashes ??= new Set(loaded.flatMap(({ outline }) => outline.bodies.hashes));
  const hashed = () => loaded.map(({ outline, checksum }) => ({ id: outline.id, checksum }));
  let bodyClaims: readonly BodyClaim[] | null = null;
  return {
    migrations: loaded,
    applicationOrder: order,
    byId: new Map(loaded.map((one) => [one.migration.id, one])),
    stateHash: parts.stateHash ?? stateHash(hashed(), bodyHashes()),
    get contentFileCount() {
      return bodyHashes().size;
    },
    get bodyClaims() {
      return bodyClaims ??= loaded.flatMap(bodyClaimsOf);
    },
    bodies: parts.bodies,
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
