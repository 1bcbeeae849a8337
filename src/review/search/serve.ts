/**
 * Answering `review.search` from the store (review.md 8).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../../platform/errors.ts";
import type { JsonObject, JsonValue } from "../../platform/json.ts";
import { containedPath } from "../../platform/files/mod.ts";
import { type Connection, openForReading } from "../../platform/sqlite/mod.ts";
import { codePointLength } from "../../platform/text.ts";
import type { Project } from "../../projects/mod.ts";
import { DamagedStore } from "../damaged_store.ts";
import {
  isStoreRecorded,
  isStoreSealed,
  REVIEW_STORE,
  type ServedStore,
} from "../publish_store.ts";
import { shortened } from "../shortened.ts";
import type { RecordFilter } from "./filter.ts";
import { EXCERPT_LIMIT, type FoundRecord, reviewSeal, selectRecords } from "./select_records.ts";

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

/**
 * Path of the store that may be served. Throws the unavailable refusal when it was not built here,
 * and names the file when it leads out of `.theurian/state/`: a rebuild cannot clear that.
 */
export function servableReview(project: Project, dataDirectory: string): string {
  if (!isStoreRecorded(dataDirectory, project.root, "review")) throw reviewUnavailable();
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
export function answerReviewSearch(store: ServedStore, filter: RecordFilter): JsonObject {
  const found = withReviewStore(store, (connection) => selectRecords(connection, filter));
  const records = withinBudget(found.slice(0, filter.limit).map(recordRow));
  return { count: records.length, truncated: records.length < found.length, records };
}

/** Reads from the store while it is ours; every fault of it is the one unavailable refusal. */
export function withReviewStore<T>(store: ServedStore, read: (connection: Connection) => T): T {
  const { path, root, dataDirectory } = store;
  try {
    using connection = openForReading(path);
    const seal = reviewSeal(connection);
    if (seal === null || !isStoreSealed(dataDirectory, root, "review", seal)) {
      throw reviewUnavailable();
    }
    return read(connection);
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
