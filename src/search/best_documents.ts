/**
 * From scores to the documents of a ranking. A common word is in most documents and a page shows a
 * few: the rest is neither put in order nor described.
 *
 * @module
 */

import type { Lexicon } from "../lexicon/mod.ts";
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

/**
 * The documents that a scorer found something in, best first, at most `most`: the same ones in the
 * same order as the first of all of them. `perfect` is the score of a perfect answer.
 */
export function bestDocuments(
  scorer: WordScorer,
  lexicon: Lexicon,
  weights: WordWeights,
  perfect: number,
  most: number,
): { readonly documents: RankedDocument[]; readonly isCut: boolean } {
  const judge = new Judge(scorer, lexicon, weights, perfect);
  const found = scorer.foundDocuments();
  const scores = new Float64Array(found.length);
  for (let i = 0; i < found.length; i++) scores[i] = judge.scoreOf(found[i]!);
  const least = leastOfGreatest(scores, most);
  const documents: RankedDocument[] = [];
  for (let i = 0; i < found.length; i++) {
    // A related word of no weight leaves a document without a score.
    if (scores[i]! < least || scorer.scores[found[i]!] === 0) continue;
    documents.push(judge.describe(found[i]!, scores[i]!));
  }
  documents.sort(byScore);
  const isCut = found.length > most;
  if (documents.length > most) documents.length = most;
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
      holdsAll: scorer.found[document]! / scorer.wanted > 1 - 1e-9,
    };
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
  // A heap of the greatest so far with the least of them on top: few values get past it.
  const heap = values.slice(0, most).sort();
  for (let i = most; i < values.length; i++) {
    if (values[i]! > heap[0]!) replaceLeast(heap, values[i]!);
  }
  return heap[0]!;
}

function replaceLeast(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
