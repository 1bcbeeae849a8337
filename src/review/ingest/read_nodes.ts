/**
 * Provider nodes to evidence records: pull requests, reviews, threads (review.md 5).
 *
 * @module
 */

import { isInteger } from "../evidence/fields.ts";
import {
  type Comment,
  MAX_PULL_REQUEST,
  type PullRequest,
  type Resolution,
  type Submission,
  type Thread,
} from "../evidence/model.ts";
import { hasNextPage, nodesOf } from "./answer.ts";
import { GradedRefusal } from "./grades.ts";
import {
  inner,
  instantOrNull,
  integerOrNull,
  malformed,
  type Node,
  PROVIDER,
  readAuthor,
  readPerson,
  requiredBoolean,
  requiredInstant,
  requiredText,
  textOrEmpty,
  textOrNull,
} from "./provider_fields.ts";

/** Most labels and closing issues of one pull request that are read. */
export const LABEL_LIMIT = 50;
export const ISSUE_LIMIT = 20;

/** Whose records these are. */
export interface Owner {
  readonly projectId: string;
  /** The spelling that evidence is stored under. */
  readonly repository: string;
}

/** `github:owner/name#N`. */
export function eventKeyOf(owner: Owner, number: bigint): string {
  return `${PROVIDER}:${owner.repository}#${number}`;
}

/** Number of a pull request node. A node without one refuses the run: nothing can name it. */
export function readNumber(node: Node): bigint {
  const number = node["number"];
  if (!isInteger(number) || number < 1) throw malformed("a pull request has no number");
  return BigInt(number);
}

/** Reads a pull request whose number is known. */
export function readPullRequest(node: Node, number: bigint, owner: Owner): PullRequest {
  if (number > MAX_PULL_REQUEST) throw malformed("a pull request number is beyond 64 bits");
  const merged = requiredBoolean(node, "merged");
  const mergeCommit = inner(node["mergeCommit"], "oid");
  if (merged && typeof mergeCommit !== "string") throw malformed("a merge has no commit");
  return {
    projectId: owner.projectId,
    provider: PROVIDER,
    repository: owner.repository,
    number,
    title: textOrEmpty(node["title"]),
    body: textOrEmpty(node["body"]),
    author: readAuthor(node["author"]),
    createdAt: requiredInstant(node, "createdAt"),
    url: requiredText(node, "url"),
    headCommit: textOrEmpty(node["headRefOid"]),
    baseCommit: textOrEmpty(node["baseRefOid"]),
    headRefName: textOrEmpty(node["headRefName"]),
    labels: wholeList(node["labels"], LABEL_LIMIT).map((label) => requiredText(label, "name")),
    merged,
    mergeCommit: typeof mergeCommit === "string" ? mergeCommit : null,
    mergedAt: instantOrNull(node["mergedAt"]),
    ciSuccessful: readChecks(node["commits"]),
    linkedIssueIds: wholeList(node["closingIssuesReferences"], ISSUE_LIMIT).map((issue) =>
      readNumber(issue).toString()
    ),
    milestone: textOrNull(inner(node["milestone"], "title")),
  };
}

/** A nested list that must have come whole. */
function wholeList(connection: unknown, limit: number): Node[] {
  const more = hasNextPage(connection);
  const nodes = nodesOf(connection);
  if (more || nodes.length > limit) {
    throw new GradedRefusal("limit-exceeded", "Cannot read a list that does not come whole");
  }
  return nodes;
}

/** Outcome of the checks of the last commit; `null` while it is open or unknown. */
function readChecks(commits: unknown): boolean | null {
  const rollup = inner(inner(nodesOf(commits)[0], "commit"), "statusCheckRollup");
  switch (inner(rollup, "state")) {
    case "SUCCESS":
      return true;
    case "FAILURE":
    case "ERROR":
      return false;
    default:
      return null;
  }
}

/** Reads one review. */
export function readSubmission(node: Node, eventKey: string, owner: Owner): Submission {
  return {
    externalId: requiredText(node, "id"),
    projectId: owner.projectId,
    eventKey,
    author: readAuthor(node["author"]),
    body: textOrEmpty(node["body"]),
    state: requiredText(node, "state"),
    submittedAt: instantOrNull(node["submittedAt"]),
  };
}

/** Reads one thread with its comments. */
export function readThread(node: Node, eventKey: string, owner: Owner): Thread {
  const externalId = requiredText(node, "id");
  const isResolved = requiredBoolean(node, "isResolved");
  const isOutdated = requiredBoolean(node, "isOutdated");
  const commentNodes = wholeList(node["comments"], Infinity);
  if (commentNodes.length === 0) throw malformed("a thread has no comment");
  const path = node["path"];
  return {
    externalId,
    projectId: owner.projectId,
    eventKey,
    filePath: typeof path === "string" ? path : null,
    comments: commentNodes.map(readComment),
    state: isResolved ? "resolved" : isOutdated ? "outdated" : "open",
    resolution: isResolved ? resolutionBy(node["resolvedBy"]) : null,
    lineStart: integerOrNull(node["startLine"]),
    lineEnd: integerOrNull(node["line"]),
    commitSha: textOrNull(inner(commentNodes[0]!["originalCommit"], "oid")),
  };
}

function readComment(node: Node): Comment {
  return {
    externalId: requiredText(node, "id"),
    author: readAuthor(node["author"]),
    body: textOrEmpty(node["body"]),
    createdAt: requiredInstant(node, "createdAt"),
    category: null,
    lineStart: null,
    lineEnd: null,
  };
}

function resolutionBy(resolvedBy: unknown): Resolution {
  return {
    state: "resolved",
    resolvedBy: readPerson(resolvedBy),
    resolvedAt: null,
    fixCommit: null,
  };
}
