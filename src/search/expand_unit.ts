/**
 * From what a query says to what the index holds: inflections, other spellings, words it is part of,
 * typing errors, words of the same meaning. Tried in this order; the first that finds something is
 * the one.
 *
 * @module
 */

import { type Lexicon, postingsOf, stemWord, type TermPostings } from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import { editDistance, forgivenErrors } from "./edit_distance.ts";
import type { QueryUnit } from "./query.ts";
import { synonymsOf } from "./synonyms.ts";

/** How a unit was found. */
export type Finding = "exact" | "partial" | "misspelt" | "synonym";

/** Terms to count for one unit. */
export interface Expansion {
  readonly finding: Finding;
  readonly terms: readonly TermPostings[];
}

/** A shorter part of a word says too little. */
const SHORTEST_PART = 3;
/** A shorter part of a plain word counts only where a word begins. */
const SHORTEST_INNER_PART = 5;
/** Words that a part may be completed to. */
const MOST_COMPLETIONS = 50;
/** Spellings that a typing error may be resolved to. */
const MOST_CORRECTIONS = 4;

/** Terms looked at for completing a part or a typing error. */
const MOST_LOOKED_AT = 500;

/** The index, and whether the caller may see a document that holds a term. */
export interface ExpansionSource {
  readonly connection: Connection;
  readonly lexicon: Lexicon;
  readonly isSeen: (term: TermPostings) => boolean;
}

/** What a unit may stand for, most certain first; nothing is looked up before it is asked for. */
export function* expansionsOf(source: ExpansionSource, unit: QueryUnit): Generator<Expansion> {
  const { lexicon } = source;
  for (const spelling of [unit.text, ...unit.fallbacks]) {
    yield { finding: "exact", terms: inflectionsOf(source, stemWord(spelling)) };
  }
  if (unit.noise || unit.kind === "joined") return;
  const completions = completionsOf(lexicon, unit);
  yield { finding: "partial", terms: seenTerms(source, completions, MOST_COMPLETIONS) };
  if (unit.kind !== "word") return;
  for (const terms of correctionsOf(lexicon, unit.text)) {
    yield { finding: "misspelt", terms: seenTerms(source, terms, MOST_CORRECTIONS) };
  }
  const stems = synonymsOf(stemWord(unit.text));
  yield {
    finding: "synonym",
    terms: stems.flatMap((stem) => inflectionsOf(source, stem)),
  };
}

function completionsOf({ vocabulary }: Lexicon, { text, kind }: QueryUnit): string[] {
  const isText = kind === "word" || kind === "name";
  if (!isText || text.length < SHORTEST_PART) return [];
  if (kind === "name" || text.length >= SHORTEST_INNER_PART) {
    return vocabulary.containing(text, MOST_LOOKED_AT);
  }
  const terms = [
    ...vocabulary.containing("\n" + text, MOST_LOOKED_AT),
    ...vocabulary.containing("_" + text, MOST_LOOKED_AT),
  ];
  return [...new Set(terms)].sort();
}

/** Nearest terms in groups of equal distance; a different first letter counts as half an error more. */
function* correctionsOf({ vocabulary }: Lexicon, word: string): Generator<string[]> {
  const most = forgivenErrors(word.length);
  if (most === 0) return;
  const near = new Map<number, string[]>();
  for (const number of vocabulary.resembling(word, most)) {
    const term = vocabulary.term(number);
    const distance = editDistance(word, term, most);
    if (distance > most) continue;
    const group = distance * 2 + (term[0] === word[0] ? 0 : 1);
    const terms = near.get(group);
    if (terms === undefined) near.set(group, [term]);
    else if (terms.length < MOST_LOOKED_AT) terms.push(term);
  }
  for (const group of [...near.keys()].sort((a, b) => a - b)) yield near.get(group)!;
}

function inflectionsOf({ connection, lexicon }: ExpansionSource, stem: string): TermPostings[] {
  return lexicon.vocabulary.withStem(stem).map((term) => postingsOf(connection, term))
    .filter((term) => term !== null);
}

/** The first of the terms that the caller may see in some document. */
function seenTerms(
  source: ExpansionSource,
  terms: readonly string[],
  most: number,
): TermPostings[] {
  const seen: TermPostings[] = [];
  for (const term of terms) {
    const postings = postingsOf(source.connection, term);
    if (postings !== null && source.isSeen(postings)) seen.push(postings);
    if (seen.length === most) break;
  }
  return seen;
}
