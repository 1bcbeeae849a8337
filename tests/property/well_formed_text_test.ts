/**
 * Texts whose every character takes two units, at every length modulo the length of a passage: no cut,
 * wherever it falls, may leave half a character.
 */

import assert from "node:assert/strict";
import { chunkText, TARGET_LENGTH } from "../../src/index/chunk_text.ts";
import { summariseTexts } from "../../src/index/summarise_texts.ts";
import { servedText } from "../../src/knowledge/model.ts";
import { codePointLength } from "../../src/platform/text.ts";
import { excerptOf } from "../../src/search/excerpt.ts";

/** Fills a body with `count` characters beyond the first plane. */
const BODIES: Readonly<Record<string, (count: number) => string>> = {
  "one run": (count) => "🎉".repeat(count),
  "one run behind a single unit": (count) => "x" + "𠀀".repeat(count),
  "words": (count) => words(count, 7, " "),
  "sentences": (count) => words(count, 83, "𝓪. "),
  "Japanese sentences": (count) => words(count, 61, "。"),
  "paragraphs": (count) => words(count, 130, "\n\n"),
};

function words(count: number, each: number, between: string): string {
  const parts: string[] = [];
  for (let left = count; left > 0; left -= each) parts.push("𠀋".repeat(Math.min(each, left)));
  return parts.join(between);
}

const withoutSpace = (text: string) => text.replace(/\s/g, "");

function requireWhole(text: string, what: string): void {
  assert.ok(text.isWellFormed(), what);
  const excerpt = excerptOf(text);
  assert.ok(excerpt.isWellFormed(), `excerpt, ${what}`);
  assert.equal(codePointLength(excerpt) > 280, excerpt.endsWith("..."), what);
}

for (const [kind, bodyOf] of Object.entries(BODIES)) {
  Deno.test(`every passage and excerpt of astral text is well formed, whatever its length: ${kind}`, () => {
    for (let count = TARGET_LENGTH; count < 2 * TARGET_LENGTH; count++) {
      const served = servedText("題𠀋", bodyOf(count));
      const texts = chunkText(served, "R").map(({ text }) => text);
      for (const [n, text] of texts.entries()) requireWhole(text, `${count}, passage ${n}`);
      assert.equal(withoutSpace(texts.join("")), withoutSpace(served), String(count));
    }
  });
}

Deno.test("every excerpt and summary of astral text is well formed, whatever its length", () => {
  for (let count = 1; count < 700; count++) {
    for (const [kind, bodyOf] of Object.entries(BODIES)) {
      const body = bodyOf(count);
      requireWhole(body, `${kind}, ${count}`);
      for (const budget of [1, 2, 50, 250]) {
        assert.ok(summariseTexts([body, body], budget)!.isWellFormed(), `${kind}, ${count}`);
      }
    }
  }
});
