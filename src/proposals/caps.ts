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

/**
 * Throws `proposals-full` when one more proposal of `bytes` would pass a bound. Proposals that were
 * accepted or interrupted count by bytes only.
 */
export function checkCaps(
  entries: readonly ProposalEntry[],
  bytes: number,
  caps: ProposalCaps,
): void {
  const pending = entries.filter((entry) => entry.migrationFiles.length > 0).length;
  if (pending >= caps.maxPendingProposals) {
    throw full(
      `${pending} proposals wait for review, which is the most this project allows`,
      "proposals.maxPending",
    );
  }
  const held = entries.reduce((sum, entry) => sum + treeBytes(entry.path), 0);
  if (held + bytes > caps.maxPendingProposalBytes) {
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
