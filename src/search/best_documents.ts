/**
 * From scores to the documents of a ranking. A common word is in most documents and a page shows a
 * few: the rest is neither put in order nor described.
 *
 * @module
 */

import type { Lexicon } from "../lexicon/mod.ts";
import { Greatest } from "./_greatest.ts";
import type { WordScorer } from "./score_words.ts";
import type { WordWeights } from "./weights.ts";

/** A document that holds something of the query. */
export interface RankedDocument {
  /** Number in the word index, which is also the order of item ids. */
  readonly document: number;
  /** Share of the score of a document that would answer perfectly, 0 to 1. */
  readonly score: number;
  /** The passage that answers best, counted from the document's first; 0 when only the name does. */
  readonly ordinal: number;
  /** True when it holds a unit as a word: as it is, inflected, misspelt or by its meaning. */
  readonly byWord: boolean;
  /** True when it holds a unit as a part of a longer word. */
  readonly byPart: boolean;
  /** True when it holds every unit that is found anywhere. */
  readonly holdsAll: boolean;
}

/** Marks of a {@linkcode WordScorer} for the two kinds of finding. */
export const BY_WORD = 1;
export const BY_PART = 2;

type Scored = Pick<RankedDocument, "document" | "score">;

/** Best first; equal scores in ascending item id. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || a.document - b.document;
}

/** How many of the best documents are wanted. */
export interface Wanted {
  /** So many are enough, at least 1; `Infinity` for all. */
  readonly most: number;
  /** What the score of a document that holds everything may still be multiplied with, at least 1. */
  readonly raise: number;
}

/**
 * The documents that a scorer found something in, best first: at least the `most` best, the same ones
 * in the same order as the first of all of them, and those that may be raised to be among these.
 * `perfect` is the score of a perfect answer.
 */
export function bestDocuments(
  scorer: WordScorer,
  lexicon: Lexicon,
  weights: WordWeights,
  perfect: number,
  { most, raise }: Wanted,
): { readonly documents: RankedDocument[]; readonly isCut: boolean } {
  const judge = new Judge(scorer, lexicon, weights, perfect);
  const found = scorer.foundDocuments();
  const scores = new Float64Array(found.length);
  for (let i = 0; i < found.length; i++) scores[i] = judge.scoreOf(found[i]!);
  const least = leastOfGreatest(scores, most);
  const documents: RankedDocument[] = [];
  for (let i = 0; i < found.length; i++) {
    const score = scores[i]!;
    // A related word of no weight leaves a document without a score.
    if (scorer.scores[found[i]!] === 0) continue;
    const isWanted = score >= least || (score * raise >= least && judge.holdsAll(found[i]!));
    if (isWanted) documents.push(judge.describe(found[i]!, score));
  }
  documents.sort(byScore);
  const isCut = found.length > most;
  if (documents.length > most) {
    // Behind the last wanted one there are others of its score, and those that may be raised.
    const raisable = documents.slice(most).filter((one) => raise > 1 && one.holdsAll);
    documents.length = most;
    documents.push(...raisable);
  }
  return { documents, isCut };
}

/** Reads what a scorer added up. A class for what a query's documents have in common. */
class Judge {
  constructor(
    readonly scorer: WordScorer,
    readonly lexicon: Lexicon,
    readonly weights: WordWeights,
    readonly perfect: number,
  ) {}

  scoreOf(document: number): number {
    const { scorer, weights } = this;
    const score = scorer.scores[document]!;
    if (score === 0) return 0;
    const coverage = scorer.found[document]! / scorer.wanted;
    const whole = score + weights.passage * scorer.passageScores[this.#bestPassage(document)]!;
    return whole * (1 - weights.coverage + weights.coverage * coverage) / this.perfect;
  }

  describe(document: number, score: number): RankedDocument {
    const { scorer } = this;
    const mark = scorer.marks[document]!;
    return {
      document,
      score,
      ordinal: this.#bestPassage(document) - this.lexicon.facts.rows[document]!,
      byWord: (mark & BY_WORD) !== 0,
      byPart: (mark & BY_PART) !== 0,
      holdsAll: this.holdsAll(document),
    };
  }

  holdsAll(document: number): boolean {
    return this.scorer.found[document]! / this.scorer.wanted > 1 - 1e-9;
  }

  /** Row of the passage that answers best; the first of equal ones. */
  #bestPassage(document: number): number {
    const { rows, passageCounts } = this.lexicon.facts;
    const { passageScores } = this.scorer;
    const first = rows[document]!;
    const end = first + passageCounts[document]!;
    let best = first;
    for (let passage = first + 1; passage < end; passage++) {
      if (passageScores[passage]! > passageScores[best]!) best = passage;
    }
    return best;
  }
}

/** The least of the `most` greatest values; `-Infinity` when there are no more than that. */
export function leastOfGreatest(values: Float64Array, most: number): number {
  if (values.length <= most) return -Infinity;
  const greatest = new Greatest(most);
  for (const value of values) greatest.add(value);
  return greatest.least;
}
