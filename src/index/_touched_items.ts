/**
 * Which items can differ between an earlier build's state and the applied one, told from the
 * migrations alone: where a state's history begins with that of the build, only items that the rest
 * names can have changed. Everything else is compared item by item.
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import type { MigrationSet, StateReader } from "../knowledge/mod.ts";
import type { BuildFacts, HistoryMark } from "./build_facts.ts";

type History = ReturnType<StateReader["history"]>;

/** The mark of a whole history. */
export function markOf(history: History): HistoryMark {
  return {
    count: history.length,
    sha256: sha256Hex(
      history.map(({ migrationId, checksum }) => `${migrationId} ${checksum}\n`).join(""),
    ),
  };
}

/**
 * Ids of the items that may differ, or `null` when that cannot be told: the histories part, nothing
 * was applied since (then the build was asked for to be sure), a migration's file is not the applied
 * one, or a purge took out an item that the rest does not name. `set` holds the files on disk.
 */
export function touchedSince(
  facts: Pick<BuildFacts, "history" | "purged">,
  history: History,
  set: MigrationSet,
): readonly string[] | null {
  const { count, sha256 } = facts.history;
  if (count >= history.length || markOf(history.slice(0, count)).sha256 !== sha256) return null;
  const touched = new Set<string>();
  for (const { migrationId, checksum } of history.slice(count)) {
    const loaded = set.byId.get(migrationId);
    if (loaded === undefined || loaded.checksum !== checksum) return null;
    for (const operation of loaded.migration.operations) {
      if ("itemId" in operation) touched.add(operation.itemId);
    }
  }
  const digests = new Set([...touched].map(purgedDigest));
  return facts.purged.every((digest) => digests.has(digest)) ? [...touched] : null;
}

/** How a purge remembers an item. */
export function purgedDigest(itemId: string): string {
  return sha256Hex(itemId);
}
