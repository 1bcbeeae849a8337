/**
 * `knowledge.search` as a function of a project, a state and a question (retrieval.md 4.1, 5 and 6).
 *
 * @module
 */

import {
  type FallbackReason,
  type IndexPointer,
  openPublishedIndex,
  type PublishedIndex,
} from "../index/mod.ts";
import type { ActivePointer, Sensitivity, StateReader } from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import type { Project } from "../projects/mod.ts";
import { excerptOf } from "./excerpt.ts";
import type { FusedDocument } from "./fuse_paths.ts";
import { passGate, type Visibility, visibilityOf } from "./gate.ts";
import { rankedNote, scanNote } from "./notes.ts";
import { packResults, tokenCost } from "./pack_results.ts";
import { readQuery } from "./query.ts";
import { type IndexRanking, rankIndex } from "./ranked_index.ts";
import { scanState } from "./scan_state.ts";
import { shapeResult } from "./shape_result.ts";
import { waysOf } from "./summaries.ts";

/** A question that passed the argument checks. */
export interface SearchRequest {
  /** Normalised; searched and echoed. */
  readonly query: string;
  /** 1 to 50. */
  readonly limit: number;
  /** 1 to 32,000. */
  readonly maxTokens: number;
  readonly includeUnapproved: boolean;
  readonly useDense: boolean;
  /** Microseconds since the epoch, or `null` for now. */
  readonly asOf: bigint | null;
}

/** Where the answer comes from. */
export interface SearchSource {
  readonly project: Project;
  readonly dataDirectory: string;
  readonly pointer: ActivePointer;
  readonly reader: StateReader;
  /** Served levels, least restricted first. */
  readonly sensitivities: readonly Sensitivity[];
  /** Microseconds since the epoch. */
  readonly now: bigint;
}

/** Answers a search, from the published index where one can be read. Without the `integrity` key. */
export function searchKnowledge(source: SearchSource, request: SearchRequest): JsonObject {
  const { project, dataDirectory, sensitivities } = source;
  const opened = openPublishedIndex(
    project,
    dataDirectory,
    sensitivities,
    request.includeUnapproved,
  );
  if ("fallbackReason" in opened) {
    return scannedAnswer(source, request, opened.fallbackReason, opened.unrecorded);
  }
  try {
    return rankedAnswer(source, request, opened);
  } catch (error) {
    if (!isFault(error, "index-unusable")) throw error;
    return scannedAnswer(source, request, "index-unreadable", false);
  } finally {
    opened.connection.close();
  }
}

/** What an answer is made of before it is packed. */
interface Draft {
  readonly results: readonly JsonObject[];
  readonly leftOutByMoment: boolean;
  readonly retrieval: JsonObject;
  /** Mode of the answer once it is known which results are kept. */
  readonly modeOf: (kept: readonly JsonObject[]) => string;
  readonly emptyReason: string;
}

/** Documents put in order at first, for each one of a page: the gate may close for some. */
const FIRST_RANKED = 2;

function rankedAnswer(
  source: SearchSource,
  request: SearchRequest,
  published: PublishedIndex,
): JsonObject {
  const query = readQuery(request.query);
  const visibility = visibilityOf(source.sensitivities, request.includeUnapproved);
  let ranking = rankIndex(published, query, {
    ...request,
    most: FIRST_RANKED * request.limit,
  });
  let passed = passedResults(source, request, ranking, visibility);
  if (ranking.isCut && passed.results.length < request.limit) {
    ranking = rankIndex(published, query, request);
    passed = passedResults(source, request, ranking, visibility);
  }
  const { results, leftOutByMoment } = passed;
  return packedAnswer(source, request, {
    results,
    leftOutByMoment,
    retrieval: rankedRetrieval(source.pointer, published.pointer, ranking.embeddingModel),
    modeOf: modeOfResults,
    emptyReason: "no-match",
  });
}

