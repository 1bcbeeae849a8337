/**
 * Finding a proposal by id (proposals.md 6.1, steps 1, 3 and 4).
 *
 * @module
 */

import { basename, join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { describePath, listDirectory } from "../platform/files/mod.ts";
import { strip } from "../platform/text.ts";
import { isUlid } from "../platform/ulid.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { LOCAL_PROPOSALS, MIGRATION_FILE_NAME, proposalDirectory, PROPOSALS } from "./layout.ts";
import type { ProposalEntry } from "./pending.ts";
import { screenedReport } from "./_screened.ts";

/** The id in its canonical spelling. Throws `invalid-input` (exit 2) for what is no ULID. */
export function proposalIdOf(text: string): string {
  const id = strip(text).toUpperCase();
  if (isUlid(id)) return id;
  throw new TheurianError("invalid-input", "Cannot find the proposal: its id is not a ULID", {
    remedy: "Give the 26-character id that `theurian propose list` shows.",
  });
}

/**
 * The proposal of this id, in whichever folder holds it. Throws `proposal-unusable` when none or
 * both do, or when what stands there is no directory.
 */
export function findProposal(paths: ProjectPaths, proposalId: string): ProposalEntry {
  for (const folder of [paths.proposals, paths.proposalsLocal]) refuseLinkedFolder(folder);
  const shared = describePath(join(paths.proposals, proposalId));
  const local = describePath(join(paths.proposalsLocal, proposalId));
  if (shared !== null && local !== null) {
    throw unusable(
      `both ${PROPOSALS} and ${LOCAL_PROPOSALS} hold it`,
      "Compare the two directories and delete the one that is not meant.",
    );
  }
  const facts = shared ?? local;
  if (facts === null) {
    throw unusable(
      `neither ${PROPOSALS} nor ${LOCAL_PROPOSALS} holds it`,
      "See what there is with `theurian propose list`.",
    );
  }
  const directory = proposalDirectory(proposalId, shared === null);
  if (facts.kind !== "directory") {
    throw unusable(
      `${directory} is a ${facts.kind}, not a directory`,
      "Delete it and draft the change again.",
    );
  }
  const path = join(shared === null ? paths.proposalsLocal : paths.proposals, proposalId);
  const files = listDirectory(path).filter((file) => MIGRATION_FILE_NAME.test(file.name));
  return {
    proposalId,
    local: shared === null,
    path,
    directory,
    migrationFiles: files.map((file) => file.name),
  };
}

/** A folder behind a link is somebody else's place, even inside the repository. */
function refuseLinkedFolder(folder: string): void {
  if (describePath(folder)?.kind !== "link") return;
  throw unusable(
    `.theurian/${basename(folder)} is a symbolic link`,
    "Put a directory in its place.",
  );
}

/** A refusal about one proposal as it stands (exit 1); nothing in it is shown that looks like a secret. */
export function unusable(reason: string, remedy: string, cause?: unknown): TheurianError {
  const shown = screenedReport(reason);
  return new TheurianError("proposal-unusable", `Cannot use the proposal: ${shown}`, {
    remedy,
    ...(cause === undefined ? {} : { cause }),
  });
}
