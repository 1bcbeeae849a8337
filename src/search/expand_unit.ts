/**
 * From what a query says to what the index holds: inflections, other spellings, words it is part of,
 * words of the same meaning, typing errors. Tried in this order; the first that finds something is
 * the one. A word that has others of its meaning is spelt as it should be and is not corrected.
 *
 * @module
 */

import {
  type Lexicon,
  postingsOf,
  stemWord,
  type TermPostings,
  type Vocabulary,
} from "../lexicon/mod.ts";
import { Memo } from "../platform/memo.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import { ComparedWord, forgivenErrors } from "./edit_distance.ts";
import { isEverydayWord } from "./everyday_words.ts";
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

/** The index, with no term in its vocabulary but those that the caller may see. */
export interface ExpansionSource {
  readonly connection: Connection;
  readonly lexicon: Lexicon;
}

/** What a unit may stand for, most certain first; nothing is looked up before it is asked for. */
export function* expansionsOf(source: ExpansionSource, unit: QueryUnit): Generator<Expansion> {
  const { lexicon } = source;
  for (const spelling of [unit.text, ...unit.fallbacks]) {
    yield { finding: "exact", terms: inflectionsOf(source, stemWord(spelling)) };
  }
  if (unit.noise || unit.kind === "joined") return;
  const completions = completionsOf(lexicon, unit);
  yield { finding: "partial", terms: postingsOfAll(source, completions) };
  if (unit.kind !== "word") return;
  if (synonymsOf(stemWord(unit.text)).length > 0) {
    for (const terms of relatedTo(source, unit)) yield { finding: "synonym", terms };
    return;
  }
  if (isEverydayWord(unit.text)) return;
  for (const terms of correctionsOf(lexicon, unit.text)) {
    const inflected = new Set(terms.map(stemWord));
    yield {
      finding: "misspelt",
      terms: [...inflected].slice(0, MOST_CORRECTIONS).flatMap((stem) =>
        inflectionsOf(source, stem)
      ),
    };
  }
}

/** Words of about the same meaning as a plain word, each with its inflections. */
export function relatedTo(source: ExpansionSource, { kind, text }: QueryUnit): TermPostings[][] {
  if (kind !== "word") return [];
  return synonymsOf(stemWord(text)).map((stem) => inflectionsOf(source, stem))
    .filter((terms) => terms.length > 0);
}

/** Words whose completions and corrections are remembered, for each list of terms. */
const MOST_REMEMBERED = 1000;

/** What was found in a list of terms; the list is kept as long as its file is served. */
interface Remembered {
  readonly completions: Memo<string, readonly string[]>;
  readonly corrections: Memo<string, readonly (readonly string[])[]>;
}

const remembered = new WeakMap<Vocabulary, Remembered>();

function rememberedOf(vocabulary: Vocabulary): Remembered {
  let known = remembered.get(vocabulary);
  if (known === undefined) {
    known = { completions: new Memo(MOST_REMEMBERED), corrections: new Memo(MOST_REMEMBERED) };
    remembered.set(vocabulary, known);
  }
  return known;
}

function completionsOf({ vocabulary }: Lexicon, { text, kind }: QueryUnit): readonly string[] {
  const isText = kind === "word" || kind === "name";
  if (!isText || text.length < SHORTEST_PART) return [];
  return rememberedOf(vocabulary).completions.get(`${kind}:${text}`, () => {
    if (kind === "name" || text.length >= SHORTEST_INNER_PART) {
      return vocabulary.containing(text, MOST_COMPLETIONS);
    }
    const terms = [
      ...vocabulary.beginningWith(text, MOST_COMPLETIONS),
      ...vocabulary.containing("_" + text, MOST_COMPLETIONS),
    ];
    return [...new Set(terms)].sort().slice(0, MOST_COMPLETIONS);
  });
}

function correctionsOf({ vocabulary }: Lexicon, word: string): readonly (readonly string[])[] {
  return rememberedOf(vocabulary).corrections.get(word, () => findCorrections(vocabulary, word));
}

/**
 * Nearest terms in groups of equal distance, the closest first. A different first letter counts as
 * half an error more, and so does another number: `leter` may mean `letters`.
 */
function findCorrections(vocabulary: Vocabulary, word: string): string[][] {
  const most = forgivenErrors(word.length);
  if (most === 0) return [];
  const near = new Map<string, number>();
  const otherNumber = word.endsWith("s") ? word.slice(0, -1) : `${word}s`;
  for (const [spelling, extra] of [[word, 0], [otherNumber, 1]] as const) {
    const compared = new ComparedWord(spelling);
    for (const number of vocabulary.resembling(spelling, most)) {
      const term = vocabulary.term(number);
      const distance = compared.distanceTo(term, most);
      if (distance > most) continue;
      const group = distance * 2 + (term[0] === word[0] ? 0 : 1) + extra;
      near.set(term, Math.min(group, near.get(term) ?? group));
    }
  }
  const groups = [...new Set(near.values())].sort((a, b) => a - b);
  return groups.map((group) => [...near.keys()].filter((term) => near.get(term) === group).sort());
}

function inflectionsOf(source: ExpansionSource, stem: string): TermPostings[] {
  return postingsOfAll(source, source.lexicon.vocabulary.withStem(stem));
}

function postingsOfAll(
  { connection }: ExpansionSource,
  terms: readonly string[],
): TermPostings[] {
  return terms.map((term) => postingsOf(connection, term)).filter((one) => one !== null);
}
