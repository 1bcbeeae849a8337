/**
 * BM25 over fields at the level of documents: a word counts in text, headings, title, item id
 * and labels with a weight each, before it saturates. Statistics are taken over the documents that the call
 * admits and no others, so that what a caller may not see moves no score (retrieval.md 8.3).
 *
 * @module
 */

import { admitsStatus, type Lexicon, PostingReader, type TermPostings } from "../lexicon/mod.ts";
import { roomFor, type ScoringRoom } from "./_scoring_room.ts";
import type { WordWeights } from "./weights.ts";

/**
 * Scores of one query so far. Every place of a posting list is visited once, common or rare. Good
 * until the next one is made for the same word index, which takes over its room.
 */
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
  readonly #norms: Norms;
  readonly #room: ScoringRoom;
  #holders = 0;

  constructor(lexicon: Lexicon, weights: WordWeights, includeUnapproved: boolean) {
    this.#lexicon = lexicon;
    this.#weights = weights;
    const admission = admissionOf(lexicon, includeUnapproved);
    const { admitted, averages } = admission;
    this.#admitted = admitted;
    this.#norms = normsOf(lexicon, admission, weights);
    this.#averages = averages;
    this.#room = roomFor(lexicon);
    this.scores = this.#room.scores;
    this.found = this.#room.found;
    this.marks = this.#room.marks;
    this.passageScores = this.#room.passageScores;
  }

  /** Numbers of the documents that anything was added for, in no order. */
  foundDocuments(): Uint32Array {
    return this.#room.usedDocuments();
  }

  /**
   * Adds one unit, its terms counting as one word, and leaves `mark` on the documents that hold it.
   * Answers how rare the unit is, or 0 when no admitted document holds it and nothing was added.
   */
  add(terms: readonly TermPostings[], weight: number, mark = 0): number {
    for (const term of terms) this.#count(term);
    const holders = this.#room.documents.length;
    if (holders === 0) return 0;
    this.#room.unit++;
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
    if (weight === 0) return;
    for (const terms of words) {
      for (const term of terms) this.#count(term, this.#room.unit);
      const holders = Math.max(this.#room.documents.length, this.#holders);
      if (this.#room.documents.length > 0) this.#compare(weight * this.#rarity(holders));
    }
    for (let i = 0; i < this.#room.relatedDocuments.length; i++) {
      const document = this.#room.relatedDocuments.at(i);
      this.#room.noteDocument(document);
      this.scores[document]! += this.#room.relatedScores[document]!;
      this.found[document]! += this.#room.relatedRarity[document]!;
      this.marks[document]! |= mark;
      this.#room.relatedScores[document] = 0;
      this.#room.relatedRarity[document] = 0;
    }
    for (let i = 0; i < this.#room.relatedPassages.length; i++) {
      const passage = this.#room.relatedPassages.at(i);
      this.#room.notePassage(passage);
      this.passageScores[passage]! += this.#room.relatedPassageScores[passage]!;
      this.#room.relatedPassageScores[passage] = 0;
    }
    this.#room.relatedDocuments.length = 0;
    this.#room.relatedPassages.length = 0;
  }

  /** Keeps what was counted where it is more than what was counted for another related word. */
  #compare(rarity: number): void {
    for (let i = 0; i < this.#room.documents.length; i++) {
      const document = this.#room.documents.at(i);
      const score = rarity * this.#takeDocument(document);
      if (this.#room.relatedScores[document] === 0) this.#room.relatedDocuments.push(document);
      this.#room.relatedScores[document] = Math.max(this.#room.relatedScores[document]!, score);
      this.#room.relatedRarity[document] = Math.max(this.#room.relatedRarity[document]!, rarity);
    }
    for (let i = 0; i < this.#room.passages.length; i++) {
      const passage = this.#room.passages.at(i);
      const score = rarity * this.#takePassage(passage);
      if (this.#room.relatedPassageScores[passage] === 0) this.#room.relatedPassages.push(passage);
      this.#room.relatedPassageScores[passage] = Math.max(
        this.#room.relatedPassageScores[passage]!,
        score,
      );
    }
    this.#room.documents.length = 0;
    this.#room.passages.length = 0;
  }

  #rarity(holders: number): number {
    return Math.log(1 + (this.#averages.documents - holders + 0.5) / (holders + 0.5));
  }

  /** Turns what was counted into scores and starts anew. */
  #score(rarity: number, mark: number): void {
    const room = this.#room;
    const { documents, passages, holds, unit } = room;
    const { scores, found, marks, passageScores } = this;
    for (let i = 0; i < documents.length; i++) {
      const document = documents.at(i);
      room.noteDocument(document);
      scores[document]! += rarity * this.#takeDocument(document);
      found[document]! += rarity;
      marks[document]! |= mark;
      holds[document] = unit;
    }
    for (let i = 0; i < passages.length; i++) {
      const passage = passages.at(i);
      room.notePassage(passage);
      passageScores[passage]! += rarity * this.#takePassage(passage);
    }
    documents.length = 0;
    passages.length = 0;
  }

  /**
   * Counts a term in every document but those that hold the unit `except`. The columns are named
   * once: this runs for every place where a common word stands.
   */
  #count(term: TermPostings, except = -1): void {
    const { documentOf, titleLengths, lastRow } = this.#lexicon.facts;
    const { text, heading, title, otherNames, titleLengthPenalty } = this.#weights;
    const { documents, passages, holds, inText, inName, inPassage } = this.#room;
    const admitted = this.#admitted;
    for (const reader = new PostingReader(term.passages, lastRow); reader.next();) {
      const passage = reader.place;
      const document = documentOf[passage]! - 1;
      if (document < 0) throw noPassage();
      if (admitted[document] === 0 || holds[document] === except) continue;
      const amount = reader.first * text + reader.second * heading;
      if (inText[document] === 0 && inName[document] === 0) documents.push(document);
      if (inPassage[passage] === 0) passages.push(passage);
      inPassage[passage]! += amount;
      inText[document]! += amount;
    }
    const averageTitle = this.#averages.title;
    for (const reader = new PostingReader(term.names, lastRow); reader.next();) {
      const document = documentOf[reader.place]! - 1;
      if (document < 0) throw noPassage();
      if (admitted[document] === 0 || holds[document] === except) continue;
      const length = titleLengths[document]! / averageTitle;
      if (inText[document] === 0 && inName[document] === 0) documents.push(document);
      inName[document]! += reader.second * otherNames +
        reader.first * title / (1 - titleLengthPenalty + titleLengthPenalty * length);
    }
  }

  /** How well a document says what was counted, before rarity; it is counted anew afterwards. */
  #takeDocument(document: number): number {
    const { saturation, name } = this.#weights;
    const frequency = this.#room.inText[document]! / this.#norms.texts[document]! +
      this.#room.inName[document]!;
    const named = this.#room.inName[document]!;
    this.#room.inText[document] = 0;
    this.#room.inName[document] = 0;
    return frequency * (saturation + 1) / (saturation + frequency) + name * named / (1 + named);
  }

  #takePassage(passage: number): number {
    const { saturation } = this.#weights;
    const frequency = this.#room.inPassage[passage]! / this.#norms.passages[passage]!;
    this.#room.inPassage[passage] = 0;
    return frequency * (saturation + 1) / (saturation + frequency);
  }
}

