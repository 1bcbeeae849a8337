/**
 * Words of a query that stand close together in a passage, and names that stand there as they were
 * written: both say that the passage is about the question and does not only share its words.
 *
 * @module
 */

import type { FoundUnit } from "./rank_words.ts";
import type { Query } from "./query.ts";

/** Words with more inflections in the index than this are no subject. */
const MOST_INFLECTIONS = 12;
/** What it says that two words stand side by side, close together, or the other way round. */
const SIDE_BY_SIDE = 1;
const CLOSE = 0.6;
const REVERSED = 0.4;
/** More pairs than this are not looked for; the rarest are kept. */
const MOST_PAIRS = 16;
const PLAIN = /^[a-z0-9]+$/;

/** Two neighbouring words of a query, as they are looked for in a text. */
interface Pair {
  /** From the closest on. */
  readonly ways: readonly (readonly [RegExp, number])[];
  readonly rarity: number;
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

  constructor(query: Query, found: readonly FoundUnit[]) {
    const exact = new Map(
      found.filter((one) => one.finding === "exact").map((one) => [one.unit, one]),
    );
    this.#pairs = pairsIn(query, exact);
    this.#names = [...exact.values()]
      .filter(({ unit }) => unit.kind === "name" && unit.written !== unit.text)
      .map(({ unit, rarity }) => ({ written: unit.written, rarity }));
  }

  /** True when no text can show anything. */
  get isEmpty(): boolean {
    return this.#pairs.length === 0 && this.#names.length === 0;
  }

  /** Most that {@linkcode closenessOf} and {@linkcode spellingOf} answer. */
  get most(): { readonly closeness: number; readonly spelling: number } {
    return { closeness: sumOf(this.#pairs), spelling: sumOf(this.#names) };
  }

  /** How rare the neighbours are that stand together in a text, and how close. */
  closenessOf(text: string): number {
    let sum = 0;
    for (const { ways, rarity } of this.#pairs) {
      const [, closeness] = ways.find(([words]) => words.test(text)) ?? [null, 0];
      sum += closeness * rarity;
    }
    return sum;
  }

  /** How rare the names are that a text holds letter by letter. */
  spellingOf(text: string): number {
    return sumOf(this.#names.filter(({ written }) => text.includes(written)));
  }
}

function sumOf(parts: readonly { readonly rarity: number }[]): number {
  return parts.reduce((sum, { rarity }) => sum + rarity, 0);
}

function pairsIn(query: Query, exact: ReadonlyMap<unknown, FoundUnit>): Pair[] {
  const words = query.units.filter(({ kind, noise }) => kind === "word" && !noise)
    .map((unit) => exact.get(unit));
  const pairs: Pair[] = [];
  for (let i = 1; i < words.length; i++) {
    const [a, b] = [words[i - 1], words[i]];
    if (a === undefined || b === undefined) continue;
    const [first, second] = [alternativesOf(a), alternativesOf(b)];
    if (first === null || second === null) continue;
    pairs.push({
      ways: [
        [wordsApart(first, second, 0), SIDE_BY_SIDE],
        [wordsApart(first, second, 2), CLOSE],
        [wordsApart(second, first, 1), REVERSED],
      ],
      rarity: Math.min(a.rarity, b.rarity),
    });
  }
  return pairs.sort((a, b) => b.rarity - a.rarity).slice(0, MOST_PAIRS);
}

function alternativesOf({ terms }: FoundUnit): string | null {
  const plain = terms.filter((term) => PLAIN.test(term));
  return plain.length === 0 || plain.length > MOST_INFLECTIONS ? null : plain.join("|");
}

function wordsApart(first: string, second: string, most: number): RegExp {
  const between = `[^a-z0-9]{0,4}(?:[a-z0-9]{1,20}[^a-z0-9]{1,4}){0,${most}}`;
  return new RegExp(`(?<![a-z0-9])(?:${first})${between}(?:${second})(?![a-z0-9])`, "i");
}
