/**
 * Removing a proposal that was not accepted (cli-and-plugins.md 3.2).
 *
 * @module
 */

import { join } from "node:path";
import { inspectMigrationSet, openSourceCache } from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { listDirectory, renamePath } from "../platform/files/mod.ts";
import { type Project, withWriteLock } from "../projects/mod.ts";
import { asidePath, removeLeftovers, removeQuietly } from "./_set_aside.ts";
import { findProposal } from "./find_proposal.ts";
import { type ProposalState, stateOf } from "./proposal_state.ts";

/** What was removed. */
export interface Discard {
  readonly proposalId: string;
  readonly discarded: true;
  /** POSIX, relative to the project, in byte order. */
  readonly removedPaths: readonly string[];
}

/**
 * Deletes the proposal's directory. Refuses one that was accepted, or of which nothing tells: what
 * is left of it is its evidence (exit 4). The directory leaves its place at once, so a kill never
 * leaves half of it there.
 */
export async function discardProposal(
  project: Project,
  dataDirectory: string,
  proposalId: string,
): Promise<Discard> {
  const { paths } = project;
  return await withWriteLock(paths, () => {
    const entry = findProposal(paths, proposalId);
    const { set } = inspectMigrationSet(paths, { cache: openSourceCache(paths, dataDirectory) });
    refuseAccepted(stateOf(paths, entry, set));
    const removedPaths = filesBelow(entry.path, entry.directory);
    removeLeftovers(paths);
    const aside = asidePath(paths, "discard", proposalId);
    renamePath(entry.path, aside);
    removeQuietly(aside);
    return { proposalId, discarded: true, removedPaths };
  });
}

function refuseAccepted(state: ProposalState | null): void {
  if (state === "accepted") {
    throw new TheurianError(
      "proposal-accepted",
      "Cannot discard the proposal: it was accepted, and what is left is its evidence",
      {
        remedy:
          "Keep the evidence with the migration, or delete the directory in a reviewed commit.",
      },
    );
  }
  if (state === null) {
    throw new TheurianError(
      "migration-set-invalid",
      "Cannot discard the proposal: while the landed migrations do not load, nothing tells " +
        "whether it was accepted",
      {
        remedy:
          "Repair .theurian/migrations first; `theurian migrate validate` says what is wrong.",
      },
    );
  }
}

function filesBelow(path: string, shown: string): string[] {
  return listDirectory(path).flatMap((entry) =>
    entry.kind === "directory"
      ? filesBelow(join(path, entry.name), `${shown}/${entry.name}`)
      : [`${shown}/${entry.name}`]
  );
}
