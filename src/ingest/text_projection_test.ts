import assert from "node:assert/strict";
import { searchableText, textProjection } from "./text_projection.ts";

Deno.test("textProjection() gives one line a scalar, in document order", () => {
  assert.equal(
    textProjection({ z: { b: [1, "two", null] }, a: true, n: false, e: {}, l: [] }),
    "z.b.0: 1\nz.b.1: two\nz.b.2: null\na: true\nn: false\ne: {}\nl: []",
  );
});

Deno.test("textProjection() calls a root without keys value", () => {
  assert.equal(textProjection("x"), "value: x");
  assert.equal(textProjection(null), "value: null");
  assert.equal(textProjection({}), "value: {}");
});

Deno.test("textProjection() stops at the nesting limit, line by line", () => {
  let deep: unknown = { end: 1 };
  for (let i = 0; i < 23; i++) deep = { a: deep };
  assert.match(textProjection(deep), /\.end: 1$/);
  const text = textProjection({ a: deep, b: 2 });
  assert.match(text, /\.a: \[truncated: nesting limit\]\nb: 2$/);
});

Deno.test("textProjection() stops at the size limit, behind a whole line", () => {
  const text = textProjection(Array.from({ length: 3_000 }, () => "x".repeat(1_000)));
  assert(text.length < 2_097_152 + 50);
  assert.match(text, /x\n\[truncated: size limit\]$/);
});

Deno.test("textProjection() bounds the walk of aliases that unfold without end", () => {
  let node: unknown = [];
  for (let i = 0; i < 20; i++) node = [node, node];
  const start = performance.now();
  const text = textProjection(node);
  assert(text.endsWith("limit]"));
  assert(performance.now() - start < 5_000);
});

Deno.test("searchableText() joins body and projection by a blank line", () => {
  assert.equal(searchableText("body", { a: 1 }), "body\n\na: 1");
  assert.equal(searchableText("body", null), "body");
});
