/**
 * Why an answer looks as it does (decision 34): for each item the ways that found it, and what kept
 * the others out. For the command line only; no tool and no route of the daemon reaches it.
 *
 * @module
 */

import { openPublishedIndex, type PublishedIndex } from "../index/mod.ts";
import { forEachPosting, postingsOf } from "../lexicon/mod.ts";
import { isFault } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { lexiconOf } from "./_lexicon_cache.ts";
import type { SearchPath } from "./fuse_paths.ts";
import { isVisible, passGate, visibilityOf } from "./gate.ts";
import { readQuery } from "./query.ts";
import { type IndexRanking, rankIndex } from "./ranked_index.ts";
import { searchKnowledge, type SearchRequest, type SearchSource } from "./search_knowledge.ts";
import { waysOf } from "./summaries.ts";

/** More removed items than this are not listed. */
const MOST_REMOVED = 50;

/** What kept an item out of an answer. */
export type ExplainedGate =
  | Exclude<ReturnType<typeof passGate>, object>
  | "limit"
  | "budget"
  | "not-indexed"
  | "no-match";

/** One way that found an item. */
export interface ExplainedPath extends JsonObject {
  readonly path: SearchPath;
  /** Place in the order of this way alone, from 1. */
  readonly rank: number;
  readonly score: number;
  readonly matchedTerms: readonly string[];
}

interface Hit {
  readonly itemId: string;
  readonly revisionId: string;
  readonly fusedScore?: number;
}

/**
 * Explains a search: the same results as the search gives, what was removed, and, when asked for, one
 * item by its id whether or not it is among them.
 */
export function explainSearch(
  source: SearchSource,
  request: SearchRequest,
  itemId: string | null,
): JsonObject {
  const answer = searchKnowledge(source, request);
  const hits = answer["results"] as unknown as readonly Hit[];
  const isRanked = (answer["retrieval"] as JsonObject)["indexed"] === true;
  const ranking = isRanked ? explainRanking(source, request, hits) : null;
  const results = hits.map(({ itemId, revisionId, fusedScore }, index) => ({
    rank: index + 1,
    itemId,
    revisionId,
    fusedScore: fusedScore ?? null,
    paths: ranking?.pathsOf.get(itemId) ?? scanPaths(index + 1, request.query),
  }));
  const removed = ranking?.removed ?? [];
  return {
    projectId: source.project.projectId,
    query: request.query,
    count: results.length,
    results,
    removed: removed.slice(0, MOST_REMOVED),
    ...(itemId === null
      ? {}
      : { item: explainedItem(source, request, itemId, results, removed, ranking) }),
    retrieval: answer["retrieval"]!,
  };
}

function scanPaths(rank: number, query: string): ExplainedPath[] {
  return [{ path: "substring", rank, score: 0, matchedTerms: [query] }];
}

interface Removed extends JsonObject {
  readonly itemId: string;
  readonly gate: ExplainedGate;
  readonly paths: readonly ExplainedPath[];
}

interface ExplainedRanking {
  readonly pathsOf: ReadonlyMap<string, readonly ExplainedPath[]>;
  readonly removed: readonly Removed[];
  readonly indexed: ReadonlySet<string>;
}

function explainRanking(
  source: SearchSource,
  request: SearchRequest,
  hits: readonly Hit[],
): ExplainedRanking | null {
  const { project, dataDirectory, sensitivities } = source;
  const { includeUnapproved } = request;
  const opened = openPublishedIndex(project, dataDirectory, sensitivities, includeUnapproved);
  if ("fallbackReason" in opened) return null;
  try {
    return explainOpened(source, request, hits, opened);
  } catch (error) {
    if (isFault(error, "index-unusable")) return null;
    throw error;
  } finally {
    opened.connection.close();
  }
}

function explainOpened(
  source: SearchSource,
  request: SearchRequest,
  hits: readonly Hit[],
  published: PublishedIndex,
): ExplainedRanking {
  const ranking = rankIndex(published, readQuery(request.query), request);
  const shown = new Set(hits.map((hit) => hit.itemId));
  const visibility = visibilityOf(source.sensitivities, request.includeUnapproved);
  const waysIn = new Map<number, readonly SearchPath[]>();
  for (const { document, foundBy } of ranking.documents) {
    waysIn.set(document, waysOf(foundBy, ranking.ancestry(ranking.row(document))));
  }
  const pathsIn = pathFinder(published, ranking, waysIn);
  const pathsOf = new Map<string, readonly ExplainedPath[]>();
  const removed: Removed[] = [];
  let passed = 0;
  for (const { document } of ranking.documents) {
    const row = ranking.row(document);
    const gate = passGate(source.reader, visibility, row, request.asOf);
    const itemId = typeof gate === "string" ? row.itemId : gate.item.itemId;
    const paths = pathsIn(document);
    pathsOf.set(itemId, paths);
    if (typeof gate === "string") removed.push({ itemId, gate, paths });
    else if (!shown.has(itemId)) {
      removed.push({ itemId, gate: passed < request.limit ? "budget" : "limit", paths });
    }
    if (typeof gate !== "string") passed++;
  }
  const rows = published.connection.all<{ item_id: string }>("SELECT item_id FROM documents");
  return { pathsOf, removed, indexed: new Set(rows.map((row) => row.item_id)) };
}

