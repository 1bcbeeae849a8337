/**
 * Collects the postings of every term while documents pass by in ascending row.
 *
 * @module
 */

import { PostingLog } from "./_posting_log.ts";
import { appendPostings } from "./postings.ts";
import { pairsOf, type Piece, piecesOf, unitsOf } from "./scan_words.ts";

/** Longer units are cut anew each time; they hardly ever come twice. */
const LONGEST_CACHED_UNIT = 48;
const HEADING = /^#{1,6}[ \t].*$/gm;

interface UnitTerms {
  /** Numbers of the terms. */
  readonly terms: readonly number[];
  /** Words or characters as a reader would count them. */
  readonly length: number;
}

/** Packs a term's two lists, behind what they hold already. */
export type PackLists = (
  term: string,
  passagesBefore?: Uint8Array | null,
  namesBefore?: Uint8Array | null,
) => { readonly passages: Uint8Array | null; readonly names: Uint8Array | null };

/** Terms seen so far. */
export class TermCollector {
  /** Numbers in the order in which terms were met. */
  readonly #numbers = new Map<string, number>();
  readonly #units = new Map<string, UnitTerms>();
  readonly #passages = new PostingLog();
  readonly #names = new PostingLog();
  /** Counts of the place at hand, by term, and the terms counted. */
  #first: Uint32Array = new Uint32Array(1024);
  #second: Uint32Array = new Uint32Array(1024);
  #counted: number[] = [];

  /** Every term met. */
  get terms(): IterableIterator<string> {
    return this.#numbers.keys();
  }

  /** Adds a document's title and other names; answers how many words the title has. */
  addName(document: number, title: string, others: string): number {
    const length = this.#count(title, false);
    this.#count(others, true);
    this.#note(this.#names, document);
    return length;
  }

  /** Adds a passage; words of its heading lines are counted apart. Answers its length in words. */
  addPassage(passage: number, text: string): number {
    let length = 0;
    let from = 0;
    if (text.includes("#")) {
      for (const match of text.matchAll(HEADING)) {
        length += this.#count(text.slice(from, match.index), false);
        length += this.#count(match[0], true);
        from = match.index + match[0].length;
      }
    }
    length += this.#count(from === 0 ? text : text.slice(from), false);
    this.#note(this.#passages, passage);
    return length;
  }

  /** Nothing may be added afterwards. */
  finish(): PackLists {
    const passages = this.#passages.byTerm(this.#numbers.size);
    const names = this.#names.byTerm(this.#numbers.size);
    return (term, passagesBefore = null, namesBefore = null) => {
      const number = this.#numbers.get(term)!;
      return {
        passages: appendPostings(passagesBefore, (visit) => passages(number, visit)),
        names: appendPostings(namesBefore, (visit) => names(number, visit)),
      };
    };
  }

  #count(text: string, inSecond: boolean): number {
    let length = 0;
    for (const unit of unitsOf(text)) {
      const cut = this.#units.get(unit) ?? this.#cut(unit);
      const counts = inSecond ? this.#second : this.#first;
      for (const term of cut.terms) {
        if (this.#first[term] === 0 && this.#second[term] === 0) this.#counted.push(term);
        counts[term]!++;
      }
      length += cut.length;
    }
    return length;
  }

  #note(log: PostingLog, place: number): void {
    for (const term of this.#counted) {
      log.push(term, place, this.#first[term]!, this.#second[term]!);
      this.#first[term] = 0;
      this.#second[term] = 0;
    }
    this.#counted = [];
  }

  #cut(unit: string): UnitTerms {
    const terms: number[] = [];
    let length = 0;
    for (const piece of piecesOf(unit)) {
      for (const term of termsOfPiece(piece)) terms.push(this.#numberOf(term));
      length += piece.kind === "name" ? piece.words.length : piece.characters.length;
    }
    const cut = { terms, length };
    if (unit.length <= LONGEST_CACHED_UNIT) this.#units.set(unit, cut);
    return cut;
  }

  #numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number !== undefined) return number;
    number = this.#numbers.size;
    this.#numbers.set(term, number);
    if (number === this.#first.length) {
      this.#first = doubled(this.#first);
      this.#second = doubled(this.#second);
    }
    return number;
  }
}

function doubled(counts: Uint32Array): Uint32Array {
  const larger = new Uint32Array(counts.length * 2);
  larger.set(counts);
  return larger;
}

function termsOfPiece(piece: Piece): readonly string[] {
  if (piece.kind === "run") return piece.characters.concat(pairsOf(piece.characters));
  const terms = piece.words.concat(piece.extras);
  if (piece.whole !== null) terms.push(piece.whole);
  return terms;
}
