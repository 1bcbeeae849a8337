/**
 * Reading one evidence file back: bytes to a typed record, or the fault that keeps it out
 * (review.md 6, "Reading back", steps 2 to 6).
 *
 * @module
 */

import { JsonSyntaxError, parseExactJson } from "../../platform/exact_json.ts";
import { isBlank } from "../../platform/text.ts";
import { EvidenceFault } from "./fault.ts";
import { Fields, isObject } from "./fields.ts";
import {
  type Comment,
  COMMENT_CATEGORIES,
  type Evidence,
  EVIDENCE_FORMAT_VERSION,
  EVIDENCE_KINDS,
  type EvidenceAnchor,
  type EvidenceKind,
  type Person,
  type PullRequest,
  recordKey,
  type Resolution,
  RESOLUTION_STATES,
  type ResolutionState,
  type Submission,
  type Thread,
  THREAD_STATES,
} from "./model.ts";
import { pathOfEvidence } from "./names.ts";

const PROJECT_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_PROJECT_ID = 200;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a document and checks that it lies where its content belongs. `path` is relative to
 * `.theurian/review/`, with `/`. Throws {@linkcode EvidenceFault}; unknown keys are ignored.
 */
export function parseEvidence(bytes: Uint8Array, path: string): Evidence {
  const evidence = readDocument(parseObject(bytes));
  // Names that UTF-8 cannot spell have no path to lie at.
  for (const name of [evidence.provider, evidence.repository, recordKey(evidence)]) {
    if (!name.isWellFormed()) throw new EvidenceFault("surrogate");
  }
  const belongsAt = pathOfEvidence(evidence);
  if (belongsAt !== path) {
    const rule = belongsAt.toLowerCase() === path.toLowerCase() ? "path-case" : "path";
    throw new EvidenceFault(rule, null, belongsAt);
  }
  return evidence;
}

function parseObject(bytes: Uint8Array): Record<string, unknown> {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new EvidenceFault("utf-8");
  }
  let value: unknown;
  try {
    value = parseExactJson(text, { fractions: "nan" });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new EvidenceFault(error.reason === "depth" ? "depth" : "json");
  }
  if (!isObject(value)) throw new EvidenceFault("object");
  return value;
}

/** The `repository` of a document that could not be read whole, when it can be told. */
export function repositoryOf(bytes: Uint8Array): string | null {
  try {
    const value = parseObject(bytes)["repository"];
    return typeof value === "string" && value.isWellFormed() ? value : null;
  } catch {
    return null;
  }
}

function readDocument(object: Record<string, unknown>): Evidence {
  const document = new Fields(object, "");
  if (document.raw("formatVersion") !== EVIDENCE_FORMAT_VERSION) {
    throw new EvidenceFault("formatVersion", "formatVersion");
  }
  const kind = EVIDENCE_KINDS.find((word) => word === document.raw("kind"));
  if (kind === undefined) throw new EvidenceFault("kind", "kind");
  const run = document.object("lastSeenRun");
  const runId = run.nonEmptyText("runId");
  const lastSeenRun = { runId, observedAt: run.instant("observedAt") };
  const provider = document.nonEmptyText("provider");
  const repository = document.nonEmptyText("repository");
  const sourceAnchor = readAnchor(document.object("sourceAnchor"), provider);
  const record = document.object("record");
  return { provider, repository, sourceAnchor, lastSeenRun, ...readRecord(kind, record) };
}

function readRecord(kind: EvidenceKind, record: Fields):
  | { kind: "pull-request"; record: PullRequest }
  | { kind: "review-submission"; record: Submission }
  | { kind: "review-thread"; record: Thread } {
  switch (kind) {
    case "pull-request":
      return { kind, record: readPullRequest(record) };
    case "review-submission":
      return { kind, record: readSubmission(record) };
    case "review-thread":
      return { kind, record: readThread(record) };
  }
}

function readAnchor(anchor: Fields, provider: string): EvidenceAnchor {
  const read = {
    provider: anchor.text("provider"),
    sourceUri: anchor.nonEmptyText("sourceUri"),
    repository: anchor.optionalText("repository"),
    commitSha: anchor.optionalText("commitSha"),
    blobSha: anchor.optionalText("blobSha"),
    filePath: anchor.optionalText("filePath"),
    lineStart: anchor.optionalInteger("lineStart"),
    lineEnd: anchor.optionalInteger("lineEnd"),
    externalId: anchor.optionalText("externalId"),
  };
  if (read.provider !== provider) {
    throw new EvidenceFault("anchor-provider", anchor.at("provider"));
  }
  if (read.lineStart !== null && read.lineStart < 1) {
    throw new EvidenceFault("anchor-lines", anchor.at("lineStart"));
  }
  if (read.lineEnd !== null && (read.lineStart === null || read.lineEnd < read.lineStart)) {
    throw new EvidenceFault("anchor-lines", anchor.at("lineEnd"));
  }
  return read;
}

