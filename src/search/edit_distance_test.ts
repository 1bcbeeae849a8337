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

/** The table of distances, cell by cell. */
function tableDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j++) table[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(
        table[i - 1]![j]! + 1,
        table[i]![j - 1]! + 1,
        table[i - 1]![j - 1]! + cost,
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, table[i - 2]![j - 2]! + 1);
      }
      table[i]![j] = least;
    }
  }
  return table[a.length]![b.length]!;
}

Deno.test("editDistance() agrees with the table of distances, for words of any length and script", () => {
  const unit = fc.constantFrom("a", "b", "c", "é", "認");
  const word = fc.oneof(
    fc.string({ unit, maxLength: 9 }),
    fc.string({ unit, minLength: 28, maxLength: 35 }),
  );
  const near = fc.tuple(word, fc.nat(40), fc.nat(40), unit).map(([a, cut, put, more]) => {
    const shorter = a.slice(0, cut) + a.slice(cut + 1);
    return [a, shorter.slice(0, put) + more + shorter.slice(put)] as const;
  });
  fc.assert(
    fc.property(
      fc.oneof(near, fc.tuple(word, word)),
      fc.integer({ min: 0, max: 4 }),
      ([a, b], limit) => {
        assert.equal(editDistance(a, b, limit), Math.min(tableDistance(a, b), limit + 1));
      },
    ),
    { numRuns: 3000 },
  );
});

Deno.test("forgivenErrors() grows with the word and forgives nothing in a short one", () => {
  assert.deepEqual([0, 3, 4, 7, 8, 30].map(forgivenErrors), [0, 0, 1, 1, 2, 2]);
});
