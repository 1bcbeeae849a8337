/**
 * The numbers behind the order of results, in one place; `tests/relevance` judges every change.
 *
 * @module
 */

/** Weights of the word ranking. */
export interface WordWeights {
  /** How soon more of the same word stops counting. */
  readonly saturation: number;
  /** How much a long text is held against its words, 0 to 1. */
  readonly lengthPenalty: number;
  readonly titleLengthPenalty: number;
  readonly text: number;
  readonly heading: number;
  readonly title: number;
  /** Most that a word in title, item id or labels adds beside what it adds in the text. */
  readonly name: number;
  /** Item id and labels. */
  readonly otherNames: number;
  /** Share of the best passage in a document's score. */
  readonly passage: number;
  /** How much it counts that all of the query is found, 0 to 1. */
  readonly coverage: number;
  /** Each word of a compound name that is found as a whole, beside the words themselves. */
  readonly wholeName: number;
  /** Two words found as one. */
  readonly joined: number;
  /** A word found only inside longer ones. */
  readonly partial: number;
  /** A word found only with typing errors forgiven. */
  readonly misspelt: number;
  /** A word found only by another of the same meaning. */
  readonly synonym: number;
  /** A word of the same meaning in a document without the word that is asked for. */
  readonly related: number;
  /** Neighbouring words of the query that stand together in the passage. */
  readonly near: number;
  /** A name in the very spelling that was asked for. */
  readonly spelling: number;
  /** What is left of the score of a document without the quoted words, where another has them. */
  readonly withoutPhrase: number;
}

export const WORD_WEIGHTS: WordWeights = {
  saturation: 1.2,
  lengthPenalty: 0.75,
  titleLengthPenalty: 0.4,
  text: 1,
  heading: 1.5,
  title: 4,
  otherNames: 1,
  name: 0.5,
  passage: 0.8,
  coverage: 0.2,
  wholeName: 0.5,
  joined: 0.3,
  partial: 0.7,
  misspelt: 0.7,
  synonym: 0.6,
  related: 0.5,
  near: 1,
  spelling: 1,
  withoutPhrase: 0.2,
};

/** Weights of the paths beside the words, whose own score lies between 0 and 1. */
export const PATH_WEIGHTS = {
  /** Of the similarity of a vector. */
  dense: 0.05,
  /** Of the lowest score of any other path. */
  summary: 0.5,
  /** Gain of a document whose own summary says all of a question of several words. */
  ownSummary: 1.5,
} as const;

/** More results than this are never asked for. */
export const MOST_RESULTS = 50;
