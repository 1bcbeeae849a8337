/**
 * The leading path: documents ranked by their words.
 *
 * @module
 */

import type { Lexicon, TermPostings } from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import { expansionsOf, type ExpansionSource, type Finding, relatedTo } from "./expand_unit.ts";
import { passageIn, titleIn } from "./_stored_text.ts";
import { documentsWithPhrases } from "./find_phrases.ts";
import { Nearness } from "./nearness.ts";
import type { Query, QueryUnit } from "./query.ts";
import {
  bestDocuments,
  BY_PART,
  BY_WORD,
  byScore,
  type RankedDocument,
  type Wanted,
} from "./best_documents.ts";
import { WordScorer } from "./score_words.ts";
import { visibleLexicon } from "./visible_lexicon.ts";
import { WORD_WEIGHTS, type WordWeights } from "./weights.ts";

/** A unit of the query, how it was found, and by which terms. */
export interface FoundUnit {
  readonly unit: QueryUnit;
  readonly finding: Finding;
  readonly terms: readonly string[];
  /** Terms of about the same meaning, which count where the unit itself is missing. */
  readonly related: readonly string[];
  /** How few documents hold it; what finding it adds to a score. */
  readonly rarity: number;
}

/** Documents in descending score; equal scores in ascending item id. */
export interface WordRanking {
  readonly documents: readonly RankedDocument[];
  /** True when only the best documents are given and there are more. */
  readonly isCut: boolean;
  /** Texts of passages that were read on the way, by row. */
  readonly texts: ReadonlyMap<number, string>;
  readonly found: readonly FoundUnit[];
}

/** Documents whose text is compared with the query word by word; a page is rarely longer. */
const MOST_COMPARED = 20;

const ALL: Wanted = { most: Infinity, raise: 1 };

/**
 * Ranks every admitted document that holds a unit of the query. Where fewer are wanted, it may stop
 * at {@linkcode MOST_COMPARED} of the best or as many as are wanted, which are the same ones then, and
 * those that may be raised to be among them.
 */
export function rankWords(
  connection: Connection,
  lexicon: Lexicon,
  query: Query,
  includeUnapproved: boolean,
  weights: WordWeights = WORD_WEIGHTS,
  wanted: Wanted = ALL,
): WordRanking {
  const scorer = new WordScorer(lexicon, weights, includeUnapproved);
  const source = {
    connection,
    lexicon: visibleLexicon(connection, lexicon, includeUnapproved),
  };
  const telling = query.units.filter((unit) => !unit.noise);
  let found = addUnits(telling, scorer, source, weights);
  if (found.length === 0) {
    found = addUnits(query.units.filter((unit) => unit.noise), scorer, source, weights);
  }
  const nearness = new Nearness(query, found);
  const perfect = perfectScore(scorer, nearness, weights);
  // Quoted words turn the order round, so that the best cannot be told before.
  const most = query.phrases.length === 0 ? Math.max(wanted.most, MOST_COMPARED) : Infinity;
  // Only an answer to several words is raised afterwards.
  const limits = { most, raise: found.length > 1 ? wanted.raise : 1 };
  const { documents: scored, isCut } = bestDocuments(scorer, lexicon, weights, perfect, limits);
  const texts = new Map<number, string>();
  const documents = nearness.isEmpty
    ? scored
    : raiseNear(source, scored, nearness, { scorer, weights, perfect, texts });
  const withPhrases = documentsWithPhrases(connection, lexicon, query, documents);
  const ranked = withPhrases === null
    ? documents
    : documents.map((one) =>
      withPhrases.has(one.document)
        ? { ...one, ordinal: withPhrases.get(one.document) ?? one.ordinal }
        : { ...one, score: one.score * weights.withoutPhrase }
    );
  return { documents: ranked.sort(byScore), isCut, texts, found };
}

/** The score of a document that answers perfectly. */
function perfectScore(scorer: WordScorer, nearness: Nearness, weights: WordWeights): number {
  const { closeness, spelling } = nearness.most;
  return scorer.wanted * ((weights.saturation + 1) * (1 + weights.passage) + weights.name) +
    weights.near * closeness + weights.spelling * spelling;
}

/** What the scores are made of, and where texts that are read are kept. */
interface Scoring {
  readonly scorer: WordScorer;
  readonly weights: WordWeights;
  readonly perfect: number;
  readonly texts: Map<number, string>;
}

/** Sums of the same numbers in another order differ by less than this share. */
const ROUNDING = 1e-9;

/**
 * Raises those of the best documents whose passage or title holds words close together. The text of
 * a document that lacks one of every two neighbours is not read: it cannot.
 */
function raiseNear(
  { connection, lexicon: { facts } }: ExpansionSource,
  documents: readonly RankedDocument[],
  nearness: Nearness,
  { scorer, weights, perfect, texts }: Scoring,
): RankedDocument[] {
  const least = nearness.least * (1 - ROUNDING);
  return documents.map((one, place) => {
    if (place >= MOST_COMPARED || scorer.found[one.document]! < least) return one;
    const first = facts.rows[one.document]!;
    const passage = passageIn(connection, first + one.ordinal);
    texts.set(first + one.ordinal, passage.text);
    // The first passage begins with the title.
    const read = one.ordinal === 0 ? [passage] : [titleIn(connection, first), passage];
    const added = weights.near * nearness.closenessOf(read) +
      weights.spelling * nearness.spellingOf(read);
    return { ...one, score: one.score + added / perfect };
  }).sort(byScore);
}

function addUnits(
  units: readonly QueryUnit[],
  scorer: WordScorer,
  source: ExpansionSource,
  weights: WordWeights,
): FoundUnit[] {
  const found: FoundUnit[] = [];
  for (const unit of units) {
    for (const { finding, terms } of expansionsOf(source, unit)) {
      const mark = finding === "partial" ? BY_PART : BY_WORD;
      const rarity = scorer.add(terms, unitWeight(unit, finding, weights), mark);
      if (rarity === 0) continue;
      const related = relatedTo(source, unit);
      const share = finding === "synonym" ? weights.synonym : weights.related;
      scorer.addRelated(related, share * kindWeight(unit, weights), BY_WORD);
      const names = (some: readonly TermPostings[]) => some.map(({ term }) => term);
      found.push({ unit, finding, terms: names(terms), related: names(related.flat()), rarity });
      break;
    }
  }
  return found;
}

function unitWeight(unit: QueryUnit, finding: Finding, weights: WordWeights): number {
  const kind = kindWeight(unit, weights);
  return finding === "exact" ? kind : kind * weights[finding];
}

/** A name of more words is less likely to stand somewhere by chance. */
function kindWeight({ kind, text }: QueryUnit, { wholeName, joined }: WordWeights): number {
  if (kind === "joined") return joined;
  return kind === "name" ? wholeName * text.split("_").length : 1;
}
