import assert from "node:assert/strict";
import fc from "fast-check";
import { estimateTokens } from "./estimate_tokens.ts";

Deno.test("estimateTokens() counts the golden texts", () => {
  const table: [string, number][] = [
    ["", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["あ", 2],
    ["ああ", 3],
    ["あいう abc", 6],
    ["a🎉", 3],
    ["𠀀", 1],
    ["→", 1],
    ["\0".repeat(5), 2],
  ];
  for (const [text, tokens] of table) assert.equal(estimateTokens(text), tokens, text);
});

Deno.test("estimateTokens() follows the formula for any text", () => {
  const dense =
    /[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{1f300}-\u{1faff}]/u;
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const points = [...text];
    const heavy = points.filter((point) => dense.test(point)).length;
    const expected = Math.ceil(heavy * 1.5) + Math.ceil((points.length - heavy) / 4);
    assert.equal(estimateTokens(text), Math.max(1, expected));
  }));
});
