/**
 * The canonical bytes of an evidence file (review.md 6, "Document"): fixed key order, every key
 * written, two-space indent, one final newline, only what JSON must escape is escaped.
 *
 * @module
 */

import { printExactJson } from "../../platform/exact_json.ts";
import {
  type Comment,
  type Evidence,
  EVIDENCE_FORMAT_VERSION,
  type Integer,
  type Person,
  type PullRequest,
  recordKey,
  type Resolution,
  type Submission,
  type Thread,
} from "./model.ts";

/** The document of a record. Throws `RangeError` on an unpaired surrogate: no file can hold one. */
export function evidenceText(evidence: Evidence): string {
  const { sourceAnchor: anchor, lastSeenRun } = evidence;
  const text = printExactJson({
    formatVersion: EVIDENCE_FORMAT_VERSION,
    kind: evidence.kind,
    provider: evidence.provider,
    repository: evidence.repository,
    recordKey: recordKey(evidence),
    sourceAnchor: {
      provider: anchor.provider,
      sourceUri: anchor.sourceUri,
      repository: anchor.repository,
      commitSha: anchor.commitSha,
      blobSha: anchor.blobSha,
      filePath: anchor.filePath,
      lineStart: anchor.lineStart,
      lineEnd: anchor.lineEnd,
      externalId: anchor.externalId,
    },
    lastSeenRun: { runId: lastSeenRun.runId, observedAt: lastSeenRun.observedAt },
    record: orderedRecord(evidence),
  }, 2);
  if (holdsLoneSurrogate(evidence)) {
    throw new RangeError("Cannot write evidence that holds an unpaired surrogate");
  }
  return text + "\n";
}

function orderedRecord(evidence: Evidence): unknown {
  switch (evidence.kind) {
    case "pull-request":
      return orderedPullRequest(evidence.record);
    case "review-submission":
      return orderedSubmission(evidence.record);
    case "review-thread":
      return orderedThread(evidence.record);
  }
}

function orderedPullRequest(record: PullRequest): PullRequest {
  return {
    projectId: record.projectId,
    provider: record.provider,
    repository: record.repository,
    number: record.number,
    title: record.title,
    body: record.body,
    author: orderedPerson(record.author),
    createdAt: record.createdAt,
    url: record.url,
    headCommit: record.headCommit,
    baseCommit: record.baseCommit,
    headRefName: record.headRefName,
    labels: record.labels,
    merged: record.merged,
    mergeCommit: record.mergeCommit,
    mergedAt: record.mergedAt,
    ciSuccessful: record.ciSuccessful,
    linkedIssueIds: record.linkedIssueIds,
    milestone: record.milestone,
  };
}

function orderedSubmission(record: Submission): Submission {
  return {
    externalId: record.externalId,
    projectId: record.projectId,
    eventKey: record.eventKey,
    author: orderedPerson(record.author),
    body: record.body,
    state: record.state,
    submittedAt: record.submittedAt,
  };
}

function orderedThread(record: Thread): Thread {
  return {
    externalId: record.externalId,
    projectId: record.projectId,
    eventKey: record.eventKey,
    filePath: record.filePath,
    comments: record.comments.map(orderedComment),
    state: record.state,
    resolution: record.resolution === null ? null : orderedResolution(record.resolution),
    lineStart: record.lineStart,
    lineEnd: record.lineEnd,
    commitSha: record.commitSha,
  };
}

function orderedComment(comment: Comment): Comment {
  return {
    externalId: comment.externalId,
    author: orderedPerson(comment.author),
    body: comment.body,
    createdAt: comment.createdAt,
    category: comment.category,
    lineStart: comment.lineStart,
    lineEnd: comment.lineEnd,
  };
}

function orderedResolution(resolution: Resolution): Resolution {
  return {
    state: resolution.state,
    resolvedBy: resolution.resolvedBy === null ? null : orderedPerson(resolution.resolvedBy),
    resolvedAt: resolution.resolvedAt,
    fixCommit: resolution.fixCommit,
  };
}

function orderedPerson(person: Person): Person {
  return {
    provider: person.provider,
    externalId: person.externalId,
    displayName: person.displayName,
  };
}

/** True when any text in the value holds an unpaired surrogate, which UTF-8 cannot carry. */
export function holdsLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string") return !value.isWellFormed();
  if (value === null || typeof value !== "object") return false;
  return Object.values(value).some(holdsLoneSurrogate);
}

/**
 * Lines of a thread's anchor from GitHub's `startLine` and `line` (trap 28): values below 1 are
 * dropped, an end that is missing or before the start is dropped, an end alone becomes the start.
 */
export function anchorLines(
  startLine: Integer | null,
  line: Integer | null,
): { readonly lineStart: Integer | null; readonly lineEnd: Integer | null } {
  const start = startLine !== null && startLine >= 1 ? startLine : null;
  const end = line !== null && line >= 1 ? line : null;
  if (start === null) return { lineStart: end, lineEnd: null };
  return { lineStart: start, lineEnd: end !== null && end >= start ? end : null };
}
