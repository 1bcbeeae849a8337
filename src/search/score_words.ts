/**
 * BM25 over fields at the level of documents: a word counts in text, headings, title, item id
 * and labels with a weight each, before it saturates. Statistics are taken over the documents that the call
 * admits and no others, so that what a caller may not see moves no score (retrieval.md 8.3).
 *
 * @module
 */

import {
  admitsStatus,
  forEachPosting,
  type Lexicon,
  type LexiconFacts,
  type TermPostings,
} from "../lexicon/mod.ts";
import type { WordWeights } from "./weights.ts";

/** Scores of one query so far. Every place of a posting list is visited once, common or rare. */
export class WordScorer {
  /** Sum over the units found, by document. */
  readonly scores: Float64Array;
  /** Rarity of the units found in each document, summed. */
  readonly found: Float64Array;
  /** Sum over the units found, by row of the passage. */
  readonly passageScores: Float64Array;
  /** Rarity of all units found somewhere. */
  wanted = 0;
  /** Marks of the units found, by document: a bit for each kind of finding that was added. */
  readonly marks: Uint8Array;

  readonly #lexicon: Lexicon;
  readonly #weights: WordWeights;
  readonly #admitted: Uint8Array;
  readonly #averages: Averages;
  readonly #inText: Float64Array;
  readonly #inName: Float64Array;
  readonly #inPassage: Float64Array;
  readonly #documents: PlaceList;
  readonly #passages: PlaceList;
  readonly #relatedDocuments: PlaceList;
  readonly #relatedPassages: PlaceList;
  readonly #relatedScores: Float64Array;
  readonly #relatedRarity: Float64Array;
  readonly #relatedPassageScores: Float64Array;
  /** Number of the last unit that each document was found to hold. */
  readonly #holds: Uint32Array;
  #unit = 0;
  #holders = 0;

  constructor(lexicon: Lexicon, weights: WordWeights, includeUnapproved: boolean) {
    const { count, lastRow, statuses } = lexicon.facts;
    this.#lexicon = lexicon;
    this.#weights = weights;
    this.#admitted = statuses.map((code) => admitsStatus(code, includeUnapproved) ? 1 : 0);
    this.#averages = averagesOf(lexicon, this.#admitted);
    this.scores = new Float64Array(count);
    this.found = new Float64Array(count);
    this.marks = new Uint8Array(count);
    this.passageScores = new Float64Array(lastRow + 1);
    this.#inText = new Float64Array(count);
    this.#inName = new Float64Array(count);
    this.#inPassage = new Float64Array(lastRow + 1);
    this.#documents = new PlaceList(count);
    this.#passages = new PlaceList(lastRow + 1);
    this.#holds = new Uint32Array(count);
    this.#relatedDocuments = new PlaceList(count);
    this.#relatedPassages = new PlaceList(lastRow + 1);
    this.#relatedScores = new Float64Array(count);
    this.#relatedRarity = new Float64Array(count);
    this.#relatedPassageScores = new Float64Array(lastRow + 1);
  }

  /**
   * Adds one unit, its terms counting as one word, and leaves `mark` on the documents that hold it.
   * Answers how rare the unit is, or 0 when no admitted document holds it and nothing was added.
   */
  add(terms: readonly TermPostings[], weight: number, mark = 0): number {
    for (const term of terms) this.#count(term);
    const holders = this.#documents.length;
    if (holders === 0) return 0;
    this.#unit++;
    this.#holders = holders;
    const rarity = weight * this.#rarity(holders);
    this.#score(rarity, mark);
    this.wanted += rarity;
    return rarity;
  }

