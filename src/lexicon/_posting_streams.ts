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

/**
 * Numbers about a list, side by side so that adding to it touches memory once: where the next byte goes,
 * where the slice at hand ends (both 0 before the first entry), the last place, and where the first
 * slice begins.
 */
const FIELDS = 4;
const AT = 0;
const END = 1;
const LAST = 2;
const HEAD = 3;

/** Posting lists by number, each packed as `postings.ts` has it. */
export class PostingStreams {
  #bytes = new Uint8Array(1 << 14);
  #used = 0;
  #lists = new Uint32Array(256 * FIELDS);
  /** Bytes of the slice at hand. */
  #sizes = new Uint16Array(256);

  /** Bytes of all slices. */
  get size(): number {
    return this.#used;
  }

  /** Adds an entry to a list. Places of a list must come in ascending order. */
  push(list: number, place: number, first: number, second: number): void {
    if (list >= this.#sizes.length) this.#growLists(list);
    const lists = this.#lists;
    const base = list * FIELDS;
    const distance = place - lists[base + LAST]!;
    lists[base + LAST] = place;
    const counts = first * 2 + (second > 0 ? 1 : 0);
    let at = lists[base + AT]!;
    if (at + LONGEST_ENTRY > lists[base + END]!) {
      this.#pushSlowly(list, distance);
      this.#pushSlowly(list, counts);
      if (second > 0) this.#pushSlowly(list, second);
      return;
    }
    at = put(this.#bytes, at, distance);
    at = put(this.#bytes, at, counts);
    lists[base + AT] = second > 0 ? put(this.#bytes, at, second) : at;
  }

  /** A list as one part; `null` when nothing was added to it. */
  list(list: number): Uint8Array | null {
    const base = list * FIELDS;
    if (list >= this.#sizes.length || this.#lists[base + END] === 0) return null;
    const end = this.#lists[base + AT]!;
    const lastStart = this.#lists[base + END]! - this.#sizes[list]!;
    let from = this.#lists[base + HEAD]!;
    if (from === lastStart) return this.#listOfOneSlice(from, end, this.#lists[base + LAST]!);
    const slices: Uint8Array[] = [];
    let length = POSTINGS_HEADER + end - lastStart;
    for (let size = FIRST_SLICE; from !== lastStart; size = Math.min(2 * size, LONGEST_SLICE)) {
      slices.push(this.#bytes.subarray(from, from + size));
      length += size;
      from = this.#link(from + size);
    }
    const packed = new Uint8Array(length);
    let to = POSTINGS_HEADER;
    for (const slice of slices) {
      packed.set(slice, to);
      to += slice.length;
    }
    packed.set(this.#bytes.subarray(lastStart, end), to);
    return withLastPlace(packed, this.#lists[base + LAST]!);
  }

  /** Most lists have an entry or two. */
  #listOfOneSlice(from: number, end: number, last: number): Uint8Array {
    const packed = new Uint8Array(POSTINGS_HEADER + end - from);
    for (let at = from; at < end; at++) packed[POSTINGS_HEADER + at - from] = this.#bytes[at]!;
    return withLastPlace(packed, last);
  }

  #link(at: number): number {
    const bytes = this.#bytes;
    return bytes[at]! + bytes[at + 1]! * 0x100 + bytes[at + 2]! * 0x10000 +
      bytes[at + 3]! * 0x1000000;
  }

  /** Writes a number that may not fit into the slice at hand. */
  #pushSlowly(list: number, value: number): void {
    const base = list * FIELDS;
    for (let rest = value;; rest >>>= 7) {
      if (this.#lists[base + AT] === this.#lists[base + END]) this.#addSlice(list);
      const at = this.#lists[base + AT]!++;
      if (rest <= 0x7f) {
        this.#bytes[at] = rest;
        return;
      }
      this.#bytes[at] = (rest & 0x7f) | 0x80;
    }
  }

  #addSlice(list: number): void {
    const base = list * FIELDS;
    const end = this.#lists[base + END]!;
    const size = end === 0 ? FIRST_SLICE : Math.min(2 * this.#sizes[list]!, LONGEST_SLICE);
    const start = this.#used;
    this.#used += size + LINK;
    if (this.#used > this.#bytes.length) this.#bytes = larger(this.#bytes, this.#used);
    if (end === 0) this.#lists[base + HEAD] = start;
    else {
      this.#bytes[end] = start & 0xff;
      this.#bytes[end + 1] = (start >>> 8) & 0xff;
      this.#bytes[end + 2] = (start >>> 16) & 0xff;
      this.#bytes[end + 3] = start >>> 24;
    }
    this.#lists[base + AT] = start;
    this.#lists[base + END] = start + size;
    this.#sizes[list] = size;
  }

  #growLists(list: number): void {
    this.#sizes = larger(this.#sizes, list + 1);
    this.#lists = larger(this.#lists, this.#sizes.length * FIELDS);
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
