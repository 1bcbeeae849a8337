/**
 * The knowledge result that search and get share (retrieval.md section 3).
 *
 * @module
 */

import { type Item, type Revision, type SourceAnchor } from "../knowledge/mod.ts";
import type { JsonObject } from "../platform/json.ts";
import { instantOf } from "../platform/timestamp.ts";
import { isValidAt } from "./as_of.ts";

/** The labels that every knowledge-bearing row carries; frozen, so that nothing can change them. */
export const SAFETY = Object.freeze({
  contentClassification: "untrusted-knowledge",
  mayContainInstructions: true,
  executable: false,
});

const MICROSECONDS_A_DAY = 86_400_000_000n;

/** The shared keys; `moment` is in microseconds since the epoch. */
export function shapeResult(
  item: Item,
  revision: Revision,
  excerpt: string,
  moment: bigint,
): JsonObject {
  return {
    itemId: item.itemId,
    revisionId: revision.revisionId,
    title: revision.title,
    excerpt,
    contentType: revision.contentType,
    status: item.status,
    trustLevel: revision.trustLevel,
    sensitivity: item.sensitivity,
    freshness: {
      revisionCreatedAt: revision.createdAt,
      isWithinValidity: isValidAt(revision, moment),
      ageDays: ageDays(revision.createdAt, moment),
    },
    sourceAnchors: revision.sourceAnchors.map(shownAnchor),
    ...SAFETY,
  };
}

/** Whole days from `createdAt` to the moment, 0 when that lies before. */
function ageDays(createdAt: string, moment: bigint): number {
  const age = moment - instantOf(createdAt);
  return age <= 0n ? 0 : Number(age / MICROSECONDS_A_DAY);
}

/** Seven keys, absent facts as null; the blob and the provider's own id are never published. */
function shownAnchor(anchor: SourceAnchor): JsonObject {
  const { provider, sourceUri, repository, commitSha, filePath, lineStart, lineEnd } = anchor;
  return { provider, sourceUri, repository, commitSha, filePath, lineStart, lineEnd };
}
