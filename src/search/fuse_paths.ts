/**
 * One order out of several ways of searching. Words lead; a weaker path moves a document by a little
 * or adds it behind, and never outvotes them (decision 20).
 *
 * @module
 */

import type { SimilarDocument } from "./rank_dense.ts";
import { byScore, type RankedDocument } from "./best_documents.ts";
import { PATH_WEIGHTS } from "./weights.ts";

/** Ways of searching, as they are published. */
export const PATHS = ["dense", "lexical", "substring", "summary"] as const;
export type SearchPath = typeof PATHS[number];

/** A document with its place in the answer. */
export interface FusedDocument {
  readonly document: number;
  /** What the order is made of; descending. */
  readonly score: number;
  /** The passage to show. */
  readonly ordinal: number;
  /** Ways that found it, in alphabetical order; never empty. */
  readonly foundBy: readonly SearchPath[];
}

/** Results of the single paths. */
export interface PathResults {
  readonly words: readonly RankedDocument[];
  /** True when words found more documents than are given: nothing comes behind these. */
  readonly isCut: boolean;
  readonly similar: ReadonlyMap<number, SimilarDocument>;
  readonly summarised: ReadonlySet<number>;
}

/** All documents that a path found, best first; equal scores in ascending item id. */
export function fusePaths({ words, isCut, similar, summarised }: PathResults): FusedDocument[] {
  if (similar.size === 0 && summarised.size === 0) return words.map(foundByWords).sort(byScore);
  const fused: FusedDocument[] = [];
  const placed = new Set<number>();
  for (const { document, score, ordinal, byWord, byPart } of words) {
    const dense = similar.get(document);
    const foundBy: SearchPath[] = dense === undefined ? [] : ["dense"];
    if (byWord) foundBy.push("lexical");
    if (byPart) foundBy.push("substring");
    if (summarised.has(document)) foundBy.push("summary");
    placed.add(document);
    fused.push({ document, score: score + denseShare(dense), ordinal, foundBy });
  }
  for (const [document, dense] of similar) {
    if (placed.has(document)) continue;
    const foundBy: SearchPath[] = summarised.has(document) ? ["dense", "summary"] : ["dense"];
    placed.add(document);
    fused.push({ document, score: denseShare(dense), ordinal: dense.ordinal, foundBy });
  }
  if (isCut) return fused.sort(byScore);
  const lowest = fused.reduce((least, { score }) => Math.min(least, score), 1);
  for (const document of summarised) {
    if (placed.has(document)) continue;
    const score = lowest * PATH_WEIGHTS.summary;
    fused.push({ document, score, ordinal: 0, foundBy: ["summary"] });
  }
  return fused.sort(byScore);
}

/** Where words alone found something, there is nothing to weigh it against. */
function foundByWords({ document, score, ordinal, byWord, byPart }: RankedDocument): FusedDocument {
  const foundBy: SearchPath[] = byWord ? ["lexical"] : [];
  if (byPart) foundBy.push("substring");
  return { document, score, ordinal, foundBy };
}

function denseShare(dense: SimilarDocument | undefined): number {
  return dense === undefined ? 0 : dense.similarity * PATH_WEIGHTS.dense;
}
