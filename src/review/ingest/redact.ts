/**
 * Takes participants' names out of records before they are scanned and written (review.md 5,
 * "Redaction"). Bodies are not rewritten: an @mention stays.
 *
 * @module
 */

import { sha256Hex } from "../../platform/hash.ts";
import type { Person, PullRequest, Submission, Thread } from "../evidence/model.ts";

const REDACTED_NAME = "[redacted]";

/** An id that is also the shown name is a login: it is replaced by a stable digest of itself. */
export function redactPerson(person: Person): Person {
  const { provider, externalId, displayName } = person;
  const isLogin = externalId === displayName;
  return {
    provider,
    externalId: isLogin ? `redacted~${sha256Hex(externalId).slice(0, 16)}` : externalId,
    displayName: REDACTED_NAME,
  };
}

export function redactPullRequest(record: PullRequest): PullRequest {
  return { ...record, author: redactPerson(record.author) };
}

export function redactSubmission(record: Submission): Submission {
  return { ...record, author: redactPerson(record.author) };
}

export function redactThread(record: Thread): Thread {
  const { resolution } = record;
  return {
    ...record,
    comments: record.comments.map((comment) => ({
      ...comment,
      author: redactPerson(comment.author),
    })),
    resolution: resolution === null || resolution.resolvedBy === null
      ? resolution
      : { ...resolution, resolvedBy: redactPerson(resolution.resolvedBy) },
  };
}