function readPullRequest(record: Fields): PullRequest {
  const number = BigInt(record.integer("number"));
  const read = {
    projectId: readProjectId(record),
    provider: record.text("provider"),
    repository: record.text("repository"),
    number,
    title: record.text("title"),
    body: record.text("body"),
    author: readPerson(record.object("author")),
    createdAt: record.instant("createdAt"),
    url: record.text("url"),
    headCommit: record.text("headCommit"),
    baseCommit: record.text("baseCommit"),
    headRefName: record.text("headRefName"),
    labels: record.texts("labels"),
    merged: record.boolean("merged"),
    mergeCommit: record.optionalText("mergeCommit"),
    mergedAt: record.optionalInstant("mergedAt"),
    ciSuccessful: record.optionalBoolean("ciSuccessful"),
    linkedIssueIds: record.texts("linkedIssueIds"),
    milestone: record.optionalText("milestone"),
  };
  if (number < 1n) throw new EvidenceFault("number", record.at("number"));
  if (read.merged && read.mergeCommit === null) {
    throw new EvidenceFault("merge-commit", record.at("mergeCommit"));
  }
  return read;
}

function readSubmission(record: Fields): Submission {
  const read = {
    externalId: record.nonEmptyText("externalId"),
    projectId: readProjectId(record),
    eventKey: record.text("eventKey"),
    author: readPerson(record.object("author")),
    body: record.text("body"),
    state: record.text("state"),
    submittedAt: record.optionalInstant("submittedAt"),
  };
  if (isBlank(read.state)) throw new EvidenceFault("blank", record.at("state"));
  return read;
}

function readThread(record: Fields): Thread {
  const resolution = record.optionalObject("resolution");
  const read = {
    externalId: record.nonEmptyText("externalId"),
    projectId: readProjectId(record),
    eventKey: record.text("eventKey"),
    filePath: record.optionalText("filePath"),
    comments: record.objects("comments").map(readComment),
    state: record.word("state", THREAD_STATES),
    resolution: resolution === null ? null : readResolution(resolution),
    lineStart: record.optionalInteger("lineStart"),
    lineEnd: record.optionalInteger("lineEnd"),
    commitSha: record.optionalText("commitSha"),
  };
  if (read.comments.length === 0) throw new EvidenceFault("comments", record.at("comments"));
  if (read.state === "resolved" && read.resolution === null) {
    throw new EvidenceFault("resolution", record.at("resolution"));
  }
  return read;
}

function readComment(comment: Fields): Comment {
  return {
    externalId: comment.nonEmptyText("externalId"),
    author: readPerson(comment.object("author")),
    body: comment.text("body"),
    createdAt: comment.instant("createdAt"),
    category: comment.optionalWord("category", COMMENT_CATEGORIES),
    lineStart: comment.optionalInteger("lineStart"),
    lineEnd: comment.optionalInteger("lineEnd"),
  };
}

function readResolution(resolution: Fields): Resolution {
  const resolvedBy = resolution.optionalObject("resolvedBy");
  return {
    state: readResolutionState(resolution),
    resolvedBy: resolvedBy === null ? null : readPerson(resolvedBy),
    resolvedAt: resolution.optionalInstant("resolvedAt"),
    fixCommit: resolution.optionalText("fixCommit"),
  };
}

function readResolutionState(resolution: Fields): ResolutionState {
  const text = resolution.word("state", THREAD_STATES);
  const state = RESOLUTION_STATES.find((word) => word === text);
  if (state === undefined) throw new EvidenceFault("resolution-state", resolution.at("state"));
  return state;
}

function readPerson(person: Fields): Person {
  return {
    provider: person.text("provider"),
    externalId: person.nonEmptyText("externalId"),
    displayName: person.text("displayName"),
  };
}

function readProjectId(record: Fields): string {
  const projectId = record.text("projectId");
  if (
    !PROJECT_ID.test(projectId) || projectId.length > MAX_PROJECT_ID
  ) {
    throw new EvidenceFault("project-id", record.at("projectId"));
  }
  return projectId;
}
