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
const HEADING = /^#{1,6}[ \t].*$/gm;
/** Greatest count of a term at one place that is told apart; a passage is far shorter. */
const MOST_COUNTED = 0xffff;

const encoder = new TextEncoder();

/** Terms seen so far. */
export class TermCollector {
  /** Numbers in the order in which terms were met. */
  readonly #numbers = new Map<string, number>();
  /** Two lists a term: passages, then names. */
  readonly #postings = new PostingStreams();
  #units = new KnownUnits();
  /** Counts of the place at hand, by term, and the terms counted. */
  #first = new Uint32Array(256);
  #second = new Uint32Array(256);
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
    const length = this.#countText(title, false);
    this.#countText(others, true);
    this.#note(document, 1);
    return length;
  }

  /** Adds a passage; words of its heading lines are counted apart. Answers its length in words. */
  addPassage(passage: number, text: string): number {
    const isPlain = this.#encode(text);
    let length = 0;
    let from = 0;
    const count = (to: number, inHeading: boolean) => {
      length += isPlain
        ? this.#countPlain(text, from, to, inHeading)
        : this.#countText(text.slice(from, to), inHeading);
      from = to;
    };
    if (text.includes("#")) {
      for (const { index, 0: heading } of text.matchAll(HEADING)) {
        count(index, false);
        count(index + heading.length, true);
      }
    }
    count(text.length, false);
    this.#note(passage, 0);
    return length;
  }

  /** Brings a text into the buffer; false, and of no use, when it is not plain ASCII. */
  #encode(text: string): boolean {
    if (this.#buffer.length < text.length) this.#buffer = new Uint8Array(2 * text.length);
    const { read, written } = encoder.encodeInto(text, this.#buffer);
    return read === text.length && written === read;
  }

  #countText(text: string, inSecond: boolean): number {
    const readable = readableText(text);
    if (!hasNonAscii(readable)) {
      this.#encode(readable);
      return this.#countPlain(readable, 0, readable.length, inSecond);
    }
    let length = 0;
    for (const unit of unitsOf(readable)) {
      const known = this.#units.numberOf(unit);
      length += known === undefined ? this.#learn(unit, inSecond) : this.#add(known, inSecond);
    }
    return length;
  }

  /** Counts the units between two places of the text, whose bytes are in the buffer. */
  #countPlain(text: string, from: number, to: number, inSecond: boolean): number {
    let length = 0;
    const units = new AsciiUnits(this.#buffer, from, to);
    while (units.next()) {
      const known = this.#units.find(this.#buffer, units);
      length += known === NO_UNIT
        ? this.#learn(text.slice(units.from, units.to), inSecond, units)
        : this.#add(known, inSecond);
    }
    return length;
  }

  /** Counts the terms of a known unit and answers its length. */
  #add(unit: number, inSecond: boolean): number {
    const { ends, terms, lengths } = this.#units;
    const to = ends[unit]!;
    for (let at = unit === 0 ? 0 : ends[unit - 1]!; at < to; at++) {
      this.#count(terms[at]!, inSecond);
    }
    return lengths[unit]!;
  }

  #count(term: number, inSecond: boolean): void {
    if (this.#first[term] === 0 && this.#second[term] === 0) {
      this.#counted[this.#countedLength++] = term;
    }
    const counts = inSecond ? this.#second : this.#first;
    counts[term]!++;
  }

  /** Cuts and counts a unit; `plain` tells where its bytes are. */
  #learn(unit: string, inSecond: boolean, plain?: AsciiUnits): number {
    const terms: number[] = [];
    let length = 0;
    for (const piece of piecesOf(unit)) {
      for (const term of termsOfPiece(piece)) terms.push(this.#numberOf(term));
      length += piece.kind === "name" ? piece.words.length : piece.characters.length;
    }
    for (const term of terms) this.#count(term, inSecond);
    if (unit.length <= LONGEST_KNOWN_UNIT) {
      if (this.#units.size >= MOST_KNOWN_UNITS) this.#units = new KnownUnits();
      if (plain === undefined) this.#units.add(unit, terms, length);
      else this.#units.addPlain(this.#buffer, plain, terms, length);
    }
    return length;
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number !== undefined) return number;
    number = this.#numbers.size;
    this.#numbers.set(term, number);
    if (number === this.#first.length) {
      this.#first = larger(this.#first, number + 1);
      this.#second = larger(this.#second, number + 1);
      this.#counted = larger(this.#counted, number + 1);
    }
    return number;
  }

  /** Ends a place: what was counted goes into passages (0) or names (1). */
  #note(place: number, list: 0 | 1): void {
    for (let i = 0; i < this.#countedLength; i++) {
      const term = this.#counted[i]!;
      const first = Math.min(this.#first[term]!, MOST_COUNTED);
      const second = Math.min(this.#second[term]!, MOST_COUNTED);
      this.#postings.push(2 * term + list, place, first, second);
      this.#first[term] = 0;
      this.#second[term] = 0;
    }
    this.#countedLength = 0;
  }
}

function termsOfPiece(piece: Piece): readonly string[] {
  if (piece.kind === "run") return piece.characters.concat(pairsOf(piece.characters));
  const terms = piece.words.concat(piece.extras);
  if (piece.whole !== null) terms.push(piece.whole);
  return terms;
}
