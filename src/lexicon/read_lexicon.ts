/**
 * Reading the word index of an index file. Values are checked where they are used: bytes that do not
 * fit together throw `RangeError`, which search answers with its scan.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { type LexiconFacts, type PackedFacts, unpackFacts } from "./lexicon_facts.ts";
import { PackedReader } from "./_packed_numbers.ts";
import { Vocabulary } from "./vocabulary.ts";

/** What is read once from a word index. */
export interface Lexicon {
  readonly facts: LexiconFacts;
  readonly vocabulary: Vocabulary;
}

/** A term's packed postings, as {@linkcode forEachPosting} reads them. */
export interface TermPostings {
  readonly id: number;
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
  readonly nodes: Uint8Array | null;
}

/** Reads the facts and the vocabulary; throws `RangeError` when there are none. */
export function readLexicon(connection: Connection): Lexicon {
  const row = connection.get<PackedFacts & { readonly vocabulary: string }>(
    "SELECT vocabulary, documents, passages, nodes FROM lexicon WHERE id = 1",
  );
  if (row === undefined) throw new RangeError("Cannot find the word index");
  return { facts: unpackFacts(row), vocabulary: new Vocabulary(row.vocabulary) };
}

/** Postings of every term with this stem, in ascending id. */
export function postingsOfStem(connection: Connection, stem: string): TermPostings[] {
  return connection.all<TermPostings>(
    "SELECT id, passages, names, nodes FROM terms WHERE stem = ? ORDER BY id",
    stem,
  );
}

/** Postings of one term. */
export function postingsOfTerm(connection: Connection, id: number): TermPostings | null {
  return connection.get<TermPostings>(
    "SELECT id, passages, names, nodes FROM terms WHERE id = ?",
    id,
  ) ?? null;
}

/**
 * Calls `visit` with each entry of a posting list in ascending place: for passages the counts in
 * text and in headings, for names those in the title and in the item id, for nodes the count and 0.
 */
export function forEachPosting(
  packed: Uint8Array | null,
  places: number,
  visit: (place: number, first: number, second: number) => void,
): void {
  if (packed === null) return;
  const reader = new PackedReader(packed);
  let place = -1;
  while (!reader.done) {
    place += reader.next();
    if (place >= places) throw new RangeError("Cannot read postings beyond the last place");
    const counts = reader.next();
    visit(place, counts >>> 1, (counts & 1) === 0 ? 0 : reader.next());
  }
}
