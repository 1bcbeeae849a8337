/**
 * Reading the word index of an index file. Values are checked where they are used: bytes that do not
 * fit together throw `RangeError`, which search answers with its scan.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { type LexiconFacts, readFacts } from "./lexicon_facts.ts";
import { Vocabulary } from "./vocabulary.ts";

/** What is read once from a word index. */
export interface Lexicon {
  readonly facts: LexiconFacts;
  readonly vocabulary: Vocabulary;
}

/** A term's posting lists, as `forEachPosting()` reads them. */
export interface TermPostings {
  readonly term: string;
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
}

/** Reads the facts and the vocabulary; throws `RangeError` when there are none. */
export function readLexicon(connection: Connection): Lexicon {
  const row = connection.get<{ readonly vocabulary: string; readonly documents: Uint8Array }>(
    "SELECT vocabulary, documents FROM lexicon WHERE id = 1",
  );
  if (row === undefined) throw new RangeError("Cannot find the word index");
  return { facts: readFacts(row.documents), vocabulary: new Vocabulary(row.vocabulary) };
}

/** The postings of one term, or `null` when it is unknown. */
export function postingsOf(connection: Connection, term: string): TermPostings | null {
  return connection.get<TermPostings>(
    "SELECT term, passages, names FROM terms WHERE term = ?",
    term,
  ) ?? null;
}