  /**
   * Adds words that mean about the same as the unit added last, for documents that do not hold it;
   * each counts as far as its best such word. A perfect answer needs none of them.
   */
  addRelated(words: readonly (readonly TermPostings[])[], weight: number, mark = 0): void {
    for (const terms of words) {
      for (const term of terms) this.#count(term, this.#unit);
      const holders = Math.max(this.#documents.length, this.#holders);
      if (this.#documents.length > 0) this.#compare(weight * this.#rarity(holders));
    }
    for (let i = 0; i < this.#relatedDocuments.length; i++) {
      const document = this.#relatedDocuments.at(i);
      this.scores[document]! += this.#relatedScores[document]!;
      this.found[document]! += this.#relatedRarity[document]!;
      this.marks[document]! |= mark;
      this.#relatedScores[document] = 0;
      this.#relatedRarity[document] = 0;
    }
    for (let i = 0; i < this.#relatedPassages.length; i++) {
      const passage = this.#relatedPassages.at(i);
      this.passageScores[passage]! += this.#relatedPassageScores[passage]!;
      this.#relatedPassageScores[passage] = 0;
    }
    this.#relatedDocuments.length = 0;
    this.#relatedPassages.length = 0;
  }

  /** Keeps what was counted where it is more than what was counted for another related word. */
  #compare(rarity: number): void {
    for (let i = 0; i < this.#documents.length; i++) {
      const document = this.#documents.at(i);
      const score = rarity * this.#takeDocument(document);
      if (this.#relatedScores[document] === 0) this.#relatedDocuments.push(document);
      this.#relatedScores[document] = Math.max(this.#relatedScores[document]!, score);
      this.#relatedRarity[document] = Math.max(this.#relatedRarity[document]!, rarity);
    }
    for (let i = 0; i < this.#passages.length; i++) {
      const passage = this.#passages.at(i);
      const score = rarity * this.#takePassage(passage);
      if (this.#relatedPassageScores[passage] === 0) this.#relatedPassages.push(passage);
      this.#relatedPassageScores[passage] = Math.max(this.#relatedPassageScores[passage]!, score);
    }
    this.#documents.length = 0;
    this.#passages.length = 0;
  }

  #rarity(holders: number): number {
    return Math.log(1 + (this.#averages.documents - holders + 0.5) / (holders + 0.5));
  }

  /** Turns what was counted into scores and starts anew. */
  #score(rarity: number, mark: number): void {
    for (let i = 0; i < this.#documents.length; i++) {
      const document = this.#documents.at(i);
      this.scores[document]! += rarity * this.#takeDocument(document);
      this.found[document]! += rarity;
      this.marks[document]! |= mark;
      this.#holds[document] = this.#unit;
    }
    for (let i = 0; i < this.#passages.length; i++) {
      const passage = this.#passages.at(i);
      this.passageScores[passage]! += rarity * this.#takePassage(passage);
    }
    this.#documents.length = 0;
    this.#passages.length = 0;
  }

  /** Counts a term in every document but those that hold the unit `except`. */
  #count(term: TermPostings, except = -1): void {
    const { facts } = this.#lexicon;
    const { text, heading, title, otherNames, titleLengthPenalty } = this.#weights;
    forEachPosting(term.passages, facts.lastRow, (passage, inText, inHeading) => {
      const document = documentAt(facts, passage);
      if (this.#admitted[document] === 0 || this.#holds[document] === except) return;
      const amount = inText * text + inHeading * heading;
      this.#touch(document);
      if (this.#inPassage[passage] === 0) this.#passages.push(passage);
      this.#inPassage[passage]! += amount;
      this.#inText[document]! += amount;
    });
    forEachPosting(term.names, facts.lastRow, (row, inTitle, inOthers) => {
      const document = documentAt(facts, row);
      if (this.#admitted[document] === 0 || this.#holds[document] === except) return;
      const length = facts.titleLengths[document]! / this.#averages.title;
      this.#touch(document);
      this.#inName[document]! += inOthers * otherNames +
        inTitle * title / (1 - titleLengthPenalty + titleLengthPenalty * length);
    });
  }

  #touch(document: number): void {
    if (this.#inText[document] === 0 && this.#inName[document] === 0) {
      this.#documents.push(document);
    }
  }

  /** How well a document says what was counted, before rarity; it is counted anew afterwards. */
  #takeDocument(document: number): number {
    const { saturation, lengthPenalty, name } = this.#weights;
    const length = this.#lexicon.facts.lengths[document]! / this.#averages.text;
    const frequency = this.#inText[document]! / (1 - lengthPenalty + lengthPenalty * length) +
      this.#inName[document]!;
    const named = this.#inName[document]!;
    this.#inText[document] = 0;
    this.#inName[document] = 0;
    return frequency * (saturation + 1) / (saturation + frequency) + name * named / (1 + named);
  }

  #takePassage(passage: number): number {
    const { saturation, lengthPenalty } = this.#weights;
    const length = this.#lexicon.facts.passageLengths[passage]! / this.#averages.passage;
    const frequency = this.#inPassage[passage]! / (1 - lengthPenalty + lengthPenalty * length);
    this.#inPassage[passage] = 0;
    return frequency * (saturation + 1) / (saturation + frequency);
  }
}

/** Number of the document that a row belongs to; throws `RangeError` where there is none. */
function documentAt(facts: LexiconFacts, row: number): number {
  const number = facts.documentOf[row]!;
  if (number === 0) throw new RangeError("Cannot read postings of a row that holds no passage");
  return number - 1;
}

/** Places touched by one unit, each once. */
class PlaceList {
  length = 0;
  readonly #places: Uint32Array;

  constructor(capacity: number) {
    this.#places = new Uint32Array(capacity);
  }

  push(place: number): void {
    this.#places[this.length++] = place;
  }

  at(index: number): number {
    return this.#places[index]!;
  }
}

/** Over the admitted documents: their number, and words a text, title and passage; never 0. */
interface Averages {
  readonly documents: number;
  readonly text: number;
  readonly title: number;
  readonly passage: number;
}

function averagesOf({ facts }: Lexicon, admitted: Uint8Array): Averages {
  let documents = 0, words = 0, titles = 0, passages = 0;
  for (let i = 0; i < facts.count; i++) {
    if (admitted[i] === 0) continue;
    documents++;
    words += facts.lengths[i]!;
    titles += facts.titleLengths[i]!;
    passages += facts.passageCounts[i]!;
  }
  return {
    documents,
    text: Math.max(1, words / Math.max(1, documents)),
    title: Math.max(1, titles / Math.max(1, documents)),
    passage: Math.max(1, words / Math.max(1, passages)),
  };
}
