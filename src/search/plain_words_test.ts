import assert from "node:assert/strict";
import fc from "fast-check";
import { WordedText } from "./plain_words.ts";

function wordsOf(text: string): string[] {
  const { bounds } = new WordedText(text);
  return Array.from({ length: bounds.length / 2 }, (_, i) => {
    return text.slice(bounds[2 * i], bounds[2 * i + 1]);
  });
}

Deno.test("WordedText begins a word at a change of case and at a digit", () => {
  assert.deepEqual(wordsOf("retryBudget HTTPServer x2_y AB a"), [
    "retry",
    "Budget",
    "HTTP",
    "Server",
    "x",
    "2",
    "y",
    "AB",
    "a",
  ]);
  assert.deepEqual(wordsOf("über Äpfel — 認証 ｘ"), ["ber", "pfel"]);
  assert.deepEqual(wordsOf(""), []);
});

Deno.test("WordedText agrees with the expression that says the same", () => {
  const letters = fc.string({
    unit: fc.constantFrom("a", "z", "A", "Z", "0", "9", " ", "_", "é", "\u212a"),
    maxLength: 30,
  });
  fc.assert(
    fc.property(letters, (text) => {
      assert.deepEqual(wordsOf(text), text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g) ?? []);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("WordedText knows words that follow one another, in texts of any length", () => {
  for (const length of [1, 7, 40_000, 70_000]) {
    const text = "aB1".repeat(length);
    assert.deepEqual(wordsOf(text), Array.from({ length }, () => ["a", "B", "1"]).flat());
  }
});
