/**
 * What the search store keeps of an evidence record (review.md 7, "Projection").
 *
 * @module
 */

import { EvidenceFault } from "../evidence/fault.ts";
import {
  type Evidence,
  type EvidenceKind,
  MAX_PULL_REQUEST,
  type Person,
  recordKey,
  type ThreadState,
} from "../evidence/model.ts";
import { parseInstant, utcInstantText } from "../instant.ts";

/** Where a text fragment stood in its record. */
export type TextChannel = "title" | "body" | "comment";

/** One record as the store holds it; `path` is relative to `.theurian/review/`. */
export interface ProjectedRecord {
  readonly path: string;
  readonly recordKey: string;
  readonly kind: EvidenceKind;
  readonly provider: string;
  readonly repository: string;
  readonly pullRequest: bigint | null;
  readonly threadState: ThreadState | null;
  readonly filePath: string | null;
  readonly sourceUri: string;
  readonly author: { readonly externalId: string; readonly displayName: string };
  readonly lastSeenRunId: string;
  /** UTC, 32 characters. */
  readonly lastSeenAt: string;
  /** External ids, distinct, in order of first appearance. */
  readonly participants: readonly string[];
  readonly texts: readonly { readonly channel: TextChannel; readonly content: string }[];
}

const MAX_NUMBER_DIGITS = 19;
const NUMBER_AT_END = /#([0-9]+)$/;

/**
 * The number behind the last `#` at the very end of an event key; `null` when there is none. Throws
 * {@linkcode EvidenceFault} when it is not a number the store can hold.
 */
export function pullRequestOf(eventKey: string): bigint | null {
  const digits = NUMBER_AT_END.exec(eventKey)?.[1];
  if (digits === undefined) return null;
  if (digits.length > MAX_NUMBER_DIGITS) throw new EvidenceFault("pull-request", "record.eventKey");
  return checkedNumber(BigInt(digits), "record.eventKey");
}

function checkedNumber(number: bigint, field: string): bigint {
  if (number < 1n || number > MAX_PULL_REQUEST) throw new EvidenceFault("pull-request", field);
  return number;
}

/** Projects a record. Throws {@linkcode EvidenceFault} on what the store must not serve. */
export function projectRecord(evidence: Evidence, path: string): ProjectedRecord {
  const observed = parseInstant(evidence.lastSeenRun.observedAt);
  const lastSeenAt = observed === null ? null : utcInstantText(observed);
  if (lastSeenAt === null) throw new EvidenceFault("observedAt", "lastSeenRun.observedAt");
  const projected: ProjectedRecord = {
    path,
    recordKey: recordKey(evidence),
    kind: evidence.kind,
    provider: evidence.provider,
    repository: evidence.repository,
    sourceUri: evidence.sourceAnchor.sourceUri,
    lastSeenRunId: evidence.lastSeenRun.runId,
    lastSeenAt,
    ...projectByKind(evidence),
  };
  checkTexts(projected);
  return projected;
}

type KindColumns = Pick<
  ProjectedRecord,
  "pullRequest" | "threadState" | "filePath" | "author" | "participants" | "texts"
>;

function projectByKind(evidence: Evidence): KindColumns {
  switch (evidence.kind) {
    case "pull-request": {
      const { number, author, title, body } = evidence.record;
      return {
        pullRequest: checkedNumber(number, "record.number"),
        threadState: null,
        filePath: null,
        author,
        participants: [author.externalId],
        texts: [{ channel: "title", content: title }, { channel: "body", content: body }],
      };
    }
    case "review-submission": {
      const { eventKey, author, body } = evidence.record;
      return {
        pullRequest: pullRequestOf(eventKey),
        threadState: null,
        filePath: null,
        author,
        participants: [author.externalId],
        texts: [{ channel: "body", content: body }],
      };
    }
    case "review-thread": {
      const { eventKey, comments, state, filePath, resolution } = evidence.record;
      const people: Person[] = comments.map((comment) => comment.author);
      const author = people[0]!;
      const resolvedBy = resolution?.resolvedBy ?? null;
      if (resolvedBy !== null) people.push(resolvedBy);
      return {
        pullRequest: pullRequestOf(eventKey),
        threadState: state,
        filePath,
        author,
        participants: [...new Set(people.map((person) => person.externalId))],
        texts: comments.map(({ body }) => ({ channel: "comment", content: body })),
      };
    }
  }
}

/** U+0000 ends a pattern match early and an unpaired surrogate cannot be stored: both are refused. */
function checkTexts(projected: ProjectedRecord): void {
  const check = (text: string | null) => {
    if (text === null) return;
    if (text.includes("\0")) throw new EvidenceFault("nul");
    if (!text.isWellFormed()) throw new EvidenceFault("surrogate");
  };
  check(projected.path);
  check(projected.recordKey);
  check(projected.provider);
  check(projected.repository);
  check(projected.filePath);
  check(projected.sourceUri);
  check(projected.author.externalId);
  check(projected.author.displayName);
  check(projected.lastSeenRunId);
  projected.participants.forEach(check);
  for (const { content } of projected.texts) check(content);
}
