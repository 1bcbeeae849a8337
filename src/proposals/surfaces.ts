/**
 * What each surface lets a draft know about an item (proposals.md 3.2).
 *
 * @module
 */

import {
  checkGuards,
  inApplicationOrder,
  type ItemFacts,
  type MigrationSet,
  type Replay,
  replay,
  type Sensitivity,
  type StateReader,
  type Status,
  SURFACEABLE_STATUSES,
} from "../knowledge/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import type { DraftSurface, KnownItem } from "./model.ts";

/** A person's view: everything in `.theurian/migrations`, applied or not. */
export function commandLineSurface(set: MigrationSet): DraftSurface {
  let replayed: Replay | null = null;
  const named = new Set<string>();
  for (const { migration } of set.migrations) {
    for (const operation of migration.operations) {
      if (operation.op === "createItem" || operation.op === "upsertRevision") {
        named.add(operation.itemId);
      }
    }
  }
  return {
    speaks: "cli",
    item(itemId) {
      // A set that does not replay must not stop the draft of an item it does not hold.
      if (!named.has(itemId)) return null;
      replayed ??= replaySet(set);
      const traced = replayed.state.item(itemId);
      return traced === null ? null : known(traced.item);
    },
  };
}

function replaySet(set: MigrationSet): Replay {
  try {
    checkGuards(set, () => false);
    return replay(inApplicationOrder(set), null);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new TheurianError(
      "invalid-input",
      `Cannot draft a change of this item: the landed migrations do not replay: ${error.message}`,
      {
        remedy:
          "Repair .theurian/migrations first; `theurian migrate validate` says what is wrong.",
        cause: error,
      },
    );
  }
}

/**
 * A tool's view: the active state under the daemon's ceiling. A retired item and one above the
 * ceiling are absent, so that drafting tells nothing about what is withheld.
 */
export function toolSurface(
  reader: StateReader,
  sensitivities: readonly Sensitivity[],
): DraftSurface {
  return {
    speaks: "mcp",
    item(itemId) {
      const item = reader.item(itemId);
      if (item === null || isRetired(item.status)) return null;
      return sensitivities.includes(item.sensitivity) ? known(item) : null;
    },
  };
}

function known(item: ItemFacts): KnownItem {
  return {
    retired: isRetired(item.status),
    currentRevisionId: item.currentRevisionId,
    namespace: item.namespace,
    trustLevel: item.trustLevel,
    sensitivity: item.sensitivity,
  };
}

function isRetired(status: Status): boolean {
  return !(SURFACEABLE_STATUSES as readonly Status[]).includes(status);
}
