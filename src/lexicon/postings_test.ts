import assert from "node:assert/strict";
import { appendPostings, forEachPosting, withoutPlaces } from "./postings.ts";

type Entry = readonly [number, number, number];

function packed(before: Uint8Array | null, entries: readonly Entry[]): Uint8Array | null {
  return appendPostings(before, (visit) => entries.forEach((entry) => visit(...entry)));
}

function entriesOf(list: Uint8Array | null, last = 1_000_000): Entry[] {
  const entries: Entry[] = [];
  forEachPosting(list, last, (...entry) => entries.push(entry));
  return entries;
}

const ENTRIES: readonly Entry[] = [[1, 1, 0], [2, 0, 3], [200, 70, 1], [70_000, 5, 0]];

Deno.test("appendPostings() keeps places and counts, also behind a list that exists", () => {
  assert.deepEqual(entriesOf(packed(null, ENTRIES)), ENTRIES);
  const first = packed(null, ENTRIES.slice(0, 2));
  assert.deepEqual(entriesOf(packed(first, ENTRIES.slice(2))), ENTRIES);
  assert.equal(packed(null, []), null);
  assert.deepEqual(packed(first, []), first);
});

Deno.test("appendPostings() refuses a place that is not behind the last", () => {
  assert.throws(() => packed(packed(null, ENTRIES), [[70_000, 1, 0]]), RangeError);
});

Deno.test("withoutPlaces() equals a list written without them", () => {
  const list = packed(null, ENTRIES);
  for (let mask = 0; mask < 16; mask++) {
    const isGone = (place: number) =>
      (mask >> ENTRIES.findIndex((entry) => entry[0] === place)) & 1;
    const kept = ENTRIES.filter(([place]) => isGone(place) === 0);
    assert.deepEqual(withoutPlaces(list, (place) => isGone(place) === 1), packed(null, kept));
  }
});

Deno.test("forEachPosting() refuses a place beyond the last and bytes that end early", () => {
  const list = packed(null, ENTRIES)!;
  assert.throws(() => entriesOf(list, 69_999), RangeError);
  for (let length = 0; length < list.length; length++) {
    assert.throws(() => entriesOf(list.subarray(0, length)), RangeError, String(length));
  }
});
