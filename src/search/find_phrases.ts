/**
 * Quoted words: which documents hold them side by side.
 *
 * @module
 */

import { forEachPosting, type Lexicon, postingsOf } from "../lexicon/mod.ts";
import { blobText, type Connection } from "../platform/sqlite/mod.ts";
import { type Query, sequenceOf } from "./query.ts";
import type { RankedDocument } from "./rank_words.ts";

/** Passages read to see whether words stand side by side; beyond them a phrase counts as words. */
const MOST_READ = 4000;

/**
 * The ranked documents that hold every phrase of the query, each with the ordinal of the first
 * passage that holds the first one (`null` when only the title does); `null` when no document does,
 * or nothing is quoted.
 */
export function documentsWithPhrases(
  connection: Connection,
  lexicon: Lexicon,
  query: Query,
  documents: readonly RankedDocument[],
): ReadonlyMap<number, number | null> | null {
  if (query.phrases.length === 0) return null;
  let holding: Map<number, number | null> | null = null;
  const ranked = new Set(documents.map((one) => one.document));
  for (const phrase of query.phrases) {
    const found = holdersOf(connection, lexicon, phrase, ranked);
    if (holding === null) holding = found;
    else for (const document of holding.keys()) if (!found.has(document)) holding.delete(document);
  }
  return holding!.size === 0 ? null : holding;
}

function holdersOf(
  connection: Connection,
  lexicon: Lexicon,
  phrase: readonly string[],
  ranked: ReadonlySet<number>,
): Map<number, number | null> {
  const { facts } = lexicon;
  const places = placesOfAll(connection, lexicon, phrase);
  const holders = new Map<number, number | null>();
  let read = 0;
  const isOpen = (document: number) =>
    ranked.has(document) && !holders.has(document) && read++ < MOST_READ;
  for (const row of places.passages) {
    const document = facts.documentOf[row]! - 1;
    if (isOpen(document) && passageHolds(connection, row, phrase)) {
      holders.set(document, row - facts.rows[document]!);
    }
  }
  for (const row of places.names) {
    const document = facts.documentOf[row]! - 1;
    if (isOpen(document) && titleHolds(connection, row, phrase)) holders.set(document, null);
  }
  return holders;
}

/** Rows of passages, and of documents by their names, that hold every word as it is spelt. */
function placesOfAll(connection: Connection, { facts }: Lexicon, phrase: readonly string[]) {
  const words = [...new Set(phrase)];
  const passages = new Map<number, number>();
  const names = new Map<number, number>();
  const countIn = (places: Map<number, number>) => (row: number) => {
    places.set(row, (places.get(row) ?? 0) + 1);
  };
  for (const word of words) {
    const term = postingsOf(connection, word);
    forEachPosting(term?.passages ?? null, facts.lastRow, countIn(passages));
    forEachPosting(term?.names ?? null, facts.lastRow, countIn(names));
  }
  const holdingAll = (places: ReadonlyMap<number, number>) =>
    [...places].filter(([, count]) => count === words.length).map(([row]) => row)
      .sort((a, b) => a - b);
  return { passages: holdingAll(passages), names: holdingAll(names) };
}

function passageHolds(connection: Connection, row: number, phrase: readonly string[]): boolean {
  const sql = "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id = ?";
  const chunk = connection.get<{ text: Uint8Array }>(sql, row);
  return chunk !== undefined && holds(sequenceOf(blobText(chunk.text)), phrase);
}

function titleHolds(connection: Connection, row: number, phrase: readonly string[]): boolean {
  const sql = "SELECT CAST(title AS BLOB) AS title FROM documents WHERE id = ?";
  const document = connection.get<{ title: Uint8Array }>(sql, row);
  return document !== undefined && holds(sequenceOf(blobText(document.title)), phrase);
}

function holds(sequence: readonly string[], phrase: readonly string[]): boolean {
  for (let from = sequence.indexOf(phrase[0]!); from >= 0;) {
    if (phrase.every((word, offset) => sequence[from + offset] === word)) return true;
    from = sequence.indexOf(phrase[0]!, from + 1);
  }
  return false;
}
