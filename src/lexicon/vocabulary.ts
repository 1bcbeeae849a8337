/**
 * Every term of a word index as one text, so that a part of a word is found at the speed of a
 * substring search and a typing error by walking the terms of about its length.
 *
 * @module
 */

import { irregularWordsOf, stemWord } from "./stem_word.ts";

/** Stems whose terms are remembered. People ask for the same things, and each word brings others. */
const MOST_STEMS = 2000;

/** The terms of one word index in ascending UTF-16 order. A term's number is its place there. */
export class Vocabulary {
  /** Start of each term in the text, and of what would follow the last. */
  readonly #starts: Uint32Array;
  /** Which letters each term has; filled when it is first asked for. */
  #letters: Uint32Array | null = null;
  readonly #byStem = new Map<string, readonly string[]>();

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
   * by length and letters alone.
   */
  resembling(word: string, errors: number): number[] {
    const letters = this.#letters ??= this.#lettersOfAll();
    const wanted = lettersOf(word, 0, word.length);
    const starts = this.#starts;
    const numbers: number[] = [];
    const shortest = word.length - errors + 1;
    const longest = word.length + errors + 1;
    let start = starts[0]!;
    for (let number = 0; number < letters.length; number++) {
      const next = starts[number + 1]!;
      const length = next - start;
      start = next;
      if (length < shortest || length > longest) continue;
      if (bitsOf(letters[number]! ^ wanted) <= 2 * errors) numbers.push(number);
    }
    return numbers;
  }

  #lettersOfAll(): Uint32Array {
    const letters = new Uint32Array(this.size);
    for (let number = 0; number < this.size; number++) {
      letters[number] = lettersOf(this.lines, this.#starts[number]!, this.#starts[number + 1]! - 1);
    }
    return letters;
  }

  /** True when the term is known. */
  has(term: string): boolean {
    const number = this.#firstFrom(term);
    return number < this.size && this.term(number) === term;
  }

  /** Terms that share a stem, in ascending order. */
  withStem(stem: string): readonly string[] {
    let terms = this.#byStem.get(stem);
    if (terms === undefined) {
      if (this.#byStem.size === MOST_STEMS) this.#byStem.clear();
      terms = this.#findWithStem(stem);
      this.#byStem.set(stem, terms);
    }
    return terms;
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

  /**
   * Terms that contain a text, in ascending order, at most `limit`. A line feed in front stands for
   * the start of a term.
   */
  containing(part: string, limit: number): string[] {
    const terms: string[] = [];
    const lead = part.startsWith("\n") ? 1 : 0;
    if (part.length === lead || part.includes("\n", lead)) return terms;
    let at = this.lines.indexOf(part);
    while (at >= 0 && terms.length < limit) {
      const start = this.lines.lastIndexOf("\n", at + lead - 1) + 1;
      const end = this.lines.indexOf("\n", start);
      terms.push(this.lines.slice(start, end));
      at = this.lines.indexOf(part, end);
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
