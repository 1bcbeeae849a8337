/**
 * What the published index says about a query, before anything is asked of canonical state.
 *
 * @module
 */

import { EMBEDDING_MODEL, type PublishedIndex } from "../index/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { blobText, type Connection, ContentMemo } from "../platform/sqlite/mod.ts";
import { lexiconOf } from "./_lexicon_cache.ts";
import { passageIn } from "./_stored_text.ts";
import { type FusedDocument, fusePaths } from "./fuse_paths.ts";
import type { IndexedDocument } from "./gate.ts";
import type { Query } from "./query.ts";
import { rankDense, type SimilarDocument } from "./rank_dense.ts";
import { rankWords, type WordRanking } from "./rank_words.ts";
import {
  type Ancestry,
  ancestryOf,
  documentsUnderSummaries,
  raiseSummarised,
} from "./summaries.ts";
import { MOST_RESULTS, PATH_WEIGHTS, type WordWeights } from "./weights.ts";

/** How a query is put to an index. */
export interface RankOptions {
  readonly includeUnapproved: boolean;
  readonly useDense: boolean;
  readonly weights?: WordWeights;
  /** As many of the best documents are enough, at least 20; all of them unless given. */
  readonly most?: number;
}

/** A document of the index with what the gate and the answer need of it. */
export interface DocumentRow extends IndexedDocument {
  readonly row: number;
  readonly title: string;
  readonly status: string;
  readonly sensitivity: string;
}

/** The order of an index for one query. Every read of it goes through here. */
export interface IndexRanking {
  readonly documents: readonly FusedDocument[];
  /** True when only the best documents are given and there are more. */
  readonly isCut: boolean;
  readonly words: WordRanking;
  readonly similar: ReadonlyMap<number, SimilarDocument>;
  /** Model whose vectors were compared; `""` when none were. */
  readonly embeddingModel: string;
  row(document: number): DocumentRow;
  /** Text of the passage to show; `""` when it is not there. */
  passage(document: FusedDocument): string;
  ancestry(row: DocumentRow): Ancestry | null;
}

/**
 * Ranks the documents of a published index. This and every function of the answer throw
 * `index-unusable` when the index cannot be read or its values do not fit together.
 */
export function rankIndex(
  published: PublishedIndex,
  query: Query,
  options: RankOptions,
): IndexRanking {
  const { connection, metadata } = published;
  return readingIndex(() => {
    const lexicon = lexiconOf(connection);
    const { includeUnapproved } = options;
    const { weights, useDense } = options;
    const hasForest = metadata.nodeCount > 0;
    // A vector may bring any document before the best ones.
    const most = useDense ? Infinity : options.most ?? Infinity;
    const words = rankWords(
      connection,
      lexicon,
      query,
      includeUnapproved,
      weights,
      { most, raise: hasForest ? PATH_WEIGHTS.ownSummary : 1 },
    );
    const modelFits = metadata.embeddingModel === "" || metadata.embeddingModel === EMBEDDING_MODEL;
    const embeddingModel = useDense && modelFits ? EMBEDDING_MODEL : "";
    const similar = embeddingModel === ""
      ? new Map<number, SimilarDocument>()
      : rankDense(connection, lexicon, query.text, includeUnapproved);
    const summarised = hasForest
      ? documentsUnderSummaries(connection, lexicon, words.found, includeUnapproved)
      : new Set<number>();
    const raised = hasForest
      ? raiseSummarised(connection, lexicon, words, most === Infinity ? MOST_RESULTS : most)
      : words.documents;
    const rowOf = (document: number) => lexicon.facts.rows[document]!;
    return {
      documents: fusePaths({ words: raised, isCut: words.isCut, similar, summarised }),
      isCut: words.isCut,
      words,
      similar,
      embeddingModel,
      row: (document) => readingIndex(() => readRow(published, rowOf(document))),
      passage: ({ document, ordinal }) =>
        words.texts.get(rowOf(document) + ordinal) ??
          readingIndex(() => passageIn(connection, rowOf(document) + ordinal).text),
      ancestry: (row) =>
        hasForest ? readingIndex(() => ancestryOf(connection, row, words.found)) : null,
    };
  });
}

/** Turns whatever reading an index throws into one fault; the cause stays with it. */
function readingIndex<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isFault(error, "index-unusable")) throw error;
    throw new TheurianError("index-unusable", "Cannot read the published index", {
      remedy: "Run: theurian index build",
      cause: error,
    });
  }
}

interface StoredRow {
  readonly item_id: string;
  readonly revision_id: string;
  readonly title: Uint8Array;
  readonly served_sha256: string;
  readonly status: string;
  readonly sensitivity: string;
}

/** Rows that answers ask for again and again, of one file. */
const documentRows = new ContentMemo<DocumentRow>(4096);

function readRow({ connection }: PublishedIndex, row: number): DocumentRow {
  return documentRows.get(connection, row, () => readStoredRow(connection, row));
}

function readStoredRow(connection: Connection, row: number): DocumentRow {
  const stored = connection.get<StoredRow>(
    "SELECT item_id, revision_id, CAST(title AS BLOB) AS title, served_sha256, status, sensitivity " +
      "FROM documents WHERE id = ?",
    row,
  );
  if (stored === undefined) throw new RangeError("Cannot find a document of the index");
  return {
    row,
    itemId: stored.item_id,
    revisionId: stored.revision_id,
    title: blobText(stored.title),
    servedSha256: stored.served_sha256,
    status: stored.status,
    sensitivity: stored.sensitivity,
  };
}
