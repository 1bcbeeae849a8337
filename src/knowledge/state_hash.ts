import { createHash } from "node:crypto";

/** Raised when every state built so far must be distrusted (corpus-and-migrations.md 14.2). */
export const STATE_SCHEMA_VERSION = 4;
/** Raised when the meaning of an operation changes (corpus-and-migrations.md 14.2). */
export const ENGINE_VERSION = 1;

const UNIT = "\x1f";
const RECORD = "\x1e";

/** A migration's id and the SHA-256 of its file's raw bytes. */
export interface HashedMigration {
  readonly id: string;
  readonly checksum: string;
}

/**
 * Names a canonical state: the same migrations and bodies give the same 64 hex digits on every
 * machine. `contentHashes` may repeat and come in any order (corpus-and-migrations.md 14.2).
 */
export function stateHash(
  migrations: readonly HashedMigration[],
  contentHashes: Iterable<string>,
): string {
  const hash = createHash("sha256");
  hash.update(`theurian-state-v1${RECORD}`);
  for (const { id, checksum } of migrations.toSorted((a, b) => a.id < b.id ? -1 : 1)) {
    hash.update(`${id}${UNIT}${checksum}${RECORD}`);
  }
  hash.update(`content${RECORD}`);
  const contents = [...new Set(contentHashes)].sort();
  if (contents.length > 0) hash.update(contents.join(RECORD) + RECORD);
  hash.update(`schema${UNIT}${STATE_SCHEMA_VERSION}${RECORD}`);
  hash.update(`engine${UNIT}${ENGINE_VERSION}${RECORD}`);
  return hash.digest("hex");
}