function noPassage(): RangeError {
  return new RangeError("Cannot read postings of a row that holds no passage");
}

/** Over the admitted documents: their number, and words a text, title and passage; never 0. */
interface Averages {
  readonly documents: number;
  readonly text: number;
  readonly title: number;
  readonly passage: number;
}

/** Documents that a call admits, and what is measured over them. */
interface Admission {
  readonly admitted: Uint8Array;
  readonly averages: Averages;
}

/** What the length of each text makes of a count in it. */
interface Norms {
  readonly lengthPenalty: number;
  readonly texts: Float64Array;
  readonly passages: Float64Array;
}

const knownNorms = new WeakMap<Admission, Norms>();

/** Worked out once, as long as the weights stay: dividing by an average for each count took longer. */
function normsOf({ facts }: Lexicon, admission: Admission, { lengthPenalty }: WordWeights): Norms {
  const known = knownNorms.get(admission);
  if (known?.lengthPenalty === lengthPenalty) return known;
  const { text, passage } = admission.averages;
  const normsOfAll = (lengths: ArrayLike<number>, average: number) => {
    const norms = new Float64Array(lengths.length);
    for (let i = 0; i < norms.length; i++) {
      norms[i] = 1 - lengthPenalty + lengthPenalty * (lengths[i]! / average);
    }
    return norms;
  };
  const norms = {
    lengthPenalty,
    texts: normsOfAll(facts.lengths, text),
    passages: normsOfAll(facts.passageLengths, passage),
  };
  knownNorms.set(admission, norms);
  return norms;
}

const approvedOnly = new WeakMap<Lexicon, Admission>();
const withUnapproved = new WeakMap<Lexicon, Admission>();

/** Worked out once for a word index, which never changes. */
function admissionOf(lexicon: Lexicon, includeUnapproved: boolean): Admission {
  const known = includeUnapproved ? withUnapproved : approvedOnly;
  let admission = known.get(lexicon);
  if (admission === undefined) {
    const admitted = lexicon.facts.statuses.map((code) =>
      admitsStatus(code, includeUnapproved) ? 1 : 0
    );
    admission = { admitted, averages: averagesOf(lexicon, admitted) };
    known.set(lexicon, admission);
  }
  return admission;
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
