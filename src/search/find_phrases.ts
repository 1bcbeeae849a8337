/**
 * Quoted words: which documents hold them side by side.
 *
 * @module
 */

import {
  forEachPosting,
  hasNonAscii,
  type Lexicon,
  postingBytes,
  postingsOf,
  readableText,
  type TermPostings,
} from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import { passageIn, titleIn } from "./_stored_text.ts";
import { type Query, sequenceOf } from "./query.ts";
import type { RankedDocument } from "./best_documents.ts";
import { MOST_RESULTS } from "./weights.ts";

/** Passages read to see whether words stand side by side; beyond them a phrase counts as words. */
const MOST_READ = 4000;
/** Documents with the phrase that are told apart from those without; more are never shown. */
const MOST_HOLDERS = 4 * MOST_RESULTS;

/**
 * The best ranked documents that hold every phrase of the query, each with the ordinal of the first
 * passage that holds the first one (`null` when only the title does); `null` when no document does,
 * or nothing is quoted. `documents` descend by score.
 */
export function documentsWithPhrases(
  connection: Connection,
  lexicon: Lexicon,
  query: Query,
  documents: readonly RankedDocument[],
): ReadonlyMap<number, number | null> | null {
  if (query.phrases.length === 0) return null;
  const phrases = query.phrases.map((words) => ({
    words,
    places: placesOfAll(connection, lexicon, words),
    hint: hintOf(words),
  }));
  const reader = new PhraseReader(connection, lexicon);
  const holding = new Map<number, number | null>();
  for (const { document } of documents) {
    const places = phrases.map((phrase) => reader.placeIn(document, phrase));
    if (places.every((place) => place !== undefined)) holding.set(document, places[0] ?? null);
    if (holding.size === MOST_HOLDERS || reader.read > MOST_READ) break;
  }
  return holding.size === 0 ? null : holding;
}

interface Phrase {
  readonly words: readonly string[];
  readonly places: ReturnType<typeof placesOfAll>;
  /** Matches every text in which the words may stand side by side; `null` when none can be made. */
  readonly hint: RegExp | null;
}

/** Reads passages and titles to see whether words stand side by side. */
class PhraseReader {
  /** Texts read so far. */
  read = 0;

  constructor(readonly connection: Connection, readonly lexicon: Lexicon) {}

  /** The ordinal of the first passage with the phrase, `null` for the title, else undefined. */
  placeIn(document: number, { words, places, hint }: Phrase): number | null | undefined {
    const { rows } = this.lexicon.facts;
    for (const row of places.passages.get(document) ?? []) {
      this.read++;
      if (holds(passageIn(this.connection, row).text, words, hint)) return row - rows[document]!;
    }
    if (!places.names.has(document)) return undefined;
    this.read++;
    const title = titleIn(this.connection, rows[document]!).text;
    return holds(title, words, hint) ? null : undefined;
  }
}

/** Plain words with nothing between them that is a letter or digit of plain text. */
function hintOf(words: readonly string[]): RegExp | null {
  if (!words.every((word) => /^[a-z0-9]+$/.test(word))) return null;
  return new RegExp(words.join("(?:['’][a-z]+)?[^a-z0-9]*"), "i");
}

/** Rows of passages by document, and documents by their names, that hold every word as it is spelt. */
function placesOfAll(connection: Connection, { facts }: Lexicon, phrase: readonly string[]) {
  const terms = [...new Set(phrase)].map((word) => postingsOf(connection, word));
  const lists = (list: "passages" | "names") => rowsInAll(terms, list, facts.lastRow);
  const passages = new Map<number, number[]>();
  for (const row of lists("passages")) {
    const document = facts.documentOf[row]! - 1;
    const rows = passages.get(document);
    if (rows === undefined) passages.set(document, [row]);
    else rows.push(row);
  }
  return { passages, names: new Set(lists("names").map((row) => facts.documentOf[row]! - 1)) };
}

/** Rows in the list of every term, ascending; the shortest list is read first. */
function rowsInAll(
  terms: readonly (TermPostings | null)[],
  list: "passages" | "names",
  lastRow: number,
): number[] {
  const lists = terms.map((term) => term?.[list] ?? [])
    .sort((a, b) => postingBytes(a) - postingBytes(b));
  if (lists[0]!.length === 0) return [];
  let rows: Set<number> | null = null;
  for (const postings of lists) {
    const kept = new Set<number>();
    forEachPosting(postings, lastRow, (row) => {
      if (rows === null || rows.has(row)) kept.add(row);
    });
    rows = kept;
    if (kept.size === 0) break;
  }
  return [...rows!];
}

function holds(text: string, phrase: readonly string[], hint: RegExp | null): boolean {
  const readable = readableText(text);
  if (hint !== null && !hasNonAscii(readable) && !hint.test(readable)) return false;
  const sequence = sequenceOf(readable);
  for (let from = sequence.indexOf(phrase[0]!); from >= 0;) {
    if (phrase.every((word, offset) => sequence[from + offset] === word)) return true;
    from = sequence.indexOf(phrase[0]!, from + 1);
  }
  return false;
}
