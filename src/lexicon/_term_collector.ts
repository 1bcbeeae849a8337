/**
 * Collects the postings of every term while documents pass by in ascending row.
 *
 * @module
 */

import { AsciiUnits } from "./_ascii_units.ts";
import { larger, PostingStreams } from "./_posting_streams.ts";
import type { TermLists } from "./_term_rows.ts";
import { KnownUnits, NO_UNIT } from "./_known_units.ts";
import { hasNonAscii, readableText } from "./fold_word.ts";
import { pairsOf, type Piece, piecesOf, unitsOf } from "./scan_words.ts";

/** Longer units are cut anew each time; they hardly ever come twice. */
const LONGEST_KNOWN_UNIT = 48;
/** Units that are known at a time; they are forgotten beyond it. */
const MOST_KNOWN_UNITS = 1 << 19;
/** A word with nothing in it that would cut it; most are. */
const PLAIN_WORD = /^[A-Z]?[a-z]{0,100}$/;
const HEADING = /^#{1,6}[ \t].*$/gm;
/** A count of a term at a place: as the first kind in the low half of a number, as the second above. */
const AS_FIRST = 1;
const AS_SECOND = 0x10000;
/** Greatest count that is told apart; a passage is far shorter. */
const MOST_COUNTED = 0xffff;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Terms seen so far. */
export class TermCollector {
  /** Numbers in the order in which terms were met. */
  readonly #numbers = new Map<string, number>();
  /** Two lists a term: passages, then names. */
  readonly #postings = new PostingStreams();
  #units = new KnownUnits();
  /** Counts of the place at hand, by term, and the terms counted. */
  #counts = new Uint32Array(256);
  #counted = new Uint32Array(256);
  #countedLength = 0;
  /** Plain text as bytes. */
  #buffer = new Uint8Array(8192);

  /** Every term met, in the order in which they were. */
  get terms(): IterableIterator<string> {
    return this.#numbers.keys();
  }

  /** Bytes that the postings take. */
  get size(): number {
    return this.#postings.size;
  }

  /** The postings of a term that was met. */
  listsOf(term: string): TermLists {
    const number = this.#numbers.get(term)!;
    return {
      passages: this.#postings.list(2 * number),
      names: this.#postings.list(2 * number + 1),
    };
  }

  /** Adds a document's title and other names; answers how many words the title has. */
  addName(document: number, title: string, others: string): number {
    const length = this.#countText(title, AS_FIRST);
    this.#countText(others, AS_SECOND);
    this.#note(document, 1);
    return length;
  }

  /** Adds a passage; words of its heading lines are counted apart. Answers its length in words. */
  addPassage(passage: number, text: string): number {
    const isPlain = this.#encode(text);
    let length = 0;
    let from = 0;
    const count = (to: number, kind: number) => {
      length += isPlain
        ? this.#countPlain(from, to, kind)
        : this.#countText(text.slice(from, to), kind);
      from = to;
    };
    if (text.includes("#")) {
      for (const { index, 0: heading } of text.matchAll(HEADING)) {
        count(index, AS_FIRST);
        count(index + heading.length, AS_SECOND);
      }
    }
    count(text.length, AS_FIRST);
    this.#note(passage, 0);
    return length;
  }

  /** Brings a text into the buffer; false, and of no use, when it is not plain ASCII. */
  #encode(text: string): boolean {
    if (this.#buffer.length < text.length) this.#buffer = new Uint8Array(2 * text.length);
    const { read, written } = encoder.encodeInto(text, this.#buffer);
    return read === text.length && written === read;
  }

  #countText(text: string, kind: number): number {
    const readable = readableText(text);
    if (!hasNonAscii(readable)) {
      this.#encode(readable);
      return this.#countPlain(0, readable.length, kind);
    }
    let length = 0;
    for (const unit of unitsOf(readable)) {
      const known = this.#units.numberOf(unit);
      length += known === undefined ? this.#learn(unit, kind) : this.#add(known, kind);
    }
    return length;
  }

  /** Counts the units between two places of the buffer. */
  #countPlain(from: number, to: number, kind: number): number {
    let length = 0;
    const units = new AsciiUnits(this.#buffer, from, to);
    while (units.next()) {
      const known = this.#units.find(this.#buffer, units);
      length += known === NO_UNIT
        ? this.#learn(textOf(this.#buffer, units), kind, units)
        : this.#add(known, kind);
    }
    return length;
  }

  /** Counts the terms of a known unit and answers its length. */
  #add(unit: number, kind: number): number {
    const only = this.#units.onlyTermOf(unit);
    if (only >= 0) {
      this.#count(only, kind);
      return 1;
    }
    for (const term of this.#units.termsOf(unit)) this.#count(term, kind);
    return this.#units.lengthOf(unit);
  }

  #count(term: number, kind: number): void {
    const count = this.#counts[term]!;
    if (count === 0) this.#counted[this.#countedLength++] = term;
    const isFull = kind === AS_FIRST
      ? (count & MOST_COUNTED) === MOST_COUNTED
      : count >= MOST_COUNTED * AS_SECOND;
    if (!isFull) this.#counts[term] = count + kind;
  }

  /** Cuts and counts a unit; `plain` tells where its bytes are. */
  #learn(unit: string, kind: number, plain?: AsciiUnits): number {
    const { terms, length } = this.#cut(unit);
    for (const term of terms) this.#count(term, kind);
    if (unit.length <= LONGEST_KNOWN_UNIT) {
      if (this.#units.size >= MOST_KNOWN_UNITS) this.#units = new KnownUnits();
      if (plain === undefined) this.#units.add(unit, terms, length);
      else this.#units.addPlain(this.#buffer, plain, terms, length);
    }
    return length;
  }

  /** Numbers of a unit's terms, and its words or characters as a reader would count them. */
  #cut(unit: string): { readonly terms: readonly number[]; readonly length: number } {
    if (PLAIN_WORD.test(unit)) return { terms: [this.#numberOf(unit.toLowerCase())], length: 1 };
    const terms: number[] = [];
    let length = 0;
    for (const piece of piecesOf(unit)) {
      for (const term of termsOfPiece(piece)) terms.push(this.#numberOf(term));
      length += piece.kind === "name" ? piece.words.length : piece.characters.length;
    }
    return { terms, length };
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number !== undefined) return number;
    number = this.#numbers.size;
    this.#numbers.set(term, number);
    if (number === this.#counts.length) {
      this.#counts = larger(this.#counts, number + 1);
      this.#counted = larger(this.#counted, number + 1);
    }
    return number;
  }

  /** Ends a place: what was counted goes into passages (0) or names (1). */
  #note(place: number, list: 0 | 1): void {
    for (let i = 0; i < this.#countedLength; i++) {
      const term = this.#counted[i]!;
      const count = this.#counts[term]!;
      this.#postings.push(2 * term + list, place, count & MOST_COUNTED, count >>> 16);
      this.#counts[term] = 0;
    }
    this.#countedLength = 0;
  }
}

/** A unit as a text of its own: a slice would keep the whole passage in memory. */
function textOf(bytes: Uint8Array, { from, to }: AsciiUnits): string {
  return to - from > LONGEST_KNOWN_UNIT
    ? decoder.decode(bytes.subarray(from, to))
    : String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[]);
}

function termsOfPiece(piece: Piece): readonly string[] {
  if (piece.kind === "run") return piece.characters.concat(pairsOf(piece.characters));
  const terms = piece.words.concat(piece.extras);
  if (piece.whole !== null) terms.push(piece.whole);
  return terms;
}
