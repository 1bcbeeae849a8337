/**
 * How typical each sentence is of all of them, by shared trigrams (index-build.md 7.4, step 3).
 *
 * @module
 */

import { collapseWhitespace } from "./split_text.ts";

// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;
/** ASCII grams are their own numbers below this; others get numbers from here on. */
const FIRST_OTHER = 1 << 21;

const asciiCounts = new Uint32Array(FIRST_OTHER);

/** For each sentence, the sum over its grams, repeats included, of that gram's count in all sentences. */
export function gramScores(sentences: readonly string[]): Float64Array {
  const grams = new GramList();
  const ends = new Uint32Array(sentences.length);
  sentences.forEach((sentence, index) => {
    grams.add(collapseWhitespace(sentence.toLowerCase()));
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

/** Grams of all sentences in order, as numbers. */
class GramList {
  numbers = new Uint32Array(4096);
  length = 0;
  readonly #others = new Map<string, number>();

  get otherGrams(): number {
    return this.#others.size;
  }

  add(sentence: string): void {
    if (NOT_ASCII.test(sentence)) this.#addPoints(Array.from(sentence));
    else if (sentence.length < 3) {
      if (sentence !== "") this.#push(this.#numberOf(sentence));
    } else {
      let key = (sentence.charCodeAt(0) << 7) | sentence.charCodeAt(1);
      for (let i = 2; i < sentence.length; i++) {
        key = ((key << 7) | sentence.charCodeAt(i)) & (FIRST_OTHER - 1);
        this.#push(key);
      }
    }
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
    if (this.length === this.numbers.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = number;
  }
}

function asciiNumber(gram: string): number {
  return (gram.charCodeAt(0) << 14) | (gram.charCodeAt(1) << 7) | gram.charCodeAt(2);
}
