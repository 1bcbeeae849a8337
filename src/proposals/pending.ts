/**
 * The proposals on disk, read without judging them: what a cap counts and what a list shows
 * (proposals.md 1, P7 and 2.1).
 *
 * @module
 */

import { join } from "node:path";
import { describePath, listDirectory } from "../platform/files/mod.ts";
import { isUlid } from "../platform/ulid.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { MIGRATION_FILE_NAME, proposalDirectory } from "./layout.ts";

/** One proposal directory. */
export interface ProposalEntry {
  readonly proposalId: string;
  readonly local: boolean;
  /** Absolute. */
  readonly path: string;
  /** POSIX, relative to the project. */
  readonly directory: string;
  /** Names that look like a migration at the top level, in byte order. */
  readonly migrationFiles: readonly string[];
}

/** Every proposal directory, oldest first, the shared folder before the local one for equal ids. */
export function proposalEntries(paths: ProjectPaths): readonly ProposalEntry[] {
  return [...entriesIn(paths.proposals, false), ...entriesIn(paths.proposalsLocal, true)]
    .sort((a, b) => a.proposalId < b.proposalId ? -1 : a.proposalId > b.proposalId ? 1 : 0);
}

function entriesIn(folder: string, local: boolean): ProposalEntry[] {
  return listDirectory(folder)
    .filter((entry) => entry.kind === "directory" && isUlid(entry.name))
    .map(({ name }) => {
      const path = join(folder, name);
      return {
        proposalId: name,
        local,
        path,
        directory: proposalDirectory(name, local),
        migrationFiles: listDirectory(path).map((file) => file.name)
          .filter((file) => MIGRATION_FILE_NAME.test(file)),
      };
    });
}

/** Sum of the sizes of the regular files below a directory; links are not followed. */
export function treeBytes(path: string): number {
  let total = 0;
  for (const entry of listDirectory(path)) {
    const child = join(path, entry.name);
    if (entry.kind === "directory") total += treeBytes(child);
    else if (entry.kind === "file") total += describePath(child)?.size ?? 0;
  }
  return total;
}
