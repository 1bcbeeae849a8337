/**
 * The landing gate: what was fetched, redacted and scanned, becomes the records that are written
 * (review.md 5, "Landing gate"). Nothing is written here.
 *
 * @module
 */

import { anchorLines, evidenceText, holdsLoneSurrogate } from "../evidence/document.ts";
import { EvidenceFault } from "../evidence/fault.ts";
import type {
  Evidence,
  EvidenceAnchor,
  LastSeenRun,
  PullRequest,
  Submission,
  Thread,
} from "../evidence/model.ts";
import { recordKey } from "../evidence/model.ts";
import { pathOfEvidence } from "../evidence/names.ts";
import { EVIDENCE_BYTES } from "../evidence/read_files.ts";
import type { SecretPolicy } from "../../projects/mod.ts";
import { projectRecord } from "../search/project_record.ts";
import type { FetchedPullRequest, Skipped } from "./fetch.ts";
import { PROVIDER } from "./provider_fields.ts";
import { redactPullRequest, redactSubmission, redactThread } from "./redact.ts";
import { type RecordFinding, scanRecord } from "./scan_record.ts";

/** How a run lands. */
export interface LandingRules {
  readonly policy: SecretPolicy;
  readonly redact: boolean;
  readonly run: LastSeenRun;
}

/** A record ready to be written. */
export interface ReadyRecord {
  readonly evidence: Evidence;
  /** Below `.theurian/review/`. */
  readonly path: string;
  readonly text: string;
}

/** Names a record in a report. */
export interface RecordName {
  readonly repository: string;
  readonly number: bigint;
  /** Id of a submission or thread; `null` for the pull request itself. */
  readonly recordId: string | null;
}

/** A secret found in a record. */
export interface LandingFinding extends RecordName, RecordFinding {}

/** What the gate lets through and what it holds back. */
export interface Landing {
  readonly records: readonly ReadyRecord[];
  /** Records with a secret under `block`. */
  readonly refused: readonly RecordName[];
  readonly findings: readonly LandingFinding[];
  readonly skipped: readonly Skipped[];
}

const UTF8 = new TextEncoder();

/** Passes everything fetched through the gate, in the order it is written. */
export function landingOf(
  fetched: readonly FetchedPullRequest[],
  rules: LandingRules,
): Landing {
  const records: ReadyRecord[] = [];
  const refused: RecordName[] = [];
  const findings: LandingFinding[] = [];
  const skipped: Skipped[] = [];
  for (const one of fetched) {
    const ready = readyRecords(one, rules);
    if ("grade" in ready) {
      skipped.push(ready);
      continue;
    }
    for (const record of ready.records) {
      const found = rules.policy === "off" ? [] : scanRecord(record.evidence);
      const name = nameOf(one.pullRequest, record.evidence);
      findings.push(...found.map((finding) => ({ ...name, ...finding })));
      if (found.length > 0 && rules.policy === "block") refused.push(name);
      else records.push(record);
    }
  }
  return { records, refused, findings, skipped };
}

function nameOf(pullRequest: PullRequest, evidence: Evidence): RecordName {
  return {
    repository: pullRequest.repository,
    number: pullRequest.number,
    recordId: evidence.kind === "pull-request" ? null : recordKey(evidence),
  };
}

/** Records of one pull request, or why none of them lands: one hostile comment stops only its own. */
function readyRecords(
  fetched: FetchedPullRequest,
  rules: LandingRules,
): { readonly records: readonly ReadyRecord[] } | Skipped {
  const { number } = fetched.pullRequest;
  const records: ReadyRecord[] = [];
  for (const evidence of evidenceOf(fetched, rules)) {
    const fault = unservable(evidence);
    if (fault !== null) return { number, grade: "tool-failed", reason: fault };
    const text = evidenceText(evidence);
    if (UTF8.encode(text).length > EVIDENCE_BYTES) {
      const reason = "one of its records is larger than 8,388,608 bytes";
      return { number, grade: "limit-exceeded", reason };
    }
    records.push({ evidence, path: pathOfEvidence(evidence), text });
  }
  return { records };
}

/** Why a record could never be served from the store; `null` when it can. */
function unservable(evidence: Evidence): string | null {
  if (holdsLoneSurrogate(evidence)) return "a text of it holds an unpaired surrogate";
  try {
    projectRecord(evidence, pathOfEvidence(evidence));
    return null;
  } catch (error) {
    if (error instanceof EvidenceFault) return error.message;
    throw error;
  }
}

/** The pull request, its submissions, its threads. */
function evidenceOf(fetched: FetchedPullRequest, rules: LandingRules): Evidence[] {
  const { pullRequest } = fetched;
  const head = {
    provider: PROVIDER,
    repository: pullRequest.repository,
    lastSeenRun: rules.run,
  };
  const event = rules.redact ? redactPullRequest(pullRequest) : pullRequest;
  return [
    {
      kind: "pull-request",
      ...head,
      sourceAnchor: anchorOf(pullRequest, {
        commitSha: pullRequest.headCommit,
        externalId: `${PROVIDER}:${pullRequest.repository}#${pullRequest.number}`,
      }),
      record: event,
    },
    ...fetched.submissions.map((submission): Evidence => ({
      kind: "review-submission",
      ...head,
      sourceAnchor: submissionAnchor(pullRequest, submission),
      record: rules.redact ? redactSubmission(submission) : submission,
    })),
    ...fetched.threads.map((thread): Evidence => ({
      kind: "review-thread",
      ...head,
      sourceAnchor: threadAnchor(pullRequest, thread),
      record: rules.redact ? redactThread(thread) : thread,
    })),
  ];
}

function submissionAnchor(pullRequest: PullRequest, submission: Submission): EvidenceAnchor {
  return anchorOf(pullRequest, { externalId: submission.externalId });
}

function threadAnchor(pullRequest: PullRequest, thread: Thread): EvidenceAnchor {
  return anchorOf(pullRequest, {
    commitSha: thread.commitSha,
    filePath: thread.filePath,
    ...anchorLines(thread.lineStart, thread.lineEnd),
    externalId: thread.externalId,
  });
}

function anchorOf(pullRequest: PullRequest, facts: Partial<EvidenceAnchor>): EvidenceAnchor {
  return {
    provider: PROVIDER,
    sourceUri: pullRequest.url,
    repository: pullRequest.repository,
    commitSha: null,
    blobSha: null,
    filePath: null,
    lineStart: null,
    lineEnd: null,
    externalId: null,
    ...facts,
  };
}
