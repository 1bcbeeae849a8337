import assert from "node:assert/strict";
import { PostingStreams } from "./_posting_streams.ts";
import { packPostings } from "./postings.ts";

Deno.test("PostingStreams gives each list as if it had been written alone", () => {
  const streams = new PostingStreams();
  const expected = new Map<number, [number, number, number][]>();
  for (let place = 1; place <= 20_000; place++) {
    for (const list of [0, 1 + place % 3, 10 + place % 700, 5000 * (place % 2)]) {
      if (expected.get(list)?.at(-1)?.[0] === place) continue;
      const entry: [number, number, number] = [place, place % 300, place % 7 === 0 ? place : 0];
      streams.push(list, ...entry);
      expected.set(list, [...expected.get(list) ?? [], entry].slice(-4000));
    }
    if (place === 4000) {
      for (const [list, entries] of expected) {
        assert.deepEqual(streams.list(list), packPostings(entries), String(list));
      }
    }
  }
  for (const [list, entries] of expected) {
    if (entries.length < 4000) {
      assert.deepEqual(streams.list(list), packPostings(entries), String(list));
    }
  }
  assert.equal(streams.list(4999), null);
  assert.equal(streams.list(1_000_000), null);
  assert.ok(streams.size > 0);
});
