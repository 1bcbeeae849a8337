import assert from "node:assert/strict";
import { escaped, escapedFragment } from "./escape_fragment.ts";

Deno.test("escaped() makes everything visible that is not, and leaves readable text alone", () => {
  assert.equal(escaped("a b é 日本 🚀"), "a b é 日本 🚀");
  assert.equal(escaped(`"'\\`), String.raw`\"\'\\`);
  assert.equal(escaped("\n\u001b\u0085\u00a0"), String.raw`\x0a\x1b\x85\xa0`);
  assert.equal(escaped("\u200b\u202e\ufeff\ud800"), String.raw`\u200b\u202e\ufeff\ud800`);
  assert.equal(escaped("\u{e0001}"), String.raw`\U000e0001`);
});

Deno.test("escapedFragment() cuts at 120 characters of the escaped text, whatever its length", () => {
  assert.equal(escapedFragment("x".repeat(120)), "x".repeat(120));
  assert.equal(escapedFragment("x".repeat(5_000_000)), `${"x".repeat(120)}… (cut)`);
  assert.equal(escapedFragment("\0".repeat(100)), `${"\\x00".repeat(30)}… (cut)`);
});
