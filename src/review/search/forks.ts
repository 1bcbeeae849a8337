/**
 * A corpus that holds one repository under two spellings, which differ in case alone, is served once
 * a record: the copy of the later run wins (review.md, trap 49). Copies of one and the same run are
 * no respelling, and both are served.
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

/** Keeps the latest copy of each record. */
export function withoutForks(records: readonly StagedRecord[]): Unforked {
  const folders = sharedFolders(records);
  // A sound corpus has one folder a repository, and so no two copies of a record.
  if (folders.length === 0) return { served: records, dropped: [], folders };
  const served: StagedRecord[] = [];
  const dropped: StagedRecord[] = [];
  for (const group of Map.groupBy(records, identity).values()) {
    const latest = group.reduce((a, b) => compareRuns(a, b) < 0 ? b : a);
    for (const copy of group) (compareRuns(copy, latest) < 0 ? dropped : served).push(copy);
  }
  return { served, dropped, folders };
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

function compareRuns(a: StagedRecord, b: StagedRecord): number {
  return compareCodePoints(a.lastSeenAt, b.lastSeenAt) ||
    compareCodePoints(a.lastSeenRunId, b.lastSeenRunId);
}
