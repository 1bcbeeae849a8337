/**
 * Removing a proposal that was not accepted (cli-and-plugins.md 3.2).
 *
 * @module
 */

import { join } from "node:path";
import { inspectMigrationSet } from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { listDirectory, removeTree, renamePath } from "../platform/files/mod.ts";
import { type Project, withWriteLock } from "../projects/mod.ts";
import { findProposal } from "./find_proposal.ts";
import { stateOf } from "./review_proposals.ts";

/** What was removed. */
export interface Discard {
  readonly proposalId: string;
  readonly discarded: true;
  /** POSIX, relative to the project, in byte order. */
  readonly removedPaths: readonly string[];
}

/**
 * Deletes the proposal's directory. Refuses one that was accepted: what is left of it is its
 * evidence (exit 4). The directory leaves its place at once, so a kill never leaves half of it there.
 */
export async function discardProposal(project: Project, proposalId: string): Promise<Discard> {
  const { paths } = project;
  return await withWriteLock(paths, () => {
    const entry = findProposal(paths, proposalId);
    if (stateOf(entry, inspectMigrationSet(paths).set) === "accepted") {
      throw new TheurianError(
        "proposal-accepted",
        "Cannot discard the proposal: it was accepted, and what is left is its evidence",
        {
          remedy:
            "Keep the evidence with the migration, or delete the directory in a reviewed commit.",
        },
      );
    }
    const removedPaths = filesBelow(entry.path, entry.directory);
    const aside = join(paths.runtime, `discard-${proposalId}`);
    removeTree(aside);
    renamePath(entry.path, aside);
    removeTree(aside);
    return { proposalId, discarded: true, removedPaths };
  });
}

function filesBelow(path: string, shown: string): string[] {
  return listDirectory(path).flatMap((entry) =>
    entry.kind === "directory"
      ? filesBelow(join(path, entry.name), `${shown}/${entry.name}`)
      : [`${shown}/${entry.name}`]
  );
}
