import assert from "node:assert/strict";
import {
  firstPlace,
  forEachPosting,
  joinPostings,
  lastPlace,
  packPostings,
  postingBytes,
  withoutPlaces,
} from "./postings.ts";

type Entry = readonly [number, number, number];

function entriesOf(list: readonly Uint8Array[], last = 1_000_000): Entry[] {
  const entries: Entry[] = [];
  forEachPosting(list, last, (...entry) => entries.push(entry));
  return entries;
}

const ENTRIES: readonly Entry[] = [[1, 1, 0], [2, 0, 3], [200, 70, 1], [70_000, 5, 0]];

Deno.test("packPostings() keeps places and counts, and refuses places out of order", () => {
  const part = packPostings(ENTRIES)!;
  assert.deepEqual(entriesOf([part]), ENTRIES);
  assert.deepEqual([firstPlace(part), lastPlace(part)], [1, 70_000]);
  assert.equal(packPostings([]), null);
  assert.throws(() => packPostings([[2, 1, 0], [2, 1, 0]]), RangeError);
});

Deno.test("forEachPosting() reads the parts of a list one after the other", () => {
  const parts = [packPostings(ENTRIES.slice(0, 1))!, packPostings(ENTRIES.slice(1))!];
  assert.deepEqual(entriesOf(parts), ENTRIES);
  assert.deepEqual(entriesOf([]), []);
  assert.equal(postingBytes(parts), parts[0]!.length + parts[1]!.length);
  assert.throws(() => entriesOf(parts.toReversed()), RangeError);
});

Deno.test("joinPostings() equals a part written at once, and refuses one that is not behind", () => {
  const all = packPostings(ENTRIES);
  for (let at = 0; at <= ENTRIES.length; at++) {
    const first = packPostings(ENTRIES.slice(0, at));
    const second = packPostings(ENTRIES.slice(at));
    assert.deepEqual(joinPostings(first, second), all);
    if (first !== null && second !== null) {
      assert.throws(() => joinPostings(second, first), RangeError);
    }
  }
});

Deno.test("withoutPlaces() equals a part written without them", () => {
  const part = packPostings(ENTRIES);
  for (let mask = 0; mask < 16; mask++) {
    const isGone = (place: number) =>
      (mask >> ENTRIES.findIndex((entry) => entry[0] === place)) & 1;
    const kept = ENTRIES.filter(([place]) => isGone(place) === 0);
    assert.deepEqual(withoutPlaces(part, (place) => isGone(place) === 1), packPostings(kept));
  }
});

Deno.test("forEachPosting() refuses a place beyond the last and bytes that end early", () => {
  const part = packPostings(ENTRIES)!;
  assert.throws(() => entriesOf([part], 69_999), RangeError);
  for (let length = 0; length < part.length; length++) {
    assert.throws(() => entriesOf([part.subarray(0, length)]), RangeError, String(length));
  }
});
