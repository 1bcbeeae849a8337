/**
 * The commit of an acceptance (proposals.md 6.2). The caller holds the write lock from before the
 * checks to after the clean-up, so nothing else lands or rolls back meanwhile.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  createFile,
  ensureDirectory,
  readRegularFile,
  removeFile,
  replaceFile,
} from "../platform/files/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import type { ReadProposal } from "./read_proposal.ts";
import { screenedName } from "./_screened.ts";

/** Undoes one step of the commit. */
type Undo = () => void;

/**
 * Lands the bodies, then the migration; the bytes are those that were checked. On a failure what
 * was created is removed and what was replaced is put back. Throws `file-not-writable` and the like
 * with exit 1, `proposal-accepted` (4) when the migration's name was taken meanwhile.
 */
export function moveIntoPlace(paths: ProjectPaths, proposal: ReadProposal): void {
  const undo: Undo[] = [];
  try {
    ensureDirectory(paths.migrations, { label: ".theurian/migrations" });
    for (const body of proposal.bodies) undo.push(landBody(body));
    createWhole(join(paths.migrations, proposal.migrationFile), proposal.bytes, "its migration");
  } catch (error) {
    rollBack(undo);
    throw landingFault(error);
  }
}

function landBody(body: ReadProposal["bodies"][number]): Undo {
  const { destination, bytes } = body;
  const landsAt = screenedName(body.landsAt);
  ensureDirectory(dirname(destination), { label: dirname(landsAt) });
  if (!body.replaces) {
    createWhole(destination, bytes, landsAt);
    return () => removeFile(destination);
  }
  const former = readRegularFile(destination, { label: landsAt });
  const putBack = () => replaceFile(destination, former, { mode: 0o644, label: landsAt });
  try {
    replaceFile(destination, bytes, { mode: 0o644, label: landsAt });
  } catch (error) {
    rollBack([putBack]);
    throw error;
  }
  return putBack;
}

/**
 * Creates the file, or leaves none: a failure after the file appeared, as of the flush of its
 * directory, takes it away again. A file that somebody else put there is never touched.
 */
function createWhole(path: string, bytes: Uint8Array, label: string): void {
  try {
    createFile(path, bytes, { mode: 0o644, label });
  } catch (error) {
    if (!isFault(error, "file-exists")) rollBack([() => removeFile(path)]);
    throw error;
  }
}

/** Best effort: a step that cannot be undone must not keep the others from being undone. */
function rollBack(undo: readonly Undo[]): void {
  for (const step of [...undo].reverse()) {
    try {
      step();
    } catch (error) {
      if (!isFault(error)) throw error;
    }
  }
}

function landingFault(error: unknown): unknown {
  if (!isFault(error)) return error;
  if (error.fault === "file-exists") {
    return new TheurianError(
      "proposal-accepted",
      "Cannot accept the proposal: a file with the name of its migration or body appeared meanwhile",
      { remedy: "Look at `theurian migrate status`, then accept it again.", cause: error },
    );
  }
  return new TheurianError(error.fault, error.message, {
    remedy: error.remedy,
    exit: 1,
    cause: error,
  });
}

/**
 * Removes what was moved from the proposal's directory; the evidence stays. False when something
 * could not be removed.
 */
export function clearProposal(proposal: ReadProposal): boolean {
  let cleared = true;
  const sources = proposal.bodies.map((body) => body.source);
  // The migration goes last: while it stands, the proposal is seen to be accepted already.
  for (const path of [...sources, join(proposal.entry.path, proposal.migrationFile)]) {
    try {
      removeFile(path);
    } catch (error) {
      if (!isFault(error)) throw error;
      cleared = false;
    }
  }
  return cleared;
}
