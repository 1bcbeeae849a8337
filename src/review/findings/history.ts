/**
 * What `git log -z --format=format:%H%x00%cI%x00%B` printed, turned into findings and rejections
 * (review.md 2). Bytes are split on NUL before anything is decoded: a message may hold every other
 * character and so could forge a record.
 *
 * @module
 */

import { TheurianError } from "../../platform/errors.ts";
import { compareCodePoints } from "../../platform/text.ts";
import { committerInstant } from "../instant.ts";
import { keyedLines, type Trailer, TRAILER_REASONS, type TrailerFault } from "./trailer.ts";

/** An accepted finding; `position` counts the accepted lines of its commit from 0. */
export interface Finding extends Trailer {
  readonly commitSha: string;
  readonly position: number;
  /** UTC, 32 characters. */
  readonly committedAt: string;
}

/** Why a line or a whole record was set aside: a rule of the line, or `utf8` or `date`. */
export type RejectionClass = TrailerFault | "utf8" | "date";

/** A rejected line or record; `position` counts the rejections of its commit from 0. */
export interface Rejection {
  readonly commitSha: string;
  readonly position: number;
  readonly rawLine: string;
  readonly class: RejectionClass;
  readonly reason: string;
}

/** Findings by (instant, commit, line); rejections by (commit, line). */
export interface History {
  readonly findings: readonly Finding[];
  readonly rejections: readonly Rejection[];
}

/** One commit as it was printed. */
export interface CommitRecord {
  readonly commitSha: string;
  readonly gitDate: string;
  readonly message: Uint8Array;
}

/** Bytes of a message that is not UTF-8 that its rejection keeps. */
const RAW_LINE_BYTES = 120;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits the output into records. Throws `process-failed` when the framing does not hold. */
export function splitRecords(output: Uint8Array): CommitRecord[] {
  const tokens = splitOnNul(output);
  if (tokens.length % 3 === 1 && tokens.at(-1)!.length === 0) tokens.pop();
  if (tokens.length % 3 !== 0) throw framingError();
  const records: CommitRecord[] = [];
  for (let i = 0; i < tokens.length; i += 3) {
    records.push({
      commitSha: decodeHeader(tokens[i]!),
      gitDate: decodeHeader(tokens[i + 1]!),
      message: tokens[i + 2]!,
    });
  }
  return records;
}

function splitOnNul(bytes: Uint8Array): Uint8Array[] {
  const tokens: Uint8Array[] = [];
  for (let start = 0;;) {
    const nul = bytes.indexOf(0, start);
    if (nul < 0) return [...tokens, bytes.subarray(start)];
    tokens.push(bytes.subarray(start, nul));
    start = nul + 1;
  }
}

function decodeHeader(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw framingError();
  }
}

function framingError(): TheurianError {
  return new TheurianError(
    "process-failed",
    "Cannot read the history: git framed it unexpectedly",
    {
      remedy: "Report this together with the output of `git --version`; nothing was changed",
    },
  );
}

/** Reads findings and rejections out of the records; no record ever stops the rest. */
export function readHistory(records: readonly CommitRecord[]): History {
  const findings: Finding[] = [];
  const rejections: Rejection[] = [];
  for (const record of records) readRecord(record, findings, rejections);
  findings.sort((a, b) =>
    compareCodePoints(a.committedAt, b.committedAt) ||
    compareCodePoints(a.commitSha, b.commitSha) || a.position - b.position
  );
  rejections.sort((a, b) => compareCodePoints(a.commitSha, b.commitSha) || a.position - b.position);
  return { findings, rejections };
}

function readRecord(record: CommitRecord, findings: Finding[], rejections: Rejection[]): void {
  const { commitSha, gitDate } = record;
  let message: string;
  try {
    message = strictUtf8.decode(record.message);
  } catch {
    rejections.push(notUtf8(commitSha, record.message));
    return;
  }
  const committedAt = committerInstant(gitDate);
  if (committedAt === null) {
    rejections.push({
      commitSha,
      position: 0,
      rawLine: gitDate,
      class: "date",
      reason: "the committer date cannot be placed between the years 1 and 9999",
    });
    return;
  }
  let accepted = 0;
  let rejected = 0;
  for (const keyed of keyedLines(message)) {
    if ("trailer" in keyed) {
      findings.push({ commitSha, position: accepted++, committedAt, ...keyed.trailer });
    } else {
      const reason = TRAILER_REASONS[keyed.fault];
      const position = rejected++;
      rejections.push({ commitSha, position, rawLine: keyed.line, class: keyed.fault, reason });
    }
  }
}

function notUtf8(commitSha: string, message: Uint8Array): Rejection {
  const offset = firstBadByte(message);
  const byte = message[offset]!.toString(16).padStart(2, "0");
  return {
    commitSha,
    position: 0,
    rawLine: lenientUtf8.decode(message.subarray(0, RAW_LINE_BYTES)),
    class: "utf8",
    reason: `the message is not UTF-8: byte 0x${byte} at offset ${offset}`,
  };
}

/** Offset of the first byte that cannot continue a UTF-8 text; the bytes are known to be invalid. */
function firstBadByte(bytes: Uint8Array): number {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let i = 0; i < bytes.length; i++) {
    try {
      decoder.decode(bytes.subarray(i, i + 1), { stream: true });
    } catch {
      return i;
    }
  }
  return Math.max(0, bytes.length - 1);
}
