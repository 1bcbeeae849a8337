/**
 * Postings in the order in which they were met, in a few large arrays: writing them one after the
 * other is several times faster than keeping a list for each term open.
 *
 * @module
 */

/** Greatest count of a term at one place that is told apart; a passage is far shorter. */
const MOST = 0xffff;

/** Where terms stand. Places must come in ascending order. */
export class PostingLog {
  #terms = new Uint32Array(1024);
  #places = new Uint32Array(1024);
  /** Two counts of sixteen bits. */
  #counts = new Uint32Array(1024);
  #length = 0;

  /** Notes that a term stands at a place so often. */
  push(term: number, place: number, first: number, second: number): void {
    if (this.#length === this.#terms.length) this.#grow();
    const at = this.#length++;
    this.#terms[at] = term;
    this.#places[at] = place;
    this.#counts[at] = Math.min(first, MOST) + Math.min(second, MOST) * (MOST + 1);
  }

  /** The log sorted by term: what `visit` is called with, for one term in ascending place. */
  byTerm(terms: number): PostingsByTerm {
    const starts = new Uint32Array(terms + 1);
    for (let i = 0; i < this.#length; i++) starts[this.#terms[i]! + 1]!++;
    for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;
    const next = starts.slice();
    const order = new Uint32Array(this.#length);
    for (let i = 0; i < this.#length; i++) order[next[this.#terms[i]!]!++] = i;
    return (term, visit) => {
      for (let at = starts[term]!; at < starts[term + 1]!; at++) {
        const entry = order[at]!;
        const counts = this.#counts[entry]!;
        visit(this.#places[entry]!, counts & MOST, counts >>> 16);
      }
    };
  }

  #grow(): void {
    const larger = (array: Uint32Array) => {
      const copy = new Uint32Array(array.length * 2);
      copy.set(array);
      return copy;
    };
    this.#terms = larger(this.#terms);
    this.#places = larger(this.#places);
    this.#counts = larger(this.#counts);
  }
}

/** Calls `visit` with each posting of one term. */
export type PostingsByTerm = (
  term: number,
  visit: (place: number, first: number, second: number) => void,
) => void;
