/**
 * Puts a drafted proposal on disk: built out of sight, then renamed, so that a crash leaves either
 * the whole proposal or nothing (proposals.md 2.1).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  createTree,
  describePath,
  ensureDirectory,
  renamePath,
  syncDirectory,
} from "../platform/files/mod.ts";
import { type ProjectPaths, updateGitignore } from "../projects/mod.ts";
import { EVIDENCE_FILE, LOCAL_PROPOSALS, PROPOSALS, PROPOSED_KNOWLEDGE } from "./layout.ts";
import { asidePath, removeLeftovers, removeQuietly } from "./_set_aside.ts";

/** The files of a new proposal. */
export interface StagedProposal {
  readonly proposalId: string;
  readonly local: boolean;
  readonly bodies: readonly { readonly tail: string; readonly bytes: Uint8Array }[];
  readonly evidence: string;
  readonly migrationFile: string;
  readonly migration: string;
}

/**
 * Writes the proposal. The caller holds the project's write lock, so whatever stands in the staging
 * place is a leftover of a killed draft and is removed. Throws `file-not-writable`,
 * `directory-expected`, `path-escape`, `invalid-input`; nothing of the proposal is left then.
 */
export function stageProposal(paths: ProjectPaths, proposal: StagedProposal): void {
  const folder = proposal.local ? paths.proposalsLocal : paths.proposals;
  refuseLinkedFolder(folder, proposal.local);
  if (proposal.local) ensureIgnored(paths);
  removeLeftovers(paths);
  const target = join(folder, proposal.proposalId);
  const staging = asidePath(paths, "draft", proposal.proposalId);
  let written = staging;
  try {
    ensureDirectory(folder);
    refuseOccupied(target);
    writeFiles(staging, proposal);
    renamePath(staging, target);
    written = target;
    syncDirectory(folder);
  } catch (error) {
    removeQuietly(written);
    throw stagingFault(error);
  }
}

/** A disk that is full or read-only says nothing about the knowledge: exit 1. */
function stagingFault(error: unknown): unknown {
  if (!isFault(error, "file-not-writable")) return error;
  const { fault, message, remedy } = error;
  return new TheurianError(fault, message, { remedy, exit: 1, cause: error });
}

/** A link, even one inside the repository, would let a draft write among migrations or bodies. */
function refuseLinkedFolder(folder: string, local: boolean): void {
  if (describePath(folder)?.kind !== "link") return;
  throw new TheurianError(
    "path-escape",
    `Cannot draft: ${local ? LOCAL_PROPOSALS : PROPOSALS} is a symbolic link`,
    { remedy: "Put a directory in its place, then draft again." },
  );
}

function writeFiles(staging: string, proposal: StagedProposal): void {
  const encoder = new TextEncoder();
  const files = new Map<string, Uint8Array>();
  for (const { tail, bytes } of proposal.bodies) files.set(`${PROPOSED_KNOWLEDGE}/${tail}`, bytes);
  files.set(EVIDENCE_FILE, encoder.encode(proposal.evidence));
  // The migration is what makes a proposal complete, so it comes last.
  files.set(proposal.migrationFile, encoder.encode(proposal.migration));
  createTree(staging, files, { mode: 0o666, flush: true, label: "the proposal" });
}

function refuseOccupied(target: string): void {
  if (describePath(target) === null) return;
  throw new TheurianError("file-exists", "Cannot draft: something stands at the proposal's place", {
    remedy: "Draft again; a new proposal gets a new id.",
  });
}

/** A local draft must not reach Git by accident (proposals.md 3.4). */
function ensureIgnored(paths: ProjectPaths): void {
  try {
    updateGitignore(paths.root);
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    // A tool may write proposals only, so the rule has to stand there already.
    const remedy = cause.fault === "file-not-writable"
      ? "Run `theurian init` in the project, which adds the ignore rule, then draft again."
      : cause.remedy;
    throw new TheurianError("invalid-input", `Cannot draft locally: ${uncapitalised(cause)}`, {
      remedy,
      cause,
    });
  }
}

function uncapitalised({ message }: TheurianError): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
