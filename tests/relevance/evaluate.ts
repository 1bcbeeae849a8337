/**
 * How well the ranking answers labelled queries.
 *
 * @module
 */

import { openPublishedIndex } from "../../src/index/mod.ts";
import { openActiveState } from "../../src/knowledge/mod.ts";
import { sha256Hex } from "../../src/platform/hash.ts";
import {
  normaliseQuery,
  rankIndex,
  readQuery,
  searchKnowledge,
  WORD_WEIGHTS,
  type WordWeights,
} from "../../src/search/mod.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import type { Corpus, LabelledQuery } from "./corpora.ts";

/** Results that count. */
export const DEPTH = 10;
const LEVELS = ["public", "internal"] as const;

/** A way of ranking that is compared with the others. */
export interface Variant {
  readonly name: string;
  readonly useDense: boolean;
  readonly raptor: boolean;
  readonly weights: WordWeights;
}

const FULL: Variant = { name: "as shipped", useDense: false, raptor: false, weights: WORD_WEIGHTS };

/** The shipped ranking first, then what each part of it is worth. */
export const VARIANTS: readonly Variant[] = [
  FULL,
  { ...FULL, name: "with vectors", useDense: true },
  { ...FULL, name: "with summaries", raptor: true },
  { ...FULL, name: "without parts of words", weights: { ...WORD_WEIGHTS, partial: 0 } },
  { ...FULL, name: "without corrections", weights: { ...WORD_WEIGHTS, misspelt: 0 } },
  { ...FULL, name: "without synonyms", weights: { ...WORD_WEIGHTS, synonym: 0, related: 0 } },
  { ...FULL, name: "synonyms only alone", weights: { ...WORD_WEIGHTS, related: 0 } },
  { ...FULL, name: "without nearness", weights: { ...WORD_WEIGHTS, near: 0 } },
  { ...FULL, name: "without exact spelling", weights: { ...WORD_WEIGHTS, spelling: 0 } },
  { ...FULL, name: "without whole names", weights: { ...WORD_WEIGHTS, wholeName: 0 } },
  { ...FULL, name: "without phrases", weights: { ...WORD_WEIGHTS, withoutPhrase: 1 } },
  { ...FULL, name: "without best passage", weights: { ...WORD_WEIGHTS, passage: 0 } },
  { ...FULL, name: "without coverage", weights: { ...WORD_WEIGHTS, coverage: 0 } },
  {
    ...FULL,
    name: "without titles and ids",
    weights: { ...WORD_WEIGHTS, title: 0.0001, otherNames: 0.0001 },
  },
];

/** Where the wanted item stood for one query; -1 when it was not among the first ten. */
export interface Judgement extends LabelledQuery {
  readonly corpus: string;
  readonly heldOut: boolean;
  readonly position: number;
  readonly first: string | null;
}

/** A third of the queries is held out: by a digest of their text, and those that say so. */
export function isHeldOut({ query, heldOut }: LabelledQuery): boolean {
  return heldOut ?? parseInt(sha256Hex(query).slice(0, 8), 16) % 3 === 0;
}

/** Builds the corpus and asks every query of it, in each variant. */
export async function judge(
  corpus: Corpus,
  variants: readonly Variant[],
): Promise<ReadonlyMap<string, readonly Judgement[]>> {
  const judged = new Map<string, readonly Judgement[]>();
  await inScratchProject(async (project) => {
    await corpus.fill(project);
    await project.applyWithoutPurge();
    for (const raptor of [false, true]) {
      const wanted = variants.filter((variant) => variant.raptor === raptor);
      if (wanted.length === 0) continue;
      await project.build({ raptor, reuse: false });
      for (const variant of wanted) judged.set(variant.name, judgeAll(project, corpus, variant));
    }
  });
  return judged;
}

function judgeAll(project: ScratchProject, corpus: Corpus, variant: Variant): Judgement[] {
  return corpus.queries.map((labelled) =>
    judgementOf(corpus, labelled, idsFor(project, labelled.query, variant))
  );
}

/** What the ids that were found, best first, are worth. */
export function judgementOf(
  { name }: Corpus,
  labelled: LabelledQuery,
  found: readonly string[],
): Judgement {
  return {
    ...labelled,
    corpus: name,
    heldOut: isHeldOut(labelled),
    position: found.findIndex((id) => labelled.wanted.includes(id)),
    first: found[0] ?? null,
  };
}

function idsFor(project: ScratchProject, query: string, variant: Variant): readonly string[] {
  if (variant.weights !== WORD_WEIGHTS) return rankedIds(project, query, variant);
  const { pointer, reader } = openActiveState(project.project, project.dataDirectory);
  try {
    const answer = searchKnowledge({
      project: project.project,
      dataDirectory: project.dataDirectory,
      pointer,
      reader,
      sensitivities: LEVELS,
      now: BigInt(project.now) * 1000n,
    }, {
      query: normaliseQuery(query),
      limit: DEPTH,
      maxTokens: 32_000,
      includeUnapproved: false,
      useDense: variant.useDense,
      asOf: null,
    });
    return (answer["results"] as readonly { itemId: string }[]).map((result) => result.itemId);
  } finally {
    reader[Symbol.dispose]();
  }
}

/** The order of the index alone, under weights of one's own. */
function rankedIds(project: ScratchProject, query: string, variant: Variant): readonly string[] {
  const opened = openPublishedIndex(project.project, project.dataDirectory, LEVELS, false);
  if ("fallbackReason" in opened) throw new Error(`Cannot rank: ${opened.fallbackReason}`);
  using _closing = opened.connection;
  const { useDense, weights } = variant;
  const ranking = rankIndex(opened, readQuery(normaliseQuery(query)), {
    includeUnapproved: false,
    useDense,
    weights,
  });
  return ranking.documents.slice(0, DEPTH).map(({ document }) => ranking.row(document).itemId);
}

/** Measures over some queries; all lie between 0 and 1. */
export interface Measures {
  readonly queries: number;
  /** Mean of one over the place of the wanted item, 0 beyond ten. */
  readonly mrr: number;
  /** Share of queries with the wanted item first. */
  readonly hitAt1: number;
  /** Share of queries with the wanted item among ten. */
  readonly recallAt10: number;
}

/** Measures of a set of judgements. */
export function measure(judgements: readonly Judgement[]): Measures {
  const count = Math.max(1, judgements.length);
  const sum = (value: (judgement: Judgement) => number) =>
    judgements.reduce((total, one) => total + value(one), 0) / count;
  return {
    queries: judgements.length,
    mrr: sum(({ position }) => position < 0 ? 0 : 1 / (position + 1)),
    hitAt1: sum(({ position }) => position === 0 ? 1 : 0),
    recallAt10: sum(({ position }) => position < 0 ? 0 : 1),
  };
}
