/**
 * Posting lists: where a term stands and how often. A list is kept in one or more parts in ascending
 * place, so that a change rewrites a part and not the list. A part begins with its last place in four
 * bytes, so that places behind it can be appended without reading it. Each entry is the distance from
 * the place before (in the first, from 0) and two counts; the first is doubled, and odd when a second
 * follows.
 *
 * @module
 */

import { PackedNumbers, PackedReader } from "./_packed_numbers.ts";

/** Bytes before the entries of a part. */
export const POSTINGS_HEADER = 4;

/** The parts of one list in ascending place; empty for a term that stands nowhere. */
export type PostingList = readonly Uint8Array[];

/** What is called with each entry of a list. */
export type PostingVisitor = (place: number, first: number, second: number) => void;

/**
 * Calls `visit` with each entry of a list in ascending place: for passages the counts in text and in
 * headings, for names those in the title and in item id and labels. Throws `RangeError` on bytes
 * that are no list, or a place beyond `last`.
 */
export function forEachPosting(list: PostingList, last: number, visit: PostingVisitor): void {
  for (const reader = new PostingReader(list, last); reader.next();) {
    visit(reader.place, reader.first, reader.second);
  }
}

/**
 * Reads a list entry by entry, for loops that run over every place where a common word stands. Throws
 * as {@linkcode forEachPosting} does.
 */
export class PostingReader {
  /** Of the entry that was read last. */
  place = 0;
  first = 0;
  second = 0;
  readonly #list: PostingList;
  readonly #last: number;
  #part = 0;
  /** What is left of the part at hand. */
  #reader = NOTHING_LEFT;
  /** Place of the last entry; the next part's places lie behind it, counted from 0. */
  #floor = 0;

  constructor(list: PostingList, last: number) {
    this.#list = list;
    this.#last = last;
  }

  /** Goes on to the next entry; false when there is none. */
  next(): boolean {
    if (this.#reader.done && !this.#open()) return false;
    const distance = this.#reader.quick();
    const place = this.place + distance;
    if (place > this.#last) throw new RangeError("Cannot read postings beyond the last place");
    if (distance === 0 || place <= this.#floor) {
      throw new RangeError("Cannot read postings out of order");
    }
    this.place = this.#floor = place;
    const counts = this.#reader.quick();
    this.first = counts >>> 1;
    this.second = (counts & 1) === 0 ? 0 : this.#reader.quick();
    return true;
  }

  /** Opens the next part, having closed the one at hand. */
  #open(): boolean {
    if (this.#part > 0 && this.place !== lastPlace(this.#list[this.#part - 1]!)) {
      throw new RangeError("Cannot read postings that end early");
    }
    const part = this.#list[this.#part];
    if (part === undefined) return false;
    if (part.length <= POSTINGS_HEADER) {
      throw new RangeError("Cannot read postings without entries");
    }
    this.#part++;
    this.#reader = new PackedReader(part, POSTINGS_HEADER);
    this.place = 0;
    return true;
  }
}

const NOTHING_LEFT = new PackedReader(new Uint8Array());

/** Bytes of all parts together: a measure of how long a list is that costs nothing. */
export function postingBytes(list: PostingList): number {
  let bytes = 0;
  for (const part of list) bytes += part.length;
  return bytes;
}

/** Packs entries in ascending place as one part; `null` when there are none. */
export function packPostings(
  entries: Iterable<readonly [place: number, first: number, second: number]>,
): Uint8Array | null {
  const numbers = new PackedNumbers();
  numbers.append(new Uint8Array(POSTINGS_HEADER));
  let last = 0;
  for (const [place, first, second] of entries) {
    if (place <= last) throw new RangeError("Cannot pack postings out of order");
    numbers.push(place - last);
    numbers.push(first * 2 + (second > 0 ? 1 : 0));
    if (second > 0) numbers.push(second);
    last = place;
  }
  return last === 0 ? null : withLastPlace(numbers.bytes(), last);
}

/** One part out of two, the second of which lies behind the first; throws `RangeError` if not. */
export function joinPostings(before: Uint8Array | null, more: Uint8Array | null) {
  if (before === null || more === null) return before ?? more;
  const reader = new PackedReader(more, POSTINGS_HEADER);
  const distance = reader.next() - lastPlace(before);
  if (distance <= 0) throw new RangeError("Cannot join postings out of order");
  const numbers = new PackedNumbers();
  numbers.append(before);
  numbers.push(distance);
  numbers.append(more.subarray(reader.at));
  return withLastPlace(numbers.bytes(), lastPlace(more));
}

/** A part without the places for which `isGone` says so; `null` when none is left. */
export function withoutPlaces(
  part: Uint8Array | null,
  isGone: (place: number) => boolean,
): Uint8Array | null {
  if (part === null) return null;
  const reader = new PackedReader(part, POSTINGS_HEADER);
  const kept = new PackedNumbers();
  kept.append(new Uint8Array(POSTINGS_HEADER));
  let place = 0;
  let lastKept = 0;
  /** Start of a run of entries that can be copied as they are. */
  let runStart = -1;
  while (!reader.done) {
    const start = reader.at;
    const distance = reader.next();
    place += distance;
    const countsAt = reader.at;
    if ((reader.next() & 1) === 1) reader.next();
    if (isGone(place)) {
      if (runStart >= 0) kept.append(part.subarray(runStart, start));
      runStart = -1;
      continue;
    }
    if (runStart < 0) {
      kept.push(place - lastKept);
      runStart = countsAt;
    }
    lastKept = place;
  }
  if (runStart >= 0) kept.append(part.subarray(runStart));
  return lastKept === 0 ? null : withLastPlace(kept.bytes(), lastKept);
}

/** The greatest place of a part. */
export function lastPlace(part: Uint8Array): number {
  return part[0]! + part[1]! * 0x100 + part[2]! * 0x10000 + part[3]! * 0x1000000;
}

/** The smallest place of a part; throws `RangeError` on a part without an entry. */
export function firstPlace(part: Uint8Array): number {
  return new PackedReader(part, POSTINGS_HEADER).next();
}

/** Writes the last place into the header of a part and answers the part. */
export function withLastPlace(part: Uint8Array, last: number): Uint8Array {
  part[0] = last & 0xff;
  part[1] = (last >>> 8) & 0xff;
  part[2] = (last >>> 16) & 0xff;
  part[3] = last >>> 24;
  return part;
}
