/**
 * Quoted words: which documents hold them side by side.
 *
 * @module
 */

import { forEachPosting, type Lexicon, postingsOfTerm } from "../lexicon/mod.ts";
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
  for (const passage of places.passages) {
    const document = facts.passageDocument[passage]!;
    if (!ranked.has(document) || holders.has(document) || read++ >= MOST_READ) continue;
    const ordinal = passage - facts.firstPassage[document]!;
    if (passageHolds(connection, facts.documentRows[document]! + ordinal, phrase)) {
      holders.set(document, ordinal);
    }
  }
  for (const document of places.documents) {
    if (!ranked.has(document) || holders.has(document) || read++ >= MOST_READ) continue;
    if (titleHolds(connection, facts.documentRows[document]!, phrase)) holders.set(document, null);
  }
  return holders;
}

/** Passages, and documents by their names, that hold every word of the phrase as it is spelt. */
function placesOfAll(connection: Connection, lexicon: Lexicon, phrase: readonly string[]) {
  const { facts, vocabulary } = lexicon;
  const words = [...new Set(phrase)];
  const passages = new Map<number, number>();
  const documents = new Map<number, number>();
  for (const word of words) {
    const id = vocabulary.idOf(word);
    const term = id === null ? null : postingsOfTerm(connection, id);
    if (term === null) return { passages: [], documents: [] };
    forEachPosting(term.passages, facts.passageCount, (passage) => {
      passages.set(passage, (passages.get(passage) ?? 0) + 1);
    });
    forEachPosting(term.names, facts.documentCount, (document) => {
      documents.set(document, (documents.get(document) ?? 0) + 1);
    });
  }
  const holdingAll = (places: ReadonlyMap<number, number>) =>
    [...places].filter(([, count]) => count === words.length).map(([place]) => place)
      .sort((a, b) => a - b);
  return { passages: holdingAll(passages), documents: holdingAll(documents) };
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
