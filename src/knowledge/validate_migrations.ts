/**
 * `migrate validate`: refuses whatever `migrate apply` would refuse, except for what is not
 * committed yet, and builds nothing (corpus-and-migrations.md 15.2, decision 6).
 *
 * @module
 */

import type { Project } from "../projects/mod.ts";
import { checkGuards } from "./guards.ts";
import { loadMigrationSet } from "./load_migrations.ts";
import { inApplicationOrder } from "./migration_set.ts";
import type { PermissiveMove } from "./permissive_moves.ts";
import { relationCycles } from "./relation_cycles.ts";
import { replay } from "./replay.ts";
import { openSourceCache } from "./source_cache.ts";
import { isMigrationRecorded } from "./state_inventory.ts";
import { verifyHistory } from "./verify_history.ts";

/** The document of `migrate validate`, and what is worth a warning beside it. */
export interface Validation {
  readonly document: {
    readonly valid: true;
    readonly migrationCount: number;
    /** Distinct bodies. */
    readonly contentFileCount: number;
    readonly stateHash: string;
    readonly applicationOrder: readonly string[];
    /** Of the whole set. */
    readonly permissiveMoves: readonly PermissiveMove[];
  };
  /** Cycles among relations that should have none (INV-6), as item ids. */
  readonly relationCycles: readonly (readonly string[])[];
}

/** Replays the whole set in memory. Throws as `applyMigrations`, without locks and writes. */
export function validateMigrations(project: Project, dataDirectory: string): Validation {
  const cache = openSourceCache(project.paths, dataDirectory);
  const set = loadMigrationSet(project.paths, { cache });
  verifyHistory(project, dataDirectory, set);
  checkGuards(set, (id) => isMigrationRecorded(project, dataDirectory, id));
  const { state, permissiveMoves } = replay(inApplicationOrder(set), null);
  const relations = [...state.relations.values()].filter((relation) => relation !== null);
  return {
    document: {
      valid: true,
      migrationCount: set.migrations.length,
      contentFileCount: set.contentFileCount,
      stateHash: set.stateHash,
      applicationOrder: set.applicationOrder,
      permissiveMoves,
    },
    relationCycles: relationCycles(relations),
  };
}
