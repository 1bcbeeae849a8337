/**
 * What the whole set would be with the proposal in place (proposals.md 6.4 to 6.6). Nothing is
 * written: the set is joined and replayed in memory, by the very code that apply runs.
 *
 * @module
 */

import {
  checkGuards,
  inApplicationOrder,
  joinMigration,
  type MigrationSet,
  parseMigration,
  type Replay,
  replay,
} from "../knowledge/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { unusable } from "./find_proposal.ts";
import { refuseLowering, refuseNewMoves, refuseUndoneLabels } from "./move_checks.ts";
import type { ReadProposal } from "./read_proposal.ts";
import { screenedReport } from "./_screened.ts";

/** Where the migration would land. */
export function landingPath(proposal: ReadProposal): string {
  return `.theurian/migrations/${proposal.migrationFile}`;
}

/**
 * Refuses a proposal that would not replay, or that would loosen a label. Throws
 * `proposal-unusable` (1), and `migration-set-invalid` (4) when the landed set alone does not
 * replay either.
 */
export function rehearse(landed: MigrationSet, proposal: ReadProposal): void {
  refuseInvalid(proposal);
  const before = attempt(() => replaySet(landed));
  const after = attempt(() => {
    const union = joinMigration(landed, {
      path: landingPath(proposal),
      bytes: proposal.bytes,
      bodies: proposal.byContentFile,
    });
    return { union, replay: replaySet(union) };
  });
  if (after.fault !== null) throw unionFault(after.fault, before.fault);
  if (before.fault !== null) {
    throw unusable(
      `the landed migrations do not replay without it: ${before.fault.message}`,
      "Make the landed set replay on its own first: run `theurian migrate validate`.",
      before.fault,
    );
  }
  const { union } = after.value;
  const migration = union.byId.get(proposal.document.id as string)!.migration;
  refuseLowering(before.value, after.value.replay);
  refuseNewMoves(before.value, after.value.replay, migration, union);
  refuseUndoneLabels(after.value.replay, migration, union);
}

/** A document that is no migration is this proposal's own fault, however the landed set fares. */
function refuseInvalid({ document }: ReadProposal): void {
  const [fault] = parseMigration(document).faults;
  if (fault === undefined) return;
  throw unusable(
    `its migration breaks a rule at ${fault.location}: ${fault.rule}`,
    "Correct the proposal's migration, or draft the change again.",
  );
}

type Attempt<T> =
  | { readonly value: T; readonly fault: null }
  | { readonly value: null; readonly fault: TheurianError };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work(), fault: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { value: null, fault: error };
  }
}

function replaySet(set: MigrationSet): Replay {
  checkGuards(set, () => false);
  return replay(inApplicationOrder(set), null);
}

function unionFault(union: TheurianError, landed: TheurianError | null): TheurianError {
  if (landed !== null) {
    return new TheurianError(
      "migration-set-invalid",
      `Cannot accept the proposal: the landed migrations do not replay, with or without it: ${
        screenedReport(landed.message)
      }`,
      {
        remedy:
          "Repair .theurian/migrations first (`theurian migrate validate` says what is wrong); " +
          "do not draft this change again.",
        cause: landed,
      },
    );
  }
  if (union.fault === "revision-conflict") {
    return unusable(
      `it no longer fits: ${union.message}`,
      "Draft the change again on the current revision; a retired item needs a reviewed `restoreItem` migration first.",
      union,
    );
  }
  return unusable(
    `it would not apply: ${union.message}`,
    "Correct the proposal's migration, or draft the change again.",
    union,
  );
}
