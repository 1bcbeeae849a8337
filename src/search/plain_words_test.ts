import assert from "node:assert/strict";
import fc from "fast-check";
import { forEachPlainWord } from "./plain_words.ts";

function wordsOf(text: string): string[] {
  const words: string[] = [];
  forEachPlainWord(text, (number, start, end) => {
    assert.equal(number, words.length);
    words.push(text.slice(start, end));
  });
  return words;
}

Deno.test("forEachPlainWord() begins a word at a change of case and at a digit", () => {
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

Deno.test("forEachPlainWord() agrees with the expression that says the same", () => {
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
