import { readBuildFacts } from "../../src/index/mod.ts";
import { openForReading } from "../../src/platform/sqlite/mod.ts";
import { type IndexRanking, normaliseQuery, rankIndex, readQuery } from "../../src/search/mod.ts";

/** How an index is asked. */
export interface Asking {
  readonly includeUnapproved?: boolean;
  readonly useDense?: boolean;
}

/** Ranks a query over a build's file; the file is open while `work` looks at the ranking. */
export function withRanking<T>(
  path: string,
  query: string,
  { includeUnapproved = false, useDense = false }: Asking,
  work: (ranking: IndexRanking) => T,
): T {
  using connection = openForReading(path);
  const metadata = readBuildFacts(connection)!;
  const { stateHash, projectId, buildId, indexesUnapproved, sensitivities } = metadata;
  const pointer = {
    indexBuildId: buildId,
    stateHash,
    projectId,
    indexesUnapproved,
    indexedSensitivities: sensitivities,
    purgeFailed: false,
  };
  const options = { includeUnapproved, useDense };
  const published = { connection, pointer, metadata };
  return work(rankIndex(published, readQuery(normaliseQuery(query)), options));
}

/**
 * What a build's file answers first to a query: item, score, the ways that found it and the passage to
 * show. Two builds of one state and flavour give equal values, however they were made.
 */
export function indexAnswers(path: string, query: string, asking: Asking = {}): unknown[] {
  return withRanking(
    path,
    query,
    asking,
    (ranking) =>
      ranking.documents.slice(0, 10).map((found) => ({
        itemId: ranking.row(found.document).itemId,
        score: found.score,
        foundBy: found.foundBy,
        ordinal: found.ordinal,
        passage: ranking.passage(found),
      })),
  );
}
