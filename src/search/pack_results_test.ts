import assert from "node:assert/strict";
import fc from "fast-check";
import { estimateTokens } from "../index/mod.ts";
import type { JsonValue } from "../platform/json.ts";
import { packResults, tokenCost } from "./pack_results.ts";

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

/** The text that is priced. */
function spacedJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${
    entries.map(([key, entry]) => `${JSON.stringify(key)}: ${spacedJson(entry)}`).join(", ")
  }}`;
}

Deno.test("tokenCost() prices the spaced form, dense scripts dearer", () => {
  assert.equal(tokenCost({ a: 1 }), 2);
  assert.equal(tokenCost({ a: "ああ" }), 3 + Math.ceil(9 / 4));
  assert.equal(tokenCost({ a: [1, "é\n", null], b: { c: true }, d: undefined as never }), 11);
  const text = fc.string({ unit: fc.constantFrom("a", '"', "\n", "é", "あ", "🎉", "\ud800", " ") });
  const value = fc.letrec<{ any: JsonValue }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(text, fc.option(tie("any"), { nil: undefined as never }), { maxKeys: 4 }),
    ) as fc.Arbitrary<JsonValue>,
  })).any;
  fc.assert(
    fc.property(value, (priced) => {
      assert.equal(tokenCost(priced), estimateTokens(spacedJson(priced)));
    }),
    { numRuns: 500 },
  );
});
