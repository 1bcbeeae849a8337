/**
 * All migrations of a project, read and checked as one whole (corpus-and-migrations.md section 8).
 *
 * @module
 */

import type { Migration } from "./migration.ts";
import type { MigrationOutline } from "./migration_outline.ts";

/** A migration and the file it was read from. */
export interface LoadedMigration {
  /** Beyond id and dependencies it may have to be fetched from a file; the outline is at hand. */
  readonly migration: Migration;
  readonly outline: MigrationOutline;
  readonly bodyFiles: BodyFiles;
  /** SHA-256 of the file's raw bytes. */
  readonly checksum: string;
  /** Relative to the project, with `/`: what a person sees and what Git knows. */
  readonly path: string;
  /** Git's SHA-1 name of the raw bytes, where it is known without reading them. */
  readonly blobId: string | null;
  /** Raw bytes with this checksum; throws when they are gone. For sets that were loaded to be applied. */
  bytes(): Uint8Array;
}

/** Which files stand for the bodies of a migration, in the order of its outline. */
export interface BodyFiles {
  readonly devices: readonly number[];
  readonly inodes: readonly number[];
}

/** A revision's claim on a body file. */
export interface BodyClaim {
  readonly migrationId: string;
  /** Index of the `upsertRevision` among its migration's operations. */
  readonly operationIndex: number;
  readonly itemId: string;
  readonly revisionId: string;
  /** As the author wrote it. */
  readonly contentFile: string;
  readonly contentSha256: string;
  /** `device:inode` of the resolved file. */
  readonly identity: string;
}

/** The claims of a migration in the order of its operations. */
export function bodyClaimsOf({ migration, bodyFiles }: LoadedMigration): BodyClaim[] {
  const claims: BodyClaim[] = [];
  migration.operations.forEach((operation, operationIndex) => {
    if (operation.op !== "upsertRevision") return;
    const { itemId, revisionId, contentFile, contentSha256 } = operation;
    const { devices, inodes } = bodyFiles;
    claims.push({
      migrationId: migration.id,
      operationIndex,
      itemId,
      revisionId,
      contentFile,
      contentSha256,
      identity: `${devices[claims.length]}:${inodes[claims.length]}`,
    });
  });
  return claims;
}

/** Gives the bytes of a body by its hash. */
export interface BodySource {
  /** Throws what reading the file throws, and `migration-invalid` when it changed meanwhile. */
  get(contentSha256: string): Uint8Array | undefined;
}

/** A complete, ordered set. */
export interface MigrationSet {
  /** Sorted by id. */
  readonly migrations: readonly LoadedMigration[];
  /** Ids in the order they apply. */
  readonly applicationOrder: readonly string[];
  readonly byId: ReadonlyMap<string, LoadedMigration>;
  readonly stateHash: string;
  /** Number of distinct bodies by hash; counted when it is asked for. */
  readonly contentFileCount: number;
  /** Claims in the order of ids, then operations; made when they are asked for. */
  readonly bodyClaims: readonly BodyClaim[];
  /** Bytes of each body by hash; none unless loaded to be applied. */
  readonly bodies: BodySource;
}

/** The migrations of a set in the order they apply. */
export function inApplicationOrder(set: MigrationSet): readonly LoadedMigration[] {
  return set.applicationOrder.map((id) => set.byId.get(id)!);
}
