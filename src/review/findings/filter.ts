/**
 * The arguments of `review.findings` (review.md 4). They are checked before the project is looked
 * up; the first failure answers.
 *
 * @module
 */

import type { JsonObject } from "../../platform/json.ts";
import { escapeControls } from "../../platform/text.ts";
import {
  integerFilter,
  invalidArgument,
  isPullRequestNumber,
  MAX_NUMBER,
  pageLimit,
  textFilter,
} from "../filter_checks.ts";
import type { FindingFilter } from "./store.ts";
import { REVIEWERS, SEVERITIES } from "./trailer.ts";

const MAX_FILTER = 200;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const COMMIT_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Digits of the largest number that is repeated in a refusal. */
const QUOTED_DIGITS = MAX_NUMBER.toString().length;

/** Checks the arguments. Throws `invalid-input`. */
export function findingFilter(input: JsonObject): FindingFilter {
  const text = (key: string, vocabulary?: readonly string[]) =>
    textFilter(input, key, {
      maxLength: MAX_FILTER,
      ...(vocabulary === undefined ? {} : { vocabulary }),
    });
  const limit = pageLimit(input, DEFAULT_LIMIT, MAX_LIMIT);
  const reviewer = text("reviewer", REVIEWERS);
  const severity = text("severity", SEVERITIES);
  const family = text("family");
  const specialist = text("specialist");
  const commitSha = checkedCommit(text("commitSha"));
  const pullRequest = checkedPullRequest(integerFilter(input, "pullRequest"));
  const q = text("q");
  if (pullRequest !== null || family !== null || specialist !== null) throw notDerived();
  return { reviewer, severity, commitSha, q, limit };
}

function checkedCommit(commitSha: string | null): string | null {
  if (commitSha === null || COMMIT_SHA.test(commitSha)) return commitSha;
  throw invalidArgument(
    `Cannot use commitSha "${escapeControls(commitSha)}": it must be a whole commit id of 40 or ` +
      "64 lower-case hex digits",
    "Send the id that `git rev-parse` prints, or leave commitSha out for no filter",
  );
}

function checkedPullRequest(number: bigint | null): bigint | null {
  if (number === null || isPullRequestNumber(number)) return number;
  const digits = number.toString().replace("-", "").length;
  const shown = digits <= QUOTED_DIGITS ? number.toString() : `a ${digits}-digit number`;
  throw invalidArgument(
    `Cannot use pullRequest (${shown}): it must lie between 1 and ${MAX_NUMBER}`,
    "Leave pullRequest out; review.search filters by pull request",
  );
}

/** One text for all three: no build fills these columns yet. */
function notDerived() {
  return invalidArgument(
    "Cannot filter by pullRequest, family or specialist: findings carry none of them in this " +
      "version, so such a filter could only answer with nothing",
    "Leave pullRequest, family and specialist out; q searches the text of findings",
  );
}
