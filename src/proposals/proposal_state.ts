/**
 * Where a proposal stands, as its directory and the landed migrations tell it; there is no status
 * file (proposals.md 1).
 *
 * @module
 */

import { join } from "node:path";
import type { MigrationSet } from "../knowledge/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { MIGRATION_FILE_NAME } from "./layout.ts";
import type { ProposalEntry } from "./pending.ts";
import { fateOf } from "./without_migration.ts";

/** Where a proposal stands. */
export type ProposalState = "pending" | "accepted" | "interrupted";

/**
 * The state of a proposal. `set` is `null` when the landed migrations do not load; then nothing
 * tells an accepted proposal from an interrupted one, and the answer is `null` too.
 */
export function stateOf(
  paths: ProjectPaths,
  entry: ProposalEntry,
  set: MigrationSet | null,
): ProposalState | null {
  const [file, ...more] = entry.migrationFiles;
  if (file !== undefined) {
    // An acceptance that was killed between landing and clearing leaves the file behind.
    return more.length === 0 && isLanded(paths, file, set) ? "accepted" : "pending";
  }
  if (set === null) return null;
  return fateOf(entry, set).startsWith("accepted") ? "accepted" : "interrupted";
}

function isLanded(paths: ProjectPaths, file: string, set: MigrationSet | null): boolean {
  return describePath(join(paths.migrations, file)) !== null ||
    (set?.byId.has(MIGRATION_FILE_NAME.exec(file)![1]!) ?? false);
}