/** Walks the ranking through the gate until the page is full. */
function passedResults(
  source: SearchSource,
  request: SearchRequest,
  ranking: IndexRanking,
  visibility: Visibility,
): Pick<Draft, "results" | "leftOutByMoment"> {
  const results: JsonObject[] = [];
  let leftOutByMoment = false;
  for (const ranked of ranking.documents) {
    if (results.length === request.limit) break;
    const row = ranking.row(ranked.document);
    const passed = passGate(source.reader, visibility, row, request.asOf);
    if (passed === "as-of") leftOutByMoment = true;
    if (typeof passed === "string") continue;
    const passage = ranking.passage(ranked);
    const shaped = shapeResult(
      passed.item,
      passed.revision,
      excerptOf(passage === "" ? passed.revision.body : passage),
      request.asOf ?? source.now,
    );
    results.push({ ...shaped, ...provenanceOf(ranked, ranking.ancestry(row)) });
  }
  return { results, leftOutByMoment };
}

function provenanceOf(
  { score, foundBy }: FusedDocument,
  ancestry: ReturnType<IndexRanking["ancestry"]>,
): JsonObject {
  return {
    fusedScore: Math.round(score * 1e6) / 1e6,
    foundBy: waysOf(foundBy, ancestry),
    ...(ancestry === null ? {} : { raptorPath: ancestry.path }),
  };
}

function rankedRetrieval(
  state: ActivePointer,
  index: IndexPointer,
  embeddingModel: string,
): JsonObject {
  const stale = index.stateHash !== state.stateHash;
  return {
    indexed: true,
    stale,
    staleAgainst: "builtState",
    indexesUnapproved: index.indexesUnapproved,
    indexBuildId: index.indexBuildId,
    embeddingModel,
    fallbackReason: null,
    snapshotId: state.stateHash,
    note: rankedNote(stale),
  };
}

/** What found the results that are returned; `none` without any. */
function modeOfResults(kept: readonly JsonObject[]): string {
  if (kept.length === 0) return "none";
  const paths = new Set(kept.flatMap((result) => result["foundBy"] as readonly string[]));
  if (!paths.has("dense")) return "lexical";
  return paths.size > 1 ? "hybrid" : "dense";
}

function scannedAnswer(
  source: SearchSource,
  request: SearchRequest,
  reason: FallbackReason,
  unrecorded: boolean,
): JsonObject {
  const visibility = visibilityOf(source.sensitivities, request.includeUnapproved);
  const { query, asOf, limit } = request;
  const { found, leftOutByMoment } = scanState(source.reader, query, visibility, asOf, limit);
  const moment = asOf ?? source.now;
  return packedAnswer(source, request, {
    results: found.map(({ item, revision }) =>
      shapeResult(item, revision, excerptOf(revision.body), moment)
    ),
    leftOutByMoment,
    retrieval: {
      indexed: false,
      stale: null,
      staleAgainst: null,
      indexesUnapproved: false,
      indexBuildId: null,
      embeddingModel: "",
      fallbackReason: reason,
      snapshotId: source.pointer.stateHash,
      note: scanNote(reason, unrecorded),
    },
    modeOf: () => "substring",
    emptyReason: reason === "no-index" ? "not-indexed" : "index-stale-scan",
  });
}

function packedAnswer(source: SearchSource, request: SearchRequest, draft: Draft): JsonObject {
  const { projectId } = source.project;
  const answer = (results: readonly JsonObject[], usedTokens: number, dropped: number) => ({
    projectId,
    query: request.query,
    count: results.length,
    results,
    retrieval: {
      mode: draft.modeOf(results),
      ...draft.retrieval,
      usedTokens,
      droppedForBudget: dropped,
      emptyReason: emptyReasonOf(draft, results.length, dropped),
    },
  });
  const reserved = tokenCost(answer([], 0, 0) as JsonValue);
  const budget = Math.max(1, request.maxTokens - reserved);
  const { kept, usedTokens } = packResults(draft.results, tokenCost, budget);
  return answer(kept, usedTokens, draft.results.length - kept.length) as JsonObject;
}

/** Decision 32: reads only what passed the gate, so that hidden and absent look the same. */
function emptyReasonOf(draft: Draft, count: number, dropped: number): string | null {
  if (count > 0) return null;
  if (draft.leftOutByMoment) return "all-outside-asof";
  return dropped > 0 ? "budget-too-small" : draft.emptyReason;
}
