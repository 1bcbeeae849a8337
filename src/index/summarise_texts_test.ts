import assert from "node:assert/strict";
import { sha256Hex } from "../platform/hash.ts";
import { estimateTokens } from "./estimate_tokens.ts";
import { summariseTexts, SUMMARY_PROMPT_HASH } from "./summarise_texts.ts";
import { gramScores } from "./_gram_scores.ts";

const children = [
  "The cache expires. The cache expires after ten minutes. Unrelated zebra!",
  "Queue drains. The cache expires early?",
];

Deno.test("summariseTexts() chooses the golden sentences for each budget", () => {
  assert.equal(
    summariseTexts(children, 16),
    "The cache expires after ten minutes. The cache expires early?",
  );
  assert.equal(summariseTexts(children, 12), "The cache expires after ten minutes.");
  assert.equal(summariseTexts(children, 8), "The cache expires early?");
  assert.equal(summariseTexts(children, 3), "The cache ex");
});

Deno.test("gramScores() gives the golden scores and forgets them afterwards", () => {
  const sentences = [
    "The cache expires.",
    "The cache expires after ten minutes.",
    "Unrelated zebra!",
    "Queue drains.",
    "The cache expires early?",
  ];
  for (let round = 0; round < 2; round++) {
    assert.deepEqual([...gramScores(sentences)], [53, 72, 14, 11, 59]);
  }
  assert.deepEqual([...gramScores(["ab", "ab", "é", ""])], [2, 2, 1, 0]);
});

Deno.test("summariseTexts() gives nothing for nothing, and nothing that does not fit", () => {
  assert.equal(summariseTexts([]), "");
  assert.equal(summariseTexts([" \n", ""]), "");
  assert.equal(summariseTexts(["日本語"], 1), "");
  assert.equal(summariseTexts(["日本語"], 2), "日");
});

Deno.test("summariseTexts() cuts behind a word and keeps within 250 tokens", () => {
  const summary = summariseTexts(["word ".repeat(900)])!;
  assert.ok(!summary.endsWith(" "));
  assert.equal(estimateTokens(summary), 250);
  assert.equal(summariseTexts(["🎉".repeat(400)])!, "🎉".repeat(166));
});

Deno.test("the rule's name is its prompt hash", () => {
  assert.equal(sha256Hex("extractive-sentence-selection/2"), SUMMARY_PROMPT_HASH);
});
