/**
 * Reading the word index of an index file. Values are checked where they are used: bytes that do not
 * fit together throw `RangeError`, which search answers with its scan.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { readFactRows } from "./_fact_rows.ts";
import { readVocabulary } from "./_vocabulary_rows.ts";
import { type LexiconFacts, readFacts } from "./lexicon_facts.ts";
import type { PostingList } from "./postings.ts";
import { Vocabulary } from "./vocabulary.ts";

/** What is read once from a word index. */
export interface Lexicon {
  readonly facts: LexiconFacts;
  readonly vocabulary: Vocabulary;
}

/** A term's posting lists, as `forEachPosting()` reads them. */
export interface TermPostings {
  readonly term: string;
  readonly passages: PostingList;
  readonly names: PostingList;
}

/** Reads the facts and the vocabulary; throws `RangeError` when some of it is missing. */
export function readLexicon(connection: Connection): Lexicon {
  const counts = connection.get<{ readonly documents: number; readonly terms: number }>(
    "SELECT documents, terms FROM lexicon WHERE id = 1",
  );
  if (counts === undefined) throw new RangeError("Cannot find the word index");
  const facts = readFacts(readFactRows(connection));
  const vocabulary = new Vocabulary(readVocabulary(connection));
  if (facts.count === counts.documents && vocabulary.size === counts.terms) {
    return { facts, vocabulary };
  }
  throw new RangeError("Cannot read a word index of which a part is missing");
}

interface TermRow {
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
}

/** The postings of one term, or `null` when it is unknown. */
export function postingsOf(connection: Connection, term: string): TermPostings | null {
  const rows = connection.all<TermRow>(
    "SELECT passages, names FROM terms WHERE term = ? ORDER BY part",
    term,
  );
  if (rows.length === 0) return null;
  return {
    term,
    passages: rows.map((row) => row.passages).filter((part) => part !== null),
    names: rows.map((row) => row.names).filter((part) => part !== null),
  };
}
