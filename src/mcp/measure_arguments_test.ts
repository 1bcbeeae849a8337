import assert from "node:assert/strict";
import type { JsonValue } from "../platform/json.ts";
import { argumentExcess } from "./measure_arguments.ts";

function nested(levels: number): JsonValue {
  let value: JsonValue = "scalar";
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

Deno.test("argumentExcess() counts the arguments as depth 1 and what they hold one deeper", () => {
  assert.equal(argumentExcess(nested(31)), null);
  assert.equal(argumentExcess(nested(32)), "depth");
  assert.equal(argumentExcess({ a: nested(30) }), null);
  assert.equal(argumentExcess({ a: nested(31) }), "depth");
});

Deno.test("argumentExcess() counts keys and values, the root included", () => {
  assert.equal(argumentExcess(new Array(99_999).fill(0)), null);
  assert.equal(argumentExcess(new Array(100_000).fill(0)), "values");
  const object = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [String(i), 0]));
  assert.equal(argumentExcess(object(49_999)), null);
  assert.equal(argumentExcess(object(50_000)), "values");
});

Deno.test("argumentExcess() measures text as it would be rendered", () => {
  const most = 12_582_912;
  assert.equal(argumentExcess(["a".repeat(most)]), null);
  assert.equal(argumentExcess(["a".repeat(most + 1)]), "characters");
  assert.equal(argumentExcess({ ["k".repeat(most)]: "ab" }), "characters");
  assert.equal(argumentExcess(["🚀".repeat(4_000_000)]), null);
  assert.equal(argumentExcess(['"'.repeat(most / 2)]), null);
  assert.equal(argumentExcess(['"'.repeat(most / 2 + 1)]), "characters");
  assert.equal(argumentExcess(["\u0000".repeat(most / 4)]), null);
  assert.equal(argumentExcess(["\u0000".repeat(most / 4 + 1)]), "characters");
  assert.equal(argumentExcess(["\u2028".repeat(most / 6 + 1)]), "characters");
});
