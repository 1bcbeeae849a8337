/**
 * One proposal against what stands now, as a reviewer reads it (cli-and-plugins.md 3.2).
 *
 * @module
 */

import {
  checkGuards,
  inApplicationOrder,
  joinMigration,
  type MigrationSet,
  type PermissiveMove,
  type Replay,
  replay,
} from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { readEvidenceRecord } from "./_evidence_record.ts";
import { changesOf, type ProposedChange } from "./changes.ts";
import { unusable } from "./find_proposal.ts";
import type { ProposalEntry } from "./pending.ts";
import { type ProposalState, stateOf } from "./proposal_state.ts";
import { type ReadProposal, readProposal } from "./read_proposal.ts";
import { landingPath } from "./rehearse.ts";

/** One proposal as a reviewer reads it. */
export interface ShownProposal {
  readonly proposalId: string;
  readonly state: ProposalState;
  readonly proposalDirectory: string;
  readonly migrationId: string;
  readonly author: string;
  readonly createdAt: string;
  readonly description: string | null;
  readonly operations: readonly string[];
  readonly changes: readonly ProposedChange[];
  /** Rows that the proposal adds to the report of the whole set. */
  readonly permissiveMoves: readonly PermissiveMove[];
  readonly evidence: Readonly<Record<string, unknown>> | null;
}

/**
 * Shows a pending proposal against the landed set. Throws `proposal-unusable` (1) for one that is
 * not pending or cannot be read, and what replaying the landed set throws (4).
 */
export function showProposal(
  paths: ProjectPaths,
  entry: ProposalEntry,
  landed: MigrationSet,
): ShownProposal {
  const state = stateOf(paths, entry, landed)!;
  if (state !== "pending") {
    throw unusable(
      `it is ${state}, there is nothing left to show`,
      "See the landed migrations with `git log -p -- .theurian/migrations`.",
    );
  }
  const proposal = readProposal(paths, entry, landed);
  const union = joined(landed, proposal);
  const migration = union.byId.get(proposal.document["id"] as string)!.migration;
  checkGuards(landed, () => false);
  const before = replay(inApplicationOrder(landed), null);
  const evidence = readEvidenceRecord(entry.path);
  return {
    proposalId: entry.proposalId,
    state,
    proposalDirectory: entry.directory,
    migrationId: migration.id,
    author: migration.author,
    createdAt: migration.createdAt,
    description: migration.description,
    operations: migration.operations.map((operation) => operation.op),
    changes: changesOf(migration, before, landed, proposal),
    permissiveMoves: newMoves(before, union),
    evidence: evidence === "unreadable" ? null : evidence,
  };
}

/** What would not load as a migration is this proposal's fault, not the landed set's. */
function joined(landed: MigrationSet, proposal: ReadProposal): MigrationSet {
  try {
    return joinMigration(landed, {
      path: landingPath(proposal),
      bytes: proposal.bytes,
      bodies: proposal.byContentFile,
    });
  } catch (error) {
    if (!isFault(error)) throw error;
    throw unusable(
      `it would not load: ${error.message}`,
      "Correct the proposal, or draft the change again.",
      error,
    );
  }
}

/** A set that would not replay has no report; accepting says what is wrong with it. */
function newMoves(before: Replay, union: MigrationSet): readonly PermissiveMove[] {
  try {
    const known = new Set(before.permissiveMoves.map((move) => JSON.stringify(move)));
    return replay(inApplicationOrder(union), null).permissiveMoves
      .filter((move) => !known.has(JSON.stringify(move)));
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}
