/**
 * How many typing errors lie between two words: a letter left out, added, replaced, or two
 * neighbours exchanged.
 *
 * @module
 */

/** Longest word whose letters fit into the bits of one number. */
const MOST_BITS = 31;

/** A word that many others are compared with. */
export class ComparedWord {
  readonly #word: string;
  /** For each ASCII letter the places where the word has it, a bit each. */
  readonly #ascii = new Uint32Array(128);
  readonly #others = new Map<number, number>();

  constructor(word: string) {
    this.#word = word;
    if (word.length > MOST_BITS) return;
    for (let i = 0; i < word.length; i++) {
      const unit = word.charCodeAt(i);
      if (unit < 128) this.#ascii[unit]! |= 1 << i;
      else this.#others.set(unit, (this.#others.get(unit) ?? 0) | 1 << i);
    }
  }

  /** The distance to another word when it is at most `limit`, else `limit + 1`. */
  distanceTo(other: string, limit: number): number {
    const length = this.#word.length;
    if (Math.abs(length - other.length) > limit) return limit + 1;
    if (length > MOST_BITS) return slowDistance(this.#word, other, limit);
    return length === 0 ? other.length : this.#distanceByBits(other, limit);
  }

  /**
   * A column of the table of distances at a time (Myers, with exchanges by Hyyrö): a bit says that
   * the distance rises or falls from one row to the next.
   */
  #distanceByBits(other: string, limit: number): number {
    const lastRow = 1 << (this.#word.length - 1);
    let rises = -1, falls = 0, equal = 0, placesBefore = 0;
    let distance = this.#word.length;
    for (let i = 0; i < other.length; i++) {
      const unit = other.charCodeAt(i);
      const places = unit < 128 ? this.#ascii[unit]! : this.#others.get(unit) ?? 0;
      const exchanged = ((~equal & places) << 1) & placesBefore;
      equal = (((places & rises) + rises) ^ rises) | places | falls | exchanged;
      let risen = falls | ~(equal | rises);
      let fallen = equal & rises;
      if ((risen & lastRow) !== 0) distance++;
      else if ((fallen & lastRow) !== 0) distance--;
      // Each letter that is left can lower it by one.
      if (distance - (other.length - 1 - i) > limit) return limit + 1;
      risen = (risen << 1) | 1;
      fallen <<= 1;
      rises = fallen | ~(equal | risen);
      falls = risen & equal;
      placesBefore = places;
    }
    return distance;
  }
}

/** The distance of two words when it is at most `limit`, else `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  return new ComparedWord(a).distanceTo(b, limit);
}

/** The same for words of any length, a row of the table at a time. */
function slowDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  let older = new Uint8Array(width);
  let previous = new Uint8Array(width);
  let current = new Uint8Array(width);
  for (let j = 0; j < width; j++) previous[j] = Math.min(j, 255);
  for (let i = 1; i <= a.length; i++) {
    current[0] = Math.min(i, 255);
    let best = current[0];
    for (let j = 1; j < width; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) cost = Math.min(cost, older[j - 2]! + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    [older, previous, current] = [previous, current, older];
  }
  return Math.min(previous[b.length]!, limit + 1);
}

/** Errors that are forgiven in a word of this length. */
export function forgivenErrors(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
