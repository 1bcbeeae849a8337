/**
 * A migration counts only once a person committed it (corpus-and-migrations.md 14.7).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { gitBlobId, gitHashObject, gitTreeObjects } from "../platform/git.ts";
import { escapeControls } from "../platform/text.ts";
import { MIGRATIONS_PATH } from "./_list_migration_files.ts";
import type { LoadedMigration, MigrationSet } from "./migration_set.ts";

/**
 * The set must have been loaded to be applied. Throws `migration-uncommitted` for the first file that
 * HEAD does not hold with these bytes. Git's own filters are honoured: bytes that differ as they
 * stand are hashed by Git once more. A file that is a symbolic link, or lies behind one, never
 * passes: Git holds the link's text. A file whose name is not UTF-8 cannot be seen by the loader and
 * is refused here (`migration-set-invalid`), so that no smaller set is ever applied.
 */
export async function checkCommitted(root: string, set: MigrationSet): Promise<void> {
  if (set.migrations.length === 0) return;
  const committed = await gitTreeObjects(root, MIGRATIONS_PATH);
  refuseUnseen(committed.keys(), set);
  for (const loaded of set.migrations) {
    const entry = committed.get(loaded.path);
    if (entry === undefined || !entry.mode.startsWith("100")) {
      throw uncommitted(loaded, "is not committed");
    }
    if (loaded.blobId === entry.objectId) continue;
    const bytes = loaded.bytes();
    if (gitBlobId(bytes, entry.objectId) === entry.objectId) continue;
    const filtered = await gitHashObject(root, loaded.path, bytes);
    if (filtered !== entry.objectId) throw uncommitted(loaded, "differs from HEAD");
  }
}

const UNSEEN = new RegExp(`^${MIGRATIONS_PATH}/[^/]*\\ufffd[^/]*\\.yaml$`);

/** What Git names in bytes that are no UTF-8 arrives with replacement characters. */
function refuseUnseen(committed: Iterable<string>, set: MigrationSet): void {
  const loaded = new Set(set.migrations.map(({ path }) => path));
  for (const path of committed) {
    if (!UNSEEN.test(path) || loaded.has(path)) continue;
    throw new TheurianError(
      "migration-set-invalid",
      `Cannot load ${escapeControls(path)}: its name is not UTF-8`,
      { remedy: "Rename the file (`git ls-files -z` shows its bytes), commit, and run this again" },
    );
  }
}

function uncommitted({ path }: LoadedMigration, why: string): TheurianError {
  const shown = escapeControls(path);
  return new TheurianError("migration-uncommitted", `Cannot apply ${shown}: it ${why}`, {
    remedy: `Commit it after review, then run: theurian migrate apply; to apply it as it stands, ` +
      `run: theurian migrate apply --allow-uncommitted`,
    details: { path: shown },
  });
}
