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
  type Migration,
  type MigrationSet,
  type Replay,
  replay,
  SENSITIVITIES,
  SURFACEABLE_STATUSES,
} from "../knowledge/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { unusable } from "./find_proposal.ts";
import { laterWriters, orderRemedy, refuseLowering, refuseNewMoves } from "./move_checks.ts";
import type { ReadProposal } from "./read_proposal.ts";

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
  refuseUndoneTightening(after.value.replay, migration, union);
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
      `Cannot accept the proposal: the landed migrations do not replay, with or without it: ${landed.message}`,
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

/**
 * A landed migration that replays after the proposal and leaves a label looser than the proposal
 * left it would undo in silence what is being reviewed.
 */
function refuseUndoneTightening(after: Replay, proposal: Migration, union: MigrationSet): void {
  const written = new Set(
    proposal.operations.flatMap((operation) => "itemId" in operation ? [operation.itemId] : []),
  );
  const later = laterWriters(proposal, union, written);
  if (later.length === 0) return;
  const order = inApplicationOrder(union);
  const end = order.findIndex((loaded) => loaded.migration.id === proposal.id) + 1;
  const left = replay(order.slice(0, end), null);
  for (const itemId of written) {
    const then = left.state.items.get(itemId)?.item;
    const finally_ = after.state.items.get(itemId)?.item;
    if (then === undefined || finally_ === undefined) continue;
    const looser =
      SENSITIVITIES.indexOf(finally_.sensitivity) < SENSITIVITIES.indexOf(then.sensitivity) ||
      (!isSurfaceable(then.status) && isSurfaceable(finally_.status));
    if (!looser) continue;
    throw unusable(
      `a migration that replays after it (${
        later.join(", ")
      }) leaves ${itemId} looser than it does`,
      orderRemedy(proposal, later),
    );
  }
}

function isSurfaceable(status: string): boolean {
  return (SURFACEABLE_STATUSES as readonly string[]).includes(status);
}
