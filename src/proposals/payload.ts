/**
 * The answer to a draft (proposals.md 4.2).
 *
 * @module
 */

import { join } from "node:path/posix";
import {
  bodyDestination,
  contentFileOf,
  EVIDENCE_FILE,
  proposalDirectory,
  PROPOSED_KNOWLEDGE,
} from "./layout.ts";
import type { ContentProposal } from "./model.ts";

/** What the payload is computed from. */
export interface DraftedRevision {
  readonly proposalId: string;
  readonly local: boolean;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly revisionId: string;
  readonly expectedRevision: string | null;
  readonly tail: string;
  readonly contentSha256: string;
}

/** The twelve keys, in their order. */
export function contentPayload(
  drafted: DraftedRevision,
  nextSteps: readonly string[],
): ContentProposal {
  const directory = proposalDirectory(drafted.proposalId, drafted.local);
  return {
    proposalId: drafted.proposalId,
    proposalDirectory: directory,
    migrationId: drafted.migrationId,
    migrationFile: drafted.migrationFile,
    revisionId: drafted.revisionId,
    expectedRevision: drafted.expectedRevision,
    bodyFile: join(directory, PROPOSED_KNOWLEDGE, drafted.tail),
    evidenceFile: join(directory, EVIDENCE_FILE),
    contentFile: contentFileOf(drafted.tail),
    contentSha256: `sha256:${drafted.contentSha256}`,
    bodyDestination: bodyDestination(drafted.tail),
    nextSteps,
  };
}

/** What a tool's caller is told: nothing is approved yet, and who does what next. */
export function toolNextSteps(proposalId: string): readonly string[] {
  return [
    "Nothing is approved: this is a proposal that waits for a person.",
    `A person runs \`theurian propose accept ${proposalId}\`, which moves its files into place and opens them to review.`,
    "Merging that change in Git approves it; `theurian migrate apply` and `theurian index build` then make it served.",
  ];
}
