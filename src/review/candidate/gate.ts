/**
 * The promotion gate: seven signals recomputed from stored evidence, none of them the caller's to
 * fill (review.md 8, proposals.md 4.4).
 *
 * @module
 */

import type { PullRequest, Thread } from "../evidence/model.ts";

/** Names of the signals, in the order a refusal lists them. */
export const GATE_SIGNALS = [
  "pull_request_merged",
  "thread_resolved",
  "fix_commit_present",
  "not_dismissed_or_outdated",
  "ci_successful",
  "generalizable",
  "has_evidence",
] as const;
export type GateSignal = typeof GATE_SIGNALS[number];

/** A signal that is not met, and why the stored record makes it so. */
export interface UnmetSignal {
  readonly signal: GateSignal;
  readonly reason: string;
}

/** What the gate looks at. */
export interface GateEvidence {
  readonly pullRequest: PullRequest;
  readonly thread: Thread;
  /** Whether the fix commit exists here and touched the thread's file. */
  readonly fixCommitVerified: boolean;
}

/** Every unmet signal, in order; empty when the thread may be generalised. */
export function unmetSignals(evidence: GateEvidence): UnmetSignal[] {
  const { pullRequest, thread, fixCommitVerified } = evidence;
  const reasons: Readonly<Record<GateSignal, string | null>> = {
    pull_request_merged: pullRequest.merged ? null : "its pull request is not merged",
    thread_resolved: thread.state === "resolved" ? null : `the thread is ${thread.state}`,
    // An unknown commit and one that left the file alone are told alike.
    fix_commit_present: fixCommitVerified
      ? null
      : "no commit of that id in this repository changed the thread's file",
    not_dismissed_or_outdated: thread.state === "dismissed" || thread.state === "outdated"
      ? `the thread is ${thread.state}`
      : null,
    ci_successful: ciReason(pullRequest.ciSuccessful),
    generalizable: null,
    has_evidence: thread.comments.length > 0 ? null : "the thread has no comment",
  };
  return GATE_SIGNALS.flatMap((signal) => {
    const reason = reasons[signal];
    return reason === null ? [] : [{ signal, reason }];
  });
}

function ciReason(ciSuccessful: boolean | null): string | null {
  if (ciSuccessful === true) return null;
  return ciSuccessful === null
    ? "the outcome of its checks is unknown"
    : "its checks failed, so this thread is no candidate";
}
