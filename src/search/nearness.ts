/**
 * Words of a query that stand close together in a passage, and names that stand there as they were
 * written: both say that the passage is about the question and does not only share its words.
 *
 * @module
 */

import type { WordedText } from "./plain_words.ts";
import type { FoundUnit } from "./rank_words.ts";
import type { Query, QueryUnit } from "./query.ts";

/** What it says that two words stand side by side, close together, or the other way round. */
const SIDE_BY_SIDE = 1;
const CLOSE = 0.6;
const REVERSED = 0.4;
/** Words between two that are close, and between two that stand the other way round. */
const MOST_BETWEEN = 2;
const MOST_BETWEEN_REVERSED = 1;

/** Two neighbouring words of a query, by their place among its words. */
interface Pair {
  readonly first: number;
  readonly second: number;
  /** Of the more common one. */
  readonly rarity: number;
  /** Of the two together. */
  readonly both: number;
}

/** A name as it was written in the query. */
interface WrittenName {
  readonly written: string;
  readonly rarity: number;
}

/** What a text may show of how the words of a query belong together. */
export class Nearness {
  readonly #pairs: readonly Pair[];
  readonly #names: readonly WrittenName[];
  /** Places in the query of the words that a term stands for; no two words share a stem. */
  readonly #wordOf = new Map<string, number>();
  /** Lengths of those terms by their first letter, a bit each. */
  readonly #lengths = new Uint32Array(128);

  constructor(query: Query, found: readonly FoundUnit[]) {
    const exact = new Map(
      found.filter((one) => one.finding === "exact").map((one) => [one.unit, one]),
    );
    const words = query.units.filter(({ kind, noise }) => kind === "word" && !noise)
      .map((unit) => exact.get(unit));
    for (const [place, word] of words.entries()) {
      for (const term of word?.terms ?? []) {
        this.#wordOf.set(term, place);
        // No plain word begins with another letter.
        if (term.charCodeAt(0) < 128) this.#lengths[term.charCodeAt(0)]! |= lengthBit(term.length);
      }
    }
    this.#pairs = pairsOf(words);
    this.#names = namesIn(exact);
  }

  /**
   * How rare the units that a document holds must be together before its text can show anything:
   * two neighbours, or a name. `Infinity` when no text can.
   */
  get least(): number {
    let least = Infinity;
    for (const { both } of this.#pairs) least = Math.min(least, both);
    for (const { rarity } of this.#names) least = Math.min(least, rarity);
    return least;
  }

  /** True when no text can show anything. */
  get isEmpty(): boolean {
    return this.#pairs.length === 0 && this.#names.length === 0;
  }

  /** Most that {@linkcode closenessOf} and {@linkcode spellingOf} answer. */
  get most(): { readonly closeness: number; readonly spelling: number } {
    return { closeness: sumOf(this.#pairs), spelling: sumOf(this.#names) };
  }

  /** How rare the neighbours are that stand together in texts that follow one another, and how close. */
  closenessOf(texts: readonly WordedText[]): number {
    const best = new Float64Array(this.#pairs.length);
    /** Place in the texts where each word stood last. */
    const last = new Map<number, number>();
    const lengths = this.#lengths;
    let before = 0;
    for (const { text, bounds } of texts) {
      for (let i = 0; i < bounds.length; i += 2) {
        const start = bounds[i]!, end = bounds[i + 1]!;
        // Nearly every word is told apart by its length and first letter, without being cut out.
        const first = text.charCodeAt(start);
        const isUpper = first >= 0x41 && first <= 0x5a;
        if ((lengths[isUpper ? first + 0x20 : first]! & lengthBit(end - start)) === 0) continue;
        const word = this.#wordOf.get(text.slice(start, end).toLowerCase());
        if (word === undefined) continue;
        const at = before + i / 2;
        last.set(word, at);
        this.#compare(word, at, last, best);
      }
      before += bounds.length / 2;
    }
    return this.#pairs.reduce((sum, { rarity }, i) => sum + rarity * best[i]!, 0);
  }

  /** Notes how close the word at a place stands to its neighbours in the query. */
  #compare(
    word: number,
    at: number,
    last: ReadonlyMap<number, number>,
    best: Float64Array,
  ): void {
    for (let i = 0; i < this.#pairs.length; i++) {
      const { first, second } = this.#pairs[i]!;
      if (word !== first && word !== second) continue;
      const other = last.get(word === second ? first : second);
      if (other === undefined) continue;
      best[i] = Math.max(best[i]!, closeness(at - other - 1, word === first));
    }
  }

  /** How rare the names are that one of the texts holds letter by letter. */
  spellingOf(texts: readonly WordedText[]): number {
    return sumOf(
      this.#names.filter(({ written }) => texts.some(({ text }) => text.includes(written))),
    );
  }
}

/** A bit for each length; all the long ones share the last. */
function lengthBit(length: number): number {
  return 1 << Math.min(length, 31);
}

function closeness(between: number, isReversed: boolean): number {
  if (isReversed) return between <= MOST_BETWEEN_REVERSED ? REVERSED : 0;
  if (between === 0) return SIDE_BY_SIDE;
  return between <= MOST_BETWEEN ? CLOSE : 0;
}

function sumOf(parts: readonly { readonly rarity: number }[]): number {
  return parts.reduce((sum, { rarity }) => sum + rarity, 0);
}

function pairsOf(words: readonly (FoundUnit | undefined)[]): Pair[] {
  const pairs: Pair[] = [];
  for (let second = 1; second < words.length; second++) {
    const [a, b] = [words[second - 1], words[second]];
    if (a === undefined || b === undefined) continue;
    const rarity = Math.min(a.rarity, b.rarity);
    pairs.push({ first: second - 1, second, rarity, both: a.rarity + b.rarity });
  }
  return pairs;
}

function namesIn(exact: ReadonlyMap<QueryUnit, FoundUnit>): WrittenName[] {
  return [...exact.values()]
    .filter(({ unit }) => unit.kind === "name" && unit.written !== unit.text)
    .map(({ unit, rarity }) => ({ written: unit.written, rarity }));
}
