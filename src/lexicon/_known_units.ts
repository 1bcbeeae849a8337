/**
 * What the written units met so far consist of. Units of plain ASCII are found by their bytes: no text
 * is made for a unit that was met before, which is most of them.
 *
 * @module
 */

import type { AsciiUnits } from "./_ascii_units.ts";
import { larger } from "./_posting_streams.ts";

/** A unit that is not known. */
export const NO_UNIT = -1;

/**
 * Numbers about a unit, side by side so that looking at a unit touches memory once: where its bytes
 * begin, how many there are (0 for a unit that is not plain), its term if it is one word with one term
 * (negative for any other), and where its terms end, which begin where those of the unit before end.
 */
const FIELDS = 4;
const FROM = 0;
const LENGTH = 1;
const ONLY_TERM = 2;
const TERMS_END = 3;

/** Units and their terms. A unit's number is its place in the order of adding. */
export class KnownUnits {
  #units = new Int32Array(256 * FIELDS);
  #count = 0;
  /** Numbers of the terms of all units, one unit after the other. */
  #terms = new Uint32Array(256);
  /** Words or characters of a unit as a reader would count them. */
  #lengths = new Uint8Array(256);
  readonly #numbers = new Map<string, number>();
  /** Pairs of a plain unit's hash and its number plus one, 0 where none is; at least half are free. */
  #slots = new Int32Array(2048);
  #bytes = new Uint8Array(4096);
  #used = 0;

  /** Units known. */
  get size(): number {
    return this.#count;
  }

  /** The number of a unit that is not plain. */
  numberOf(unit: string): number | undefined {
    return this.#numbers.get(unit);
  }

  /** The number of the plain unit at hand, or {@linkcode NO_UNIT}. */
  find(bytes: Uint8Array, { from, to, hash }: AsciiUnits): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = slotOf(hash, mask);; slot = (slot + 2) & mask) {
      const unit = slots[slot + 1]! - 1;
      if (unit < 0) return NO_UNIT;
      if (slots[slot] === hash && this.#equals(unit, bytes, from, to - from)) return unit;
    }
  }

  /** The term of a unit that is one word with one term; negative for any other. */
  onlyTermOf(unit: number): number {
    return this.#units[unit * FIELDS + ONLY_TERM]!;
  }

  /** Numbers of a unit's terms. */
  termsOf(unit: number): Uint32Array {
    const start = unit === 0 ? 0 : this.#units[(unit - 1) * FIELDS + TERMS_END]!;
    return this.#terms.subarray(start, this.#units[unit * FIELDS + TERMS_END]);
  }

  /** Words or characters of a unit as a reader would count them. */
  lengthOf(unit: number): number {
    return this.#lengths[unit]!;
  }

  /** Adds a unit that is not plain. */
  add(unit: string, terms: readonly number[], length: number): void {
    this.#numbers.set(unit, this.#append(terms, length));
  }

  /** Adds a plain unit that is not there. */
  addPlain(
    bytes: Uint8Array,
    { from, to, hash }: AsciiUnits,
    terms: readonly number[],
    length: number,
  ): void {
    const unit = this.#append(terms, length);
    const end = this.#used + to - from;
    if (end > this.#bytes.length) this.#bytes = larger(this.#bytes, end);
    this.#bytes.set(bytes.subarray(from, to), this.#used);
    this.#units[unit * FIELDS + FROM] = this.#used;
    this.#units[unit * FIELDS + LENGTH] = to - from;
    this.#used = end;
    if (this.#count * 4 > this.#slots.length) this.#spreadOut();
    place(this.#slots, hash, unit);
  }

  #append(terms: readonly number[], length: number): number {
    const unit = this.#count++;
    const start = unit === 0 ? 0 : this.#units[(unit - 1) * FIELDS + TERMS_END]!;
    const end = start + terms.length;
    if (end > this.#terms.length) this.#terms = larger(this.#terms, end);
    this.#terms.set(terms, start);
    if (unit === this.#lengths.length) {
      this.#lengths = larger(this.#lengths, this.#count);
      this.#units = larger(this.#units, this.#count * FIELDS);
    }
    this.#lengths[unit] = length;
    this.#units[unit * FIELDS + ONLY_TERM] = terms.length === 1 && length === 1 ? terms[0]! : -1;
    this.#units[unit * FIELDS + TERMS_END] = end;
    return unit;
  }

  #equals(unit: number, bytes: Uint8Array, from: number, length: number): boolean {
    const known = this.#bytes;
    const start = this.#units[unit * FIELDS + FROM]!;
    if (this.#units[unit * FIELDS + LENGTH] !== length) return false;
    for (let i = 0; i < length; i++) if (known[start + i] !== bytes[from + i]) return false;
    return true;
  }

  #spreadOut(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    for (let slot = 0; slot < this.#slots.length; slot += 2) {
      const unit = this.#slots[slot + 1]! - 1;
      if (unit >= 0) place(slots, this.#slots[slot]!, unit);
    }
    this.#slots = slots;
  }
}

function place(slots: Int32Array, hash: number, unit: number): void {
  const mask = slots.length - 1;
  let slot = slotOf(hash, mask);
  while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
  slots[slot] = hash;
  slots[slot + 1] = unit + 1;
}

/** Where a hash is looked for first; its lowest bits hang on the last bytes of a unit too much. */
function slotOf(hash: number, mask: number): number {
  return ((hash ^ (hash >>> 15)) << 1) & mask;
}
