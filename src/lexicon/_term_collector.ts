/**
 * Collects the postings of every term while documents, passages and nodes pass by in order.
 *
 * @module
 */

import { PackedNumbers } from "./_packed_numbers.ts";
import { pairsOf, type Piece, piecesOf, unitsOf } from "./scan_words.ts";
import { stemWord } from "./stem_word.ts";

/** A term and its packed postings. */
export interface CollectedTerm {
  readonly term: string;
  readonly stem: string;
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
  readonly nodes: Uint8Array | null;
}

/** Longer units are cut anew each time; they hardly ever come twice. */
const LONGEST_CACHED_UNIT = 48;
const HEADING = /^#{1,6}[ \t].*$/gm;

interface UnitTerms {
  readonly states: readonly TermState[];
  /** Words or characters as a reader would count them. */
  readonly length: number;
}

/** A term's three posting lists. */
class TermState {
  readonly passages = new Postings();
  readonly names = new Postings();
  readonly nodes = new Postings();

  constructor(readonly term: string) {}
}

/**
 * Entries of one list: distance from the entry before, then two counts. The first is doubled and
 * odd when a second follows. An entry is packed when the next place begins, so that the counts of
 * one place come together.
 */
class Postings {
  place = -1;
  first = 0;
  second = 0;
  #numbers: PackedNumbers | null = null;
  #last = -1;

  add(place: number, first: number, second: number): void {
    if (place !== this.place) this.turnTo(place);
    this.first += first;
    this.second += second;
  }

  turnTo(place: number): void {
    if (this.place >= 0) {
      const numbers = this.#numbers ??= new PackedNumbers();
      numbers.push(this.place - this.#last);
      numbers.push(this.first * 2 + (this.second > 0 ? 1 : 0));
      if (this.second > 0) numbers.push(this.second);
      this.#last = this.place;
    }
    this.place = place;
    this.first = 0;
    this.second = 0;
  }

  packed(): Uint8Array | null {
    this.turnTo(-1);
    return this.#numbers?.packed() ?? null;
  }
}

/** Terms seen so far. Documents, passages and nodes must come in ascending number. */
export class TermCollector {
  readonly #terms = new Map<string, TermState>();
  readonly #units = new Map<string, UnitTerms>();

  /** Adds a document's title and id; answers how many words the title has. */
  addName(document: number, title: string, itemId: string): number {
    const length = this.#add("names", document, title, 1, 0);
    this.#add("names", document, itemId, 0, 1);
    return length;
  }

  /** Adds a passage; words of its heading lines are counted apart. Answers its length in words. */
  addPassage(passage: number, text: string): number {
    if (!text.includes("#")) return this.#add("passages", passage, text, 1, 0);
    let length = 0;
    let from = 0;
    for (const match of text.matchAll(HEADING)) {
      length += this.#add("passages", passage, text.slice(from, match.index), 1, 0);
      length += this.#add("passages", passage, match[0], 0, 1);
      from = match.index + match[0].length;
    }
    return length + this.#add("passages", passage, text.slice(from), 1, 0);
  }

  /** Adds a summary node; answers its length in words. */
  addNode(node: number, text: string): number {
    return this.#add("nodes", node, text, 1, 0);
  }

  /** All terms in ascending order of their UTF-16 units. */
  sortedTerms(): CollectedTerm[] {
    const terms = [...this.#terms.keys()].sort();
    return terms.map((term) => {
      const state = this.#terms.get(term)!;
      return {
        term,
        stem: stemWord(term),
        passages: state.passages.packed(),
        names: state.names.packed(),
        nodes: state.nodes.packed(),
      };
    });
  }

  #add(
    list: "passages" | "names" | "nodes",
    place: number,
    text: string,
    first: number,
    second: number,
  ): number {
    let length = 0;
    for (const unit of unitsOf(text)) {
      const terms = this.#units.get(unit) ?? this.#cut(unit);
      for (const state of terms.states) state[list].add(place, first, second);
      length += terms.length;
    }
    return length;
  }

  #cut(unit: string): UnitTerms {
    const states: TermState[] = [];
    let length = 0;
    for (const piece of piecesOf(unit)) {
      for (const term of termsOfPiece(piece)) states.push(this.#stateOf(term));
      length += piece.kind === "name" ? piece.words.length : piece.characters.length;
    }
    const terms = { states, length };
    if (unit.length <= LONGEST_CACHED_UNIT) this.#units.set(unit, terms);
    return terms;
  }

  #stateOf(term: string): TermState {
    let state = this.#terms.get(term);
    if (state === undefined) this.#terms.set(term, state = new TermState(term));
    return state;
  }
}

function termsOfPiece(piece: Piece): readonly string[] {
  if (piece.kind === "run") return piece.characters.concat(pairsOf(piece.characters));
  const terms = piece.words.concat(piece.extras);
  if (piece.whole !== null) terms.push(piece.whole);
  return terms;
}
