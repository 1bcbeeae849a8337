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

/** Units and their terms. A unit's number is its place in the order of adding. */
export class KnownUnits {
  /** Numbers of the terms of all units, one unit after the other. */
  terms = new Uint32Array(256);
  /** Where a unit's terms end; they begin where those of the one before end. */
  ends = new Uint32Array(256);
  /** Words or characters of a unit as a reader would count them. */
  lengths = new Uint8Array(256);
  #count = 0;

  readonly #numbers = new Map<string, number>();
  /** A plain unit's number plus one, 0 where none is; a power of two, at least twice the units. */
  #slots = new Uint32Array(1024);
  /** Of plain units, 0 for others: the hash, and where the bytes are. */
  #hashes = new Int32Array(256);
  #from = new Uint32Array(256);
  #to = new Uint32Array(256);
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
    const mask = this.#slots.length - 1;
    for (let slot = spread(hash) & mask;; slot = (slot + 1) & mask) {
      const unit = this.#slots[slot]! - 1;
      if (unit < 0) return NO_UNIT;
      if (this.#hashes[unit] === hash && this.#equals(unit, bytes, from, to)) return unit;
    }
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
    this.#from[unit] = this.#used;
    this.#to[unit] = end;
    this.#hashes[unit] = hash;
    this.#used = end;
    if (this.#count * 2 > this.#slots.length) this.#spreadOut();
    else this.#place(unit);
  }

  #append(terms: readonly number[], length: number): number {
    const unit = this.#count++;
    if (unit === this.ends.length) this.#grow();
    const start = unit === 0 ? 0 : this.ends[unit - 1]!;
    const end = start + terms.length;
    if (end > this.terms.length) this.terms = larger(this.terms, end);
    this.terms.set(terms, start);
    this.ends[unit] = end;
    this.lengths[unit] = length;
    return unit;
  }

  #grow(): void {
    this.ends = larger(this.ends, this.#count);
    this.lengths = larger(this.lengths, this.#count);
    this.#hashes = larger(this.#hashes, this.#count);
    this.#from = larger(this.#from, this.#count);
    this.#to = larger(this.#to, this.#count);
  }

  #equals(unit: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.#from[unit]!;
    const length = to - from;
    if (this.#to[unit]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== bytes[from + i]) return false;
    return true;
  }

  #place(unit: number): void {
    const mask = this.#slots.length - 1;
    let slot = spread(this.#hashes[unit]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = unit + 1;
  }

  #spreadOut(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let unit = 0; unit < this.#count; unit++) {
      if (this.#from[unit] !== this.#to[unit]) this.#place(unit);
    }
  }
}

/** The lowest bits of the hash hang on the last bytes too much. */
function spread(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}
