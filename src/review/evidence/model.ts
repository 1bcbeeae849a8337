/**
 * Review evidence: one pull request, one review submission or one review thread, as a file under
 * `.theurian/review/` holds it (review.md 6).
 *
 * @module
 */

export const EVIDENCE_KINDS = ["pull-request", "review-submission", "review-thread"] as const;
export type EvidenceKind = typeof EVIDENCE_KINDS[number];

export const THREAD_STATES = ["open", "resolved", "outdated", "dismissed"] as const;
export type ThreadState = typeof THREAD_STATES[number];

/** States a resolution may carry, beside any state of its thread. */
export const RESOLUTION_STATES = ["resolved", "outdated", "dismissed"] as const;
export type ResolutionState = typeof RESOLUTION_STATES[number];

/** What a comment may be about; ingestion leaves it open. */
export const COMMENT_CATEGORIES = [
  "specification-gap",
  "architecture-rule",
  "security-rule",
  "performance-rule",
  "reliability-rule",
  "coding-convention",
  "testing-rule",
  "domain-rule",
  "rejected-approach",
  "known-exception",
  "incident-prevention",
] as const;
export type CommentCategory = typeof COMMENT_CATEGORIES[number];

/** The only value of `formatVersion` this build reads and writes. */
export const EVIDENCE_FORMAT_VERSION = 1;

/** The largest pull request number a store's 64-bit column can hold. */
export const MAX_PULL_REQUEST = 9_223_372_036_854_775_807n;

/** An integer as JSON gives it: a `bigint` beyond 2^53. */
export type Integer = number | bigint;

export interface Person {
  readonly provider: string;
  readonly externalId: string;
  readonly displayName: string;
}

export interface PullRequest {
  readonly projectId: string;
  readonly provider: string;
  readonly repository: string;
  readonly number: bigint;
  readonly title: string;
  readonly body: string;
  readonly author: Person;
  readonly createdAt: string;
  readonly url: string;
  readonly headCommit: string;
  readonly baseCommit: string;
  readonly headRefName: string;
  readonly labels: readonly string[];
  readonly merged: boolean;
  readonly mergeCommit: string | null;
  readonly mergedAt: string | null;
  /** `null`: no result is known. */
  readonly ciSuccessful: boolean | null;
  readonly linkedIssueIds: readonly string[];
  readonly milestone: string | null;
}

export interface Submission {
  readonly externalId: string;
  readonly projectId: string;
  /** `github:owner/name#N`. */
  readonly eventKey: string;
  readonly author: Person;
  readonly body: string;
  readonly state: string;
  readonly submittedAt: string | null;
}

export interface Comment {
  readonly externalId: string;
  readonly author: Person;
  readonly body: string;
  readonly createdAt: string;
  readonly category: CommentCategory | null;
  readonly lineStart: Integer | null;
  readonly lineEnd: Integer | null;
}

export interface Resolution {
  readonly state: ResolutionState;
  readonly resolvedBy: Person | null;
  readonly resolvedAt: string | null;
  readonly fixCommit: string | null;
}

export interface Thread {
  readonly externalId: string;
  readonly projectId: string;
  readonly eventKey: string;
  readonly filePath: string | null;
  readonly comments: readonly Comment[];
  readonly state: ThreadState;
  readonly resolution: Resolution | null;
  readonly lineStart: Integer | null;
  readonly lineEnd: Integer | null;
  readonly commitSha: string | null;
}

/** Where a record comes from, as shown beside it. */
export interface EvidenceAnchor {
  readonly provider: string;
  readonly sourceUri: string;
  readonly repository: string | null;
  readonly commitSha: string | null;
  readonly blobSha: string | null;
  readonly filePath: string | null;
  readonly lineStart: Integer | null;
  readonly lineEnd: Integer | null;
  readonly externalId: string | null;
}

/** The run that wrote the record last. */
export interface LastSeenRun {
  readonly runId: string;
  /** Instant with its offset, canonical text. */
  readonly observedAt: string;
}

interface EvidenceHead {
  readonly provider: string;
  readonly repository: string;
  readonly sourceAnchor: EvidenceAnchor;
  readonly lastSeenRun: LastSeenRun;
}

/** One evidence file's content. */
export type Evidence =
  & EvidenceHead
  & (
    | { readonly kind: "pull-request"; readonly record: PullRequest }
    | { readonly kind: "review-submission"; readonly record: Submission }
    | { readonly kind: "review-thread"; readonly record: Thread }
  );

/** The record's key: the pull request number in decimal, or the provider's id. */
export function recordKey(evidence: Evidence): string {
  return evidence.kind === "pull-request"
    ? evidence.record.number.toString()
    : evidence.record.externalId;
}
