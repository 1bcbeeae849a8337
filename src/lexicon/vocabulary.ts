/**
 * Every term of a word index as one text, with the letters of each, so that parts of words and typing
 * errors are found without looking at the text of most terms.
 *
 * @module
 */

import { Memo } from "../platform/memo.ts";
import { irregularWordsOf, stemWord } from "./stem_word.ts";

/** Stems whose terms are remembered. People ask for the same things, and each word brings others. */
const MOST_STEMS = 2000;

/** Terms of this length and all longer ones are kept together. */
const LONG = 64;

/** The terms of one word index in ascending UTF-16 order. A term's number is its place there. */
export class Vocabulary {
  /** Start of each term in the text, and of what would follow the last. */
  readonly #starts: Uint32Array;
  /** What each term is made of; found out when it is first asked for. */
  #shapes: TermShapes | null = null;
  readonly #byStem = new Memo<string, readonly string[]>(MOST_STEMS);

  /** @param lines `\n`, then each term followed by `\n` */
  constructor(readonly lines: string) {
    const starts = new Uint32Array(lines.length + 1);
    let count = 0;
    for (let at = 0; at >= 0; at = lines.indexOf("\n", at + 1)) starts[count++] = at + 1;
    this.#starts = starts.slice(0, count);
  }

  /** The text for a list of terms in ascending order. */
  static linesOf(terms: readonly string[]): string {
    return `\n${terms.map((term) => `${term}\n`).join("")}`;
  }

  /** Number of terms. */
  get size(): number {
    return Math.max(0, this.#starts.length - 1);
  }

  /** The term with this number. */
  term(number: number): string {
    return this.lines.slice(this.#starts[number], this.#starts[number + 1]! - 1);
  }

  /** Length of the term with this number, in UTF-16 units. */
  termLength(number: number): number {
    return this.#starts[number + 1]! - this.#starts[number]! - 1;
  }

  /**
   * Numbers of the terms that may be turned into a word by at most `errors` changes of a letter, going
   * by length and letters alone; the shortest first.
   */
  resembling(word: string, errors: number): number[] {
    const { letters, numbers, firstOfLength } = this.#shapesOfAll();
    const wanted = lettersOf(word, 0, word.length);
    const similar: number[] = [];
    const shortest = Math.min(LONG, Math.max(0, word.length - errors));
    const longest = Math.min(LONG, word.length + errors);
    for (let at = firstOfLength[shortest]!; at < firstOfLength[longest + 1]!; at++) {
      const number = numbers[at]!;
      if (bitsOf(letters[number]! ^ wanted) <= 2 * errors) similar.push(number);
    }
    return similar;
  }

  #shapesOfAll(): TermShapes {
    return this.#shapes ??= shapesOf(this.lines, this.#starts, this.size);
  }

  /** True when the term is known. */
  has(term: string): boolean {
    const number = this.#firstFrom(term);
    return number < this.size && this.term(number) === term;
  }

  /** Terms that share a stem, in ascending order. */
  withStem(stem: string): readonly string[] {
    return this.#byStem.get(stem, () => this.#findWithStem(stem));
  }

  #findWithStem(stem: string): string[] {
    const terms = irregularWordsOf(stem).filter((word) => this.has(word));
    const prefix = prefixOfStem(stem);
    for (let number = this.#firstFrom(prefix); number < this.size; number++) {
      const term = this.term(number);
      if (!term.startsWith(prefix)) break;
      if (stemWord(term) === stem && !terms.includes(term)) terms.push(term);
    }
    return terms.sort();
  }

  /** Terms that begin with a text, in ascending order, at most `limit`. */
  beginningWith(text: string, limit: number): string[] {
    const terms: string[] = [];
    if (text === "") return terms;
    for (let number = this.#firstFrom(text); number < this.size; number++) {
      const term = this.term(number);
      if (terms.length === limit || !term.startsWith(text)) break;
      terms.push(term);
    }
    return terms;
  }

  /** Terms that contain a text, in ascending order, at most `limit`. */
  containing(text: string, limit: number): string[] {
    const terms: string[] = [];
    if (text === "") return terms;
    const { letters } = this.#shapesOfAll();
    const wanted = lettersOf(text, 0, text.length);
    for (let number = 0; number < letters.length && terms.length < limit; number++) {
      // Most terms lack a letter of it: their text is not looked at.
      if ((~letters[number]! & wanted) !== 0) continue;
      const term = this.term(number);
      if (term.includes(text)) terms.push(term);
    }
    return terms;
  }

  /** Number of the first term that is not less than a text. */
  #firstFrom(text: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.term(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Terms by what they are made of. */
interface TermShapes {
  /** Which letters each term has. */
  readonly letters: Uint32Array;
  /** Numbers of the terms, the shortest first. */
  readonly numbers: Uint32Array;
  /** Where in `numbers` each length begins, up to {@linkcode LONG}, and where the last one ends. */
  readonly firstOfLength: Uint32Array;
}

function shapesOf(lines: string, starts: Uint32Array, size: number): TermShapes {
  const letters = new Uint32Array(size);
  const lengthOf = (number: number) => Math.min(LONG, starts[number + 1]! - starts[number]! - 1);
  const firstOfLength = new Uint32Array(LONG + 2);
  for (let number = 0; number < size; number++) {
    letters[number] = lettersOf(lines, starts[number]!, starts[number + 1]! - 1);
    firstOfLength[lengthOf(number) + 1]!++;
  }
  for (let length = 0; length <= LONG; length++) {
    firstOfLength[length + 1]! += firstOfLength[length]!;
  }
  const numbers = new Uint32Array(size);
  const next = firstOfLength.slice();
  for (let number = 0; number < size; number++) numbers[next[lengthOf(number)]!++] = number;
  return { letters, numbers, firstOfLength };
}

/** What every word with this stem begins with, irregular words apart. */
function prefixOfStem(stem: string): string {
  return /(?:[ei]|bl)$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** A set of letters as bits: one for each of `a` to `z`, the others share the rest. */
function lettersOf(text: string, from: number, to: number): number {
  let letters = 0;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    letters |= 1 << (unit >= 0x61 && unit <= 0x7a ? unit - 0x61 : 26 + unit % 6);
  }
  return letters >>> 0;
}

/** Number of bits that are set, all of them added up at once. */
function bitsOf(set: number): number {
  let bits = (set - ((set >>> 1) & 0x55555555)) | 0;
  bits = ((bits & 0x33333333) + ((bits >>> 2) & 0x33333333)) | 0;
  bits = (bits + (bits >>> 4)) & 0x0f0f0f0f;
  return Math.imul(bits, 0x01010101) >>> 24;
}
