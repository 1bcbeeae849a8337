/**
 * Extractive summaries (index-build.md 7.4): whole sentences of the children, the most typical ones
 * that fit the budget, in document order. No network, no model.
 *
 * @module
 */

import { codePointLength, firstCodePoints, stripEnd } from "../platform/text.ts";
import { gramScores } from "./_gram_scores.ts";
import { estimateTokens } from "./estimate_tokens.ts";
import { splitSentences } from "./split_text.ts";

/** Names the summariser. */
export const SUMMARY_MODEL = "theurian-extractive-sentences";
/** Revision of the summariser; changes with any change of its result. */
export const SUMMARY_REVISION = "2";
/** Names the rule in place of a prompt: SHA-256 of `extractive-sentence-selection/2`. */
export const SUMMARY_PROMPT_HASH =
  "a99790653c03cc4401ac72ee56771cde56befb121956936c0e37b9a65083dddf";
/** Tokens of a summary. */
export const SUMMARY_BUDGET = 250;
/** Code points of all children together, beyond which nothing is summarised. */
export const LONGEST_SUMMARY_INPUT = 1_000_000;

/**
 * The summary of the children's texts, at most `budget` tokens; `null` when they are longer than
 * {@linkcode LONGEST_SUMMARY_INPUT} together.
 */
export function summariseTexts(
  children: readonly string[],
  budget = SUMMARY_BUDGET,
): string | null {
  let length = 0;
  for (const child of children) length += codePointLength(child);
  if (length > LONGEST_SUMMARY_INPUT) return null;
  const sentences = children.flatMap((child) => splitSentences(child));
  const taken = chooseSentences(sentences, budget);
  if (taken.length > 0) return taken.map((position) => sentences[position]!).join(" ");
  return sentences.length === 0 ? "" : longestPrefix(sentences[0]!, budget);
}

/** Positions of the chosen sentences, ascending. */
function chooseSentences(sentences: readonly string[], budget: number): number[] {
  const scores = gramScores(sentences);
  const order = Array.from(sentences.keys())
    .sort((a, b) => scores[b]! - scores[a]! || a - b);
  const taken: number[] = [];
  let used = 0;
  for (const position of order) {
    if (used >= budget) break;
    const sentence = sentences[position]!;
    const charge = estimateTokens(taken.length === 0 ? sentence : " " + sentence);
    if (used + charge <= budget) {
      taken.push(position);
      used += charge;
    }
  }
  return taken.sort((a, b) => a - b);
}

/** The longest start of a sentence that fits, without white space at its end. */
function longestPrefix(sentence: string, budget: number): string {
  let fits = 0;
  let tooLong = codePointLength(sentence);
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(firstCodePoints(sentence, middle)) <= budget) fits = middle;
    else tooLong = middle;
  }
  const prefix = firstCodePoints(sentence, fits);
  return stripEnd(prefix) || prefix;
}
