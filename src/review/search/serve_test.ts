import assert from "node:assert/strict";
import { costOf, RESPONSE_CHARACTERS, withinBudget } from "./serve.ts";

/** A record of exactly this cost. */
function recordOf(cost: number): { readonly excerpt: string; readonly pullRequest: number } {
  const keys = "excerpt".length + "pullRequest".length;
  return { excerpt: "x".repeat(cost - keys), pullRequest: 9 };
}

Deno.test("withinBudget() serves two records of exactly the budget and not one character more", () => {
  assert.equal(RESPONSE_CHARACTERS, 354_150);
  const half = recordOf(177_075);
  assert.equal(costOf(half), 177_075);
  assert.equal(withinBudget([half, half]).length, 2);
  assert.equal(withinBudget([half, recordOf(177_076)]).length, 1);
});

Deno.test("withinBudget() serves the first record whatever it costs, and ends at a later one", () => {
  const large = recordOf(400_000);
  assert.equal(withinBudget([large]).length, 1);
  assert.equal(withinBudget([large, recordOf(20)]).length, 1);
  assert.equal(withinBudget([recordOf(20), large, recordOf(20)]).length, 1);
  assert.equal(withinBudget([]).length, 0);
});

Deno.test("costOf() counts code points of texts and keys alone for everything else", () => {
  assert.equal(costOf({ a: "😀é" }), 3);
  assert.equal(costOf({ ab: null, cd: true, ef: 123456789, gh: 9223372036854775807n }), 8);
});
