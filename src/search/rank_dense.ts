/**
 * The vector path: documents whose spelling patterns resemble the query's. Asked for by `useDense`
 * only; it looks at every vector.
 *
 * @module
 */

import { forEachCosine, sumGrams, VECTOR_DIMENSION } from "../index/mod.ts";
import { admitsStatus, type Lexicon } from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";

/** A less similar passage is no finding (retrieval.md 5.5). */
const LEAST_SIMILARITY = 0.25;

/** The most similar passage of a document. */
export interface SimilarDocument {
  readonly similarity: number;
  readonly ordinal: number;
}

/** Similar documents by number in the word index; none for a query without words. */
export function rankDense(
  connection: Connection,
  { facts }: Lexicon,
  query: string,
  includeUnapproved: boolean,
): ReadonlyMap<number, SimilarDocument> {
  const sums = new Int32Array(VECTOR_DIMENSION);
  sumGrams(query, sums);
  const similar = new Map<number, SimilarDocument>();
  const rows = connection.iterate<{ document: number; width: number; data: Uint8Array }>(
    "SELECT document, width, data FROM vectors",
  );
  for (const row of rows) {
    const document = (facts.documentOf[row.document] ?? 0) - 1;
    if (document < 0 || !admitsStatus(facts.statuses[document]!, includeUnapproved)) continue;
    forEachCosine(sums, row, (ordinal, similarity) => {
      const best = similar.get(document)?.similarity ?? LEAST_SIMILARITY;
      const isBetter = similar.has(document) ? similarity > best : similarity >= best;
      if (isBetter) similar.set(document, { similarity, ordinal });
    });
  }
  return similar;
}
