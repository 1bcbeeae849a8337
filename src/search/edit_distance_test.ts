import assert from "node:assert/strict";
import fc from "fast-check";
import { editDistance, forgivenErrors } from "./edit_distance.ts";

Deno.test("editDistance() counts letters left out, added, replaced and exchanged", () => {
  const rows: readonly [string, string, number][] = [
    ["lock", "lock", 0],
    ["lock", "lok", 1],
    ["lock", "locks", 1],
    ["lock", "lick", 1],
    ["advisroy", "advisory", 1],
    ["concurency", "concurrency", 1],
    ["conccurancy", "concurrency", 3],
    ["", "ab", 2],
  ];
  for (const [a, b, distance] of rows) assert.equal(editDistance(a, b, 9), distance, `${a} ${b}`);
});

Deno.test("editDistance() gives one more than the limit where it is passed, and is symmetric", () => {
  assert.equal(editDistance("abcdef", "uvwxyz", 2), 3);
  assert.equal(editDistance("a", "abcdefgh", 2), 3);
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, limit) => {
      const full = editDistance(a, b, 99);
      assert.equal(editDistance(b, a, 99), full);
      assert.equal(editDistance(a, b, limit), Math.min(full, limit + 1));
    }),
  );
});

Deno.test("forgivenErrors() grows with the word and forgives nothing in a short one", () => {
  assert.deepEqual([0, 3, 4, 7, 8, 30].map(forgivenErrors), [0, 0, 1, 1, 2, 2]);
});
