/**
 * Answering without an index: the query as one piece of text, looked for in what the caller may see
 * (retrieval.md 6.2).
 *
 * @module
 */

import type { Item, Revision, StateReader } from "../knowledge/mod.ts";
import { strip } from "../platform/text.ts";
import { isValidAt } from "./as_of.ts";
import type { Visibility } from "./gate.ts";

/** What the scan found. */
export interface ScanResult {
  /** In ascending item id, at most `limit`. */
  readonly found: readonly { readonly item: Item; readonly revision: Revision }[];
  /** True when the moment asked for left out something that matches. */
  readonly leftOutByMoment: boolean;
}

/** Looks through the visible items until `limit` are found. Hidden rows are never materialised. */
export function scanState(
  reader: StateReader,
  query: string,
  visibility: Visibility,
  asOf: bigint | null,
  limit: number,
): ScanResult {
  const needle = strip(query).toLowerCase();
  const found: { item: Item; revision: Revision }[] = [];
  let leftOutByMoment = false;
  for (const item of reader.items(visibility)) {
    if (found.length === limit) break;
    if (item.currentRevisionId === null) continue;
    const revision = reader.currentRevision(item)!;
    if (!`${revision.title}\n${revision.body}`.toLowerCase().includes(needle)) continue;
    if (asOf === null || isValidAt(revision, asOf)) found.push({ item, revision });
    else leftOutByMoment = true;
  }
  return { found, leftOutByMoment };
}
