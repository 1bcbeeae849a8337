/**
 * The arguments of `review.search` (review.md 8), checked before the project is looked up. No number
 * of the caller is ever repeated here.
 *
 * @module
 */

import type { JsonObject } from "../../platform/json.ts";
import { THREAD_STATES } from "../evidence/model.ts";
import {
  integerFilter,
  invalidArgument,
  isPullRequestNumber,
  MAX_NUMBER,
  pageLimit,
  textFilter,
} from "../filter_checks.ts";

/** What a call asks for; `null` leaves a filter out. All are exact but `q`. */
export interface RecordFilter {
  readonly repository: string | null;
  readonly pullRequest: bigint | null;
  readonly threadState: string | null;
  /** External id of any participant. */
  readonly author: string | null;
  readonly filePath: string | null;
  /** Literal part of one text fragment; ASCII letters fold. */
  readonly q: string | null;
  readonly limit: number;
}

const MAX_FILTER = 400;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 50;

/** Checks the arguments; the first failure answers. Throws `invalid-input`. */
export function recordFilter(input: JsonObject): RecordFilter {
  const text = (key: string, vocabulary?: readonly string[]) =>
    textFilter(input, key, {
      maxLength: MAX_FILTER,
      ...(vocabulary === undefined ? {} : { vocabulary }),
    });
  return {
    limit: pageLimit(input, DEFAULT_LIMIT, MAX_LIMIT),
    repository: text("repository"),
    pullRequest: checkedPullRequest(integerFilter(input, "pullRequest")),
    threadState: text("threadState", THREAD_STATES),
    author: text("author"),
    filePath: text("filePath"),
    q: text("q"),
  };
}

function checkedPullRequest(number: bigint | null): bigint | null {
  if (number === null || isPullRequestNumber(number)) return number;
  throw invalidArgument(
    `Cannot use pullRequest: it must lie between 1 and ${MAX_NUMBER}`,
    "Send the number a record shows as pullRequest, or leave it out for no filter",
  );
}
