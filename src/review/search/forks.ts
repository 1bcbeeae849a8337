/**
 * A corpus that holds one repository under two spellings, which differ in case alone, is served once
 * a record: the later run's copy wins (review.md, trap 49).
 *
 * @module
 */

import { compareCodePoints } from "../../platform/text.ts";
import type { StagedRecord } from "./store_writer.ts";

/** Records apart, after one copy of each was chosen. */
export interface Unforked {
  readonly served: readonly StagedRecord[];
  readonly dropped: readonly StagedRecord[];
  /** Folders below `.theurian/review/` that share a repository, in byte order. */
  readonly folders: readonly string[];
}

/** Chooses one copy of each record. */
export function withoutForks(records: readonly StagedRecord[]): Unforked {
  const served: StagedRecord[] = [];
  const dropped: StagedRecord[] = [];
  for (const group of Map.groupBy(records, identity).values()) {
    const [winner, ...others] = group.length === 1 ? group : group.sort(laterFirst);
    served.push(winner!);
    dropped.push(...others);
  }
  return { served, dropped, folders: sharedFolders(records) };
}

function sharedFolders(records: readonly StagedRecord[]): string[] {
  const folders = new Map<string, Set<string>>();
  for (const { provider, repository, path } of records) {
    const name = `${provider}\0${repository.toLowerCase()}`;
    const of = folders.get(name) ?? new Set();
    folders.set(name, of.add(path.slice(0, path.indexOf("/"))));
  }
  return [...folders.values()].filter((of) => of.size > 1).flatMap((of) => [...of])
    .sort(compareCodePoints);
}

function identity(record: StagedRecord): string {
  const repository = record.repository.toLowerCase();
  return [record.provider, repository, record.kind, record.recordKey].join("\0");
}

function laterFirst(a: StagedRecord, b: StagedRecord): number {
  return compareCodePoints(b.lastSeenAt, a.lastSeenAt) ||
    compareCodePoints(b.lastSeenRunId, a.lastSeenRunId) ||
    compareCodePoints(a.path, b.path);
}
