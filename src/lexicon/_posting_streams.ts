/**
 * Many growing posting lists in one buffer, written to in whatever order terms are met. Each list is a
 * chain of slices, every one twice as long as the one before, with the address of the next behind it:
 * a short list takes a few bytes, a long one is hardly ever interrupted.
 *
 * @module
 */

import { POSTINGS_HEADER, withLastPlace } from "./postings.ts";

const FIRST_SLICE = 8;
const LONGEST_SLICE = 2048;
/** Bytes of the address behind a slice. */
const LINK = 4;
/** Bytes of one entry at most. */
const LONGEST_ENTRY = 15;

/** Posting lists by number, each packed as `postings.ts` has it. */
export class PostingStreams {
  #bytes = new Uint8Array(1 << 14);
  #used = 0;
  #heads = new Uint32Array(256);
  /** Where the next byte goes, and where the slice at hand ends; both 0 before the first entry. */
  #at = new Uint32Array(256);
  #ends = new Uint32Array(256);
  #lasts = new Uint32Array(256);
  /** Bytes of the slice at hand. */
  #sizes = new Uint16Array(256);

  /** Bytes of all slices. */
  get size(): number {
    return this.#used;
  }

  /** Adds an entry to a list. Places of a list must come in ascending order. */
  push(list: number, place: number, first: number, second: number): void {
    if (list >= this.#heads.length) this.#growLists(list);
    const distance = place - this.#lasts[list]!;
    this.#lasts[list] = place;
    const counts = first * 2 + (second > 0 ? 1 : 0);
    if (this.#at[list]! + LONGEST_ENTRY > this.#ends[list]!) {
      this.#pushSlowly(list, distance);
      this.#pushSlowly(list, counts);
      if (second > 0) this.#pushSlowly(list, second);
      return;
    }
    let at = put(this.#bytes, this.#at[list]!, distance);
    at = put(this.#bytes, at, counts);
    this.#at[list] = second > 0 ? put(this.#bytes, at, second) : at;
  }

  /** A list as one part; `null` when nothing was added to it. */
  list(list: number): Uint8Array | null {
    if (list >= this.#heads.length || this.#ends[list] === 0) return null;
    const end = this.#at[list]!;
    const lastStart = this.#ends[list]! - this.#sizes[list]!;
    let length = POSTINGS_HEADER;
    for (let size = FIRST_SLICE; size < this.#sizes[list]!; size *= 2) length += size;
    const packed = new Uint8Array(
      this.#countLongest(list) * LONGEST_SLICE + length + end - lastStart,
    );
    let to = POSTINGS_HEADER;
    let from = this.#heads[list]!;
    for (let size = FIRST_SLICE; from !== lastStart; size = Math.min(2 * size, LONGEST_SLICE)) {
      packed.set(this.#bytes.subarray(from, from + size), to);
      to += size;
      from = this.#link(from + size);
    }
    packed.set(this.#bytes.subarray(from, end), to);
    return withLastPlace(packed, this.#lasts[list]!);
  }

  /** Slices of the greatest size before the one at hand. */
  #countLongest(list: number): number {
    if (this.#sizes[list] !== LONGEST_SLICE) return 0;
    let from = this.#heads[list]!;
    for (let size = FIRST_SLICE; size < LONGEST_SLICE; size *= 2) from = this.#link(from + size);
    let count = 0;
    const lastStart = this.#ends[list]! - LONGEST_SLICE;
    for (; from !== lastStart; count++) from = this.#link(from + LONGEST_SLICE);
    return count;
  }

  #link(at: number): number {
    const bytes = this.#bytes;
    return bytes[at]! + bytes[at + 1]! * 0x100 + bytes[at + 2]! * 0x10000 +
      bytes[at + 3]! * 0x1000000;
  }

  /** Writes a number that may not fit into the slice at hand. */
  #pushSlowly(list: number, value: number): void {
    for (let rest = value;; rest >>>= 7) {
      if (this.#at[list] === this.#ends[list]) this.#addSlice(list);
      const at = this.#at[list]!++;
      if (rest <= 0x7f) {
        this.#bytes[at] = rest;
        return;
      }
      this.#bytes[at] = (rest & 0x7f) | 0x80;
    }
  }

  #addSlice(list: number): void {
    const end = this.#ends[list]!;
    const size = end === 0 ? FIRST_SLICE : Math.min(2 * this.#sizes[list]!, LONGEST_SLICE);
    const start = this.#used;
    this.#used += size + LINK;
    if (this.#used > this.#bytes.length) this.#bytes = larger(this.#bytes, this.#used);
    if (end === 0) this.#heads[list] = start;
    else {
      this.#bytes[end] = start & 0xff;
      this.#bytes[end + 1] = (start >>> 8) & 0xff;
      this.#bytes[end + 2] = (start >>> 16) & 0xff;
      this.#bytes[end + 3] = start >>> 24;
    }
    this.#at[list] = start;
    this.#ends[list] = start + size;
    this.#sizes[list] = size;
  }

  #growLists(list: number): void {
    this.#heads = larger(this.#heads, list + 1);
    this.#at = larger(this.#at, list + 1);
    this.#ends = larger(this.#ends, list + 1);
    this.#lasts = larger(this.#lasts, list + 1);
    this.#sizes = larger(this.#sizes, list + 1);
  }
}

/** Writes one packed number and answers where the next one goes. */
function put(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}

/** A copy with room for `length` entries, at least twice as long. */
export function larger<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
  array: T,
  length: number,
): T {
  const Kind = array.constructor as new (length: number) => T;
  const copy = new Kind(Math.max(length, array.length * 2));
  copy.set(array);
  return copy;
}
