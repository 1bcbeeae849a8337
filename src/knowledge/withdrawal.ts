/**
 * What an apply may have withdrawn, handed to whoever keeps a published index
 * (corpus-and-migrations.md 12.3, index-build.md 12.1). This folder knows nothing about indexes.
 *
 * @module
 */

import type { LoadedMigration, MigrationSet } from "./migration_set.ts";
import type { Sensitivity, Status } from "./model.ts";
import type { StateReader } from "./state_reader.ts";

/** The final state of an item that was touched. */
export interface WithdrawalCandidate {
  readonly itemId: string;
  readonly status: Status;
  readonly sensitivity: Sensitivity;
  readonly currentRevisionId: string | null;
  /** Every revision of the item, oldest first. */
  readonly revisionIds: readonly string[];
}

/** What was applied, for whoever keeps a published index. */
export interface Withdrawal {
  /**
   * False when nothing new was applied, or the set holds nothing that can withdraw content; an
   * index that is missing or unusable is then nobody's matter here.
   */
  readonly mayWithdraw: boolean;
  /** Items that this apply may have withdrawn, sorted. */
  readonly itemIds: readonly string[];
  /** The migrations of the applied state; `null` when they are not at hand. */
  readonly set: MigrationSet | null;
  /** Opens the applied state; the caller closes it. */
  openState(): StateReader;
}

/** Result of the purge, as `migrate apply` publishes it (index-build.md 12.2). */
export interface IndexPurge {
  readonly published: boolean;
  /** The new build. */
  readonly indexBuildId: string | null;
  /** Chunks and nodes. */
  readonly removed: number;
  readonly reason: string;
  readonly failed: boolean;
  /** Not empty only when it failed. */
  readonly remedy: string;
}

/**
 * Takes withdrawn content out of the published index, also what an earlier apply withdrew that was
 * stopped before it came to this; its outcome is only reported.
 */
export type Purge = (withdrawal: Withdrawal) => Promise<IndexPurge> | IndexPurge;

/** The result where nothing was purged. */
export function nothingPurged(reason: string): IndexPurge {
  return { published: false, indexBuildId: null, removed: 0, reason, failed: false, remedy: "" };
}

/** Ids of the items that the migrations' operations may have withdrawn, sorted. */
export function touchedItems(migrations: readonly LoadedMigration[]): readonly string[] {
  const touched = new Set<string>();
  for (const { migration } of migrations) {
    for (const operation of migration.operations) {
      switch (operation.op) {
        case "upsertRevision":
        case "deprecateItem":
        case "restoreItem":
        case "changeSensitivity":
          touched.add(operation.itemId);
      }
    }
  }
  return [...touched].sort();
}

/** True when an operation of the set is of a kind that may withdraw content. */
export function withdrawsAnywhere({ migrations }: MigrationSet): boolean {
  return migrations.some(({ outline }) => outline.bodies.files.length > 0) ||
    touchedItems(migrations).length > 0;
}

/** Reads the final state of the touched items that exist. */
export function readCandidates(
  reader: StateReader,
  itemIds: readonly string[],
): readonly WithdrawalCandidate[] {
  return itemIds.flatMap((itemId) => {
    const item = reader.item(itemId);
    if (item === null) return [];
    const { status, sensitivity, currentRevisionId } = item;
    const revisionIds = reader.revisionIdsOf(itemId);
    return [{ itemId, status, sensitivity, currentRevisionId, revisionIds }];
  });
}
