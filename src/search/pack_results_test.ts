import assert from "node:assert/strict";
import { packResults, spacedJson, tokenCost } from "./pack_results.ts";

Deno.test("packResults() keeps results in order while they fit, and always the first", () => {
  const pack = (costs: readonly number[], budget: number) => {
    const { kept, usedTokens } = packResults(costs, (cost) => cost, budget);
    return [kept.length, usedTokens];
  };
  assert.deepEqual(pack([5, 5, 5], 10), [2, 10]);
  assert.deepEqual(pack([50, 5], 10), [1, 50]);
  assert.deepEqual(pack([3, 9, 1], 10), [1, 3]);
  assert.deepEqual(pack([], 10), [0, 0]);
});

Deno.test("spacedJson() puts one space behind commas and colons and leaves text unescaped", () => {
  assert.equal(
    spacedJson({ a: [1, "é\n", null], b: { c: true }, d: undefined as never }),
    '{"a": [1, "é\\n", null], "b": {"c": true}}',
  );
});

Deno.test("tokenCost() prices the spaced form, dense scripts dearer", () => {
  assert.equal(tokenCost({ a: 1 }), 2);
  assert.equal(tokenCost({ a: "ああ" }), 3 + Math.ceil(9 / 4));
});
