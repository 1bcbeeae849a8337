/**
 * Posting lists: where a term stands and how often. A list begins with its last place in four bytes,
 * so that places behind it can be appended without reading the list. Each entry is the distance from
 * the place before and two counts; the first is doubled, and odd when a second follows.
 *
 * @module
 */

import { PackedNumbers, PackedReader } from "./_packed_numbers.ts";

const HEADER = 4;

/**
 * Calls `visit` with each entry of a list in ascending place: for passages the counts in text and in
 * headings, for names those in the title and in item id and labels. Throws `RangeError` on bytes
 * that are no list, or a place beyond `last`.
 */
export function forEachPosting(
  packed: Uint8Array | null,
  last: number,
  visit: (place: number, first: number, second: number) => void,
): void {
  if (packed === null) return;
  if (packed.length < HEADER) throw new RangeError("Cannot read postings without their header");
  const reader = new PackedReader(packed, HEADER);
  let place = 0;
  while (!reader.done) {
    place += reader.next();
    if (place > last) throw new RangeError("Cannot read postings beyond the last place");
    const counts = reader.next();
    visit(place, counts >>> 1, (counts & 1) === 0 ? 0 : reader.next());
  }
  if (place !== lastPlace(packed)) throw new RangeError("Cannot read postings that end early");
}

/** What is called with each new entry of a list. */
export type PostingSource = (
  visit: (place: number, first: number, second: number) => void,
) => void;

/**
 * A list with more entries, all behind its last place and in ascending order; `null` when there is
 * none at all. Throws `RangeError` on an entry out of order.
 */
export function appendPostings(
  before: Uint8Array | null,
  entries: PostingSource,
): Uint8Array | null {
  const numbers = new PackedNumbers();
  numbers.append(before ?? headerOf(0));
  let last = before === null ? 0 : lastPlace(before);
  entries((place, first, second) => {
    if (place <= last) throw new RangeError("Cannot append postings out of order");
    numbers.push(place - last);
    numbers.push(first * 2 + (second > 0 ? 1 : 0));
    if (second > 0) numbers.push(second);
    last = place;
  });
  if (last === 0) return null;
  numbers.bytes().set(headerOf(last));
  return numbers.bytes();
}

/** A list without the places for which `isGone` says so; `null` when none is left. */
export function withoutPlaces(
  packed: Uint8Array | null,
  isGone: (place: number) => boolean,
): Uint8Array | null {
  if (packed === null) return null;
  const reader = new PackedReader(packed, HEADER);
  const kept = new PackedNumbers();
  kept.append(headerOf(0));
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
      if (runStart >= 0) kept.append(packed.subarray(runStart, start));
      runStart = -1;
      continue;
    }
    if (runStart < 0) {
      kept.push(place - lastKept);
      runStart = countsAt;
    }
    lastKept = place;
  }
  if (runStart >= 0) kept.append(packed.subarray(runStart));
  if (lastKept === 0) return null;
  kept.bytes().set(headerOf(lastKept));
  return kept.bytes();
}

function headerOf(last: number): Uint8Array {
  const header = new Uint8Array(HEADER);
  new DataView(header.buffer).setUint32(0, last, true);
  return header;
}

function lastPlace(packed: Uint8Array): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
}
