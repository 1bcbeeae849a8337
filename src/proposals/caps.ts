/**
 * Bounds on what waits for review, so that a looping client cannot fill the disk (proposals.md 1,
 * P7).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import type { ProjectConfiguration } from "../projects/mod.ts";
import { type ProposalEntry, treeBytes } from "./pending.ts";

/** Bounds of one project. */
export type ProposalCaps = Pick<
  ProjectConfiguration,
  "maxPendingProposals" | "maxPendingProposalBytes"
>;

/** What is about to be written. */
export interface ProposalLoad {
  readonly proposals: number;
  readonly bytes: number;
}

/**
 * Throws `proposals-full` when `more` would pass a bound. What was accepted or interrupted no longer
 * waits and counts in neither.
 */
export function checkCaps(
  entries: readonly ProposalEntry[],
  more: ProposalLoad,
  caps: ProposalCaps,
): void {
  const pending = entries.filter((entry) => entry.migrationFiles.length > 0);
  if (pending.length + more.proposals > caps.maxPendingProposals) {
    const allowed = `this project allows ${caps.maxPendingProposals}`;
    throw full(
      more.proposals === 1
        ? `${pending.length} proposals wait for review, and ${allowed}`
        : `${pending.length} proposals wait for review, this would add ${more.proposals}, and ${allowed}`,
      "proposals.maxPending",
    );
  }
  const held = pending.reduce((sum, entry) => sum + treeBytes(entry.path), 0);
  if (held + more.bytes > caps.maxPendingProposalBytes) {
    throw full(
      "the proposals that wait for review would take more disk than this project allows",
      "proposals.maxPendingBytes",
    );
  }
}

function full(reason: string, key: string): TheurianError {
  return new TheurianError("proposals-full", `Cannot draft: ${reason}`, {
    remedy: "Look at them with `theurian propose list`, then accept or discard some " +
      `(\`theurian propose accept ID\`, \`theurian propose discard ID\`), or raise \`${key}\` in .theurian/config.yaml.`,
  });
}