/** Answers the ways that found a document, each with its own rank, score and terms. */
function pathFinder(
  { connection }: PublishedIndex,
  ranking: IndexRanking,
  waysIn: ReadonlyMap<number, readonly SearchPath[]>,
): (document: number) => ExplainedPath[] {
  const { facts } = lexiconOf(connection);
  const holders = new Map<string, Set<number>>();
  for (const { terms, related } of ranking.words.found) {
    for (const term of [...terms, ...related]) {
      const documents = new Set<number>();
      const note = (row: number) => documents.add(facts.documentOf[row]! - 1);
      const postings = postingsOf(connection, term);
      forEachPosting(postings?.passages ?? [], facts.lastRow, note);
      forEachPosting(postings?.names ?? [], facts.lastRow, note);
      holders.set(term, documents);
    }
  }
  const termsOf = (document: number, partial: boolean) => {
    const held = (terms: readonly string[]) =>
      terms.filter((term) => holders.get(term)!.has(document));
    const matched = ranking.words.found.flatMap(({ finding, terms, related }) => {
      const own = held(terms);
      if (partial) return finding === "partial" ? own : [];
      if (finding === "partial") return own.length > 0 ? [] : held(related);
      return own.length > 0 ? own : held(related);
    });
    return [...new Set(matched)];
  };
  // Ranks are kept by document: a common word finds most documents of a corpus.
  const byWord = ranked(ranking.words.documents.filter((one) => one.byWord));
  const byPart = ranked(ranking.words.documents.filter((one) => one.byPart));
  const bySimilarity = ranked(
    [...ranking.similar].map(([document, { similarity }]) => ({ document, score: similarity }))
      .sort((a, b) => b.score - a.score || a.document - b.document),
  );
  const bySummary = ranked(
    ranking.documents.filter((one) => waysIn.get(one.document)!.includes("summary"))
      .map(({ document }) => ({ document, score: 0 })),
  );
  const describe = (document: number, path: SearchPath): ExplainedPath => {
    const order = { lexical: byWord, substring: byPart, dense: bySimilarity, summary: bySummary };
    const { rank, score } = order[path].get(document)!;
    const hasTerms = path === "lexical" || path === "substring";
    const matchedTerms = hasTerms ? termsOf(document, path === "substring") : [];
    return { path, rank, score: rounded(score), matchedTerms };
  };
  return (document) => waysIn.get(document)!.map((path) => describe(document, path));
}

/** Rank, from 1, and score of each document of an order. */
function ranked(
  order: readonly { readonly document: number; readonly score: number }[],
): ReadonlyMap<number, { readonly rank: number; readonly score: number }> {
  return new Map(order.map(({ document, score }, i) => [document, { rank: i + 1, score }]));
}

function rounded(score: number): number {
  return Math.round(score * 1e6) / 1e6;
}

/** The item asked for: its result, or what keeps it out. Hidden and absent look the same. */
function explainedItem(
  source: SearchSource,
  request: SearchRequest,
  itemId: string,
  results: readonly (JsonObject & { readonly itemId: string })[],
  removed: readonly Removed[],
  ranking: ExplainedRanking | null,
): JsonObject {
  const { reader, sensitivities } = source;
  const resolved = reader.aliasTarget(itemId) ?? itemId;
  const shown = results.find((result) => result.itemId === resolved);
  if (shown !== undefined) return shown;
  const kept = removed.find((one) => one.itemId === resolved);
  if (kept !== undefined) return kept;
  const item = reader.item(resolved);
  const visibility = visibilityOf(sensitivities, request.includeUnapproved);
  const isThere = item !== null && isVisible(item, visibility) &&
    (ranking === null || ranking.indexed.has(resolved));
  return { itemId: resolved, gate: isThere ? "no-match" : "not-indexed", paths: [] };
}
