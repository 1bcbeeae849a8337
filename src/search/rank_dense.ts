/**
 * The vector path: documents whose spelling patterns resemble the query's. Asked for by `useDense`
 * only; it looks at every vector.
 *
 * @module
 */

import { forEachCosine, queryVector, VECTOR_DIMENSION } from "../index/mod.ts";
import { admitsStatus, type Lexicon } from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";

/** A less similar passage is no finding (retrieval.md 5.5). */
const LEAST_SIMILARITY = 0.25;

/** The most similar passage of a document. */
export interface SimilarDocument {
  readonly similarity: number;
  readonly ordinal: number;
}

/** Vectors of a file larger than this, in bytes, are read again for each query. */
const MOST_KEPT_BYTES = 32 * 1024 * 1024;

interface VectorRow {
  readonly document: number;
  readonly width: number;
  readonly data: Uint8Array;
}

/** Vectors of published files, for as long as their connection is known to read the very same file. */
const keptRows = new WeakMap<object, readonly VectorRow[]>();

/** Every row of vectors; reading them takes longer than comparing them. */
function vectorRows(connection: Connection, lastRow: number): Iterable<VectorRow> {
  const kept = keptRows.get(connection.content);
  if (kept !== undefined) return kept;
  const rows = connection.iterate<VectorRow>("SELECT document, width, data FROM vectors");
  if (lastRow * VECTOR_DIMENSION > MOST_KEPT_BYTES) return rows;
  const all = [...rows];
  keptRows.set(connection.content, all);
  return all;
}

/** Similar documents by number in the word index; none for a query without words. */
export function rankDense(
  connection: Connection,
  { facts }: Lexicon,
  query: string,
  includeUnapproved: boolean,
): ReadonlyMap<number, SimilarDocument> {
  const vector = queryVector(query);
  const similar = new Map<number, SimilarDocument>();
  for (const row of vectorRows(connection, facts.lastRow)) {
    const document = (facts.documentOf[row.document] ?? 0) - 1;
    if (document < 0 || !admitsStatus(facts.statuses[document]!, includeUnapproved)) continue;
    forEachCosine(vector, row, (ordinal, similarity) => {
      const best = similar.get(document)?.similarity ?? LEAST_SIMILARITY;
      const isBetter = similar.has(document) ? similarity > best : similarity >= best;
      if (isBetter) similar.set(document, { similarity, ordinal });
    });
  }
  return similar;
}
