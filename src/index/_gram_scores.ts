/**
 * How typical each sentence is of all of them, by shared trigrams (index-build.md 7.4, step 3).
 *
 * @module
 */

import { isWhitespaceUnit } from "../platform/text.ts";
import { collapseWhitespace } from "./split_text.ts";

// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;
/** ASCII grams are their own numbers below this; others get numbers from here on. */
const FIRST_OTHER = 1 << 21;

const SPACE = 0x20;
/** Numbers for which room is kept between two calls. */
const MOST_KEPT = 1 << 20;

const asciiCounts = new Uint32Array(FIRST_OTHER);

/** Of plain text what it folds to: capitals to small letters, white space to {@linkcode SPACE}. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, unit) => {
  if (isWhitespaceUnit(unit)) return SPACE;
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
});

/** For each sentence, the sum over its grams, repeats included, of that gram's count in all sentences. */
export function gramScores(sentences: readonly string[]): Float64Array {
  const grams = new GramList();
  const ends = new Uint32Array(sentences.length);
  sentences.forEach((sentence, index) => {
    grams.add(sentence);
    ends[index] = grams.length;
  });
  const otherCounts = new Uint32Array(grams.otherGrams);
  for (let i = 0; i < grams.length; i++) {
    const gram = grams.numbers[i]!;
    if (gram < FIRST_OTHER) asciiCounts[gram]!++;
    else otherCounts[gram - FIRST_OTHER]!++;
  }
  const scores = new Float64Array(sentences.length);
  for (let sentence = 0, i = 0; sentence < sentences.length; sentence++) {
    let score = 0;
    for (; i < ends[sentence]!; i++) {
      const gram = grams.numbers[i]!;
      score += gram < FIRST_OTHER ? asciiCounts[gram]! : otherCounts[gram - FIRST_OTHER]!;
    }
    scores[sentence] = score;
  }
  for (let i = 0; i < grams.length; i++) {
    const gram = grams.numbers[i]!;
    if (gram < FIRST_OTHER) asciiCounts[gram] = 0;
  }
  return scores;
}

/** Room for the grams of a call, which the next one finds. */
let kept = new Uint32Array(4096);

/** Grams of all sentences in order, as numbers. One list at a time. */
class GramList {
  numbers = kept;
  length = 0;
  readonly #others = new Map<string, number>();

  get otherGrams(): number {
    return this.#others.size;
  }

  /** Adds the grams of a sentence in small letters, one space for each run of white space. */
  add(sentence: string): void {
    const start = this.length;
    if (this.#addPlain(sentence)) return;
    this.length = start;
    const text = collapseWhitespace(sentence.toLowerCase());
    if (NOT_ASCII.test(text)) this.#addPoints(Array.from(text));
    else if (text.length >= 3) this.#addPlain(text);
    else if (text !== "") this.#push(this.#numberOf(text));
  }

  /** Adds the grams of plain text in one pass; false, and of no use, for other or very short text. */
  #addPlain(text: string): boolean {
    this.#reserve(this.length + text.length);
    const numbers = this.numbers;
    let to = this.length;
    let key = 0;
    let length = 0;
    let isSpaceDue = false;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 128) return false;
      const folded = FOLDED[unit]!;
      if (folded === SPACE) {
        isSpaceDue = length > 0;
        continue;
      }
      if (isSpaceDue) {
        key = ((key << 7) | SPACE) & (FIRST_OTHER - 1);
        if (++length > 2) numbers[to++] = key;
        isSpaceDue = false;
      }
      key = ((key << 7) | folded) & (FIRST_OTHER - 1);
      if (++length > 2) numbers[to++] = key;
    }
    this.length = to;
    return length > 2;
  }

  #addPoints(points: readonly string[]): void {
    if (points.length < 3) {
      this.#push(this.#numberOf(points.join("")));
      return;
    }
    for (let i = 2; i < points.length; i++) {
      const gram = points[i - 2]! + points[i - 1]! + points[i]!;
      this.#push(NOT_ASCII.test(gram) ? this.#numberOf(gram) : asciiNumber(gram));
    }
  }

  #numberOf(gram: string): number {
    let number = this.#others.get(gram);
    if (number === undefined) {
      number = FIRST_OTHER + this.#others.size;
      this.#others.set(gram, number);
    }
    return number;
  }

  #push(number: number): void {
    this.#reserve(this.length + 1);
    this.numbers[this.length++] = number;
  }

  #reserve(length: number): void {
    if (length <= this.numbers.length) return;
    const larger = new Uint32Array(Math.max(length, this.numbers.length * 2));
    larger.set(this.numbers.subarray(0, this.length));
    this.numbers = larger;
    if (larger.length <= MOST_KEPT) kept = larger;
  }
}

function asciiNumber(gram: string): number {
  return (gram.charCodeAt(0) << 14) | (gram.charCodeAt(1) << 7) | gram.charCodeAt(2);
}
