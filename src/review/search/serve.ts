/**
 * Answering `review.search` from the store (review.md 8).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../../platform/errors.ts";
import type { JsonObject, JsonValue } from "../../platform/json.ts";
import { containedPath } from "../../platform/files/mod.ts";
import { openForReading } from "../../platform/sqlite/mod.ts";
import { codePointLength } from "../../platform/text.ts";
import { isBuiltHere, type Project } from "../../projects/mod.ts";
import { DamagedStore } from "../damaged_store.ts";
import { LOCAL_STORE_ID, REVIEW_STORE } from "../publish_store.ts";
import { shortened } from "../shortened.ts";
import type { RecordFilter } from "./filter.ts";
import {
  EXCERPT_LIMIT,
  type FoundRecord,
  isCurrentReview,
  selectRecords,
} from "./select_records.ts";

/** Characters one answer's records may hold: 50 records with an excerpt and 17 more keys of 400. */
export const RESPONSE_CHARACTERS = 50 * (280 + 3 + 17 * 400);

/** One text for every fault of the store; see `findingsUnavailable()`. */
export function reviewUnavailable(): TheurianError {
  return new TheurianError(
    "review-unusable",
    "Cannot serve review evidence: no usable review store was built here",
    { remedy: "Run `theurian review build` in the project, then call again" },
  );
}

/** The capacity refusal of this tool. */
export function reviewBusy(): TheurianError {
  return new TheurianError(
    "capacity",
    "Cannot answer review.search now: 4 of its reads are running",
    { remedy: "Retry in a second", retryAfterSeconds: 1 },
  );
}

/**
 * Path of the store that may be served. Throws the unavailable refusal when it was not built here,
 * and names the file when it leads out of `.theurian/state/`: a rebuild cannot clear that.
 */
export function servableReview(project: Project, dataDirectory: string): string {
  if (!isBuiltHere(dataDirectory, project.root, "review", LOCAL_STORE_ID)) {
    throw reviewUnavailable();
  }
  try {
    containedPath(project.paths.state, REVIEW_STORE);
    return join(project.paths.state, REVIEW_STORE);
  } catch (error) {
    if (!isFault(error, "path-escape")) throw error;
    throw new TheurianError(
      "path-escape",
      `Cannot serve review evidence: ${REVIEW_STORE} leads out of .theurian/state/`,
      {
        remedy: `Run \`rm .theurian/state/${REVIEW_STORE}\` in the project, then ` +
          "`theurian review build`",
        cause: error,
      },
    );
  }
}

/** Answers a checked call. */
export function answerReviewSearch(path: string, filter: RecordFilter): JsonObject {
  const found = readRecords(path, filter);
  const records = withinBudget(found.slice(0, filter.limit).map(recordRow));
  return { count: records.length, truncated: records.length < found.length, records };
}

function readRecords(path: string, filter: RecordFilter): FoundRecord[] {
  try {
    using connection = openForReading(path);
    if (!isCurrentReview(connection)) throw reviewUnavailable();
    return selectRecords(connection, filter);
  } catch (error) {
    if (error instanceof DamagedStore || isFault(error)) throw reviewUnavailable();
    throw error;
  }
}

/** Records up to the budget; the first is served whatever it costs. */
export function withinBudget(records: readonly JsonObject[]): JsonObject[] {
  const served: JsonObject[] = [];
  let spent = 0;
  for (const record of records) {
    spent += costOf(record);
    if (served.length > 0 && spent > RESPONSE_CHARACTERS) break;
    served.push(record);
  }
  return served;
}

/** Characters of a record's keys and texts; numbers, booleans and nulls cost their key alone. */
export function costOf(record: JsonObject): number {
  let cost = 0;
  for (const [key, value] of Object.entries(record)) {
    cost += key.length + (typeof value === "string" ? codePointLength(value) : 0);
  }
  return cost;
}

function recordRow(found: FoundRecord): JsonObject {
  return {
    recordPath: found.path,
    recordKey: found.recordKey,
    kind: found.kind,
    provider: found.provider,
    repository: found.repository,
    pullRequest: exactNumber(found.pullRequest),
    threadState: found.threadState,
    filePath: found.filePath,
    sourceUri: found.sourceUri,
    authorExternalId: found.authorId,
    authorDisplayName: found.authorName,
    excerpt: shortened(found.excerpt, EXCERPT_LIMIT),
    excerptChannel: found.channel,
    lastSeenRunId: found.runId,
    lastSeenAt: found.seenAt,
    contentClassification: "untrusted-knowledge",
    mayContainInstructions: true,
    executable: false,
  };
}

/** A `number` while it is exact, else a `bigint`, which the wire writes with all its digits. */
function exactNumber(value: bigint | null): JsonValue {
  if (value === null) return null;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
