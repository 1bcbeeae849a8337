/**
 * The moment a search is pinned to (retrieval.md section 7).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { instantOf, parseTimestamp } from "../platform/timestamp.ts";

const REMEDY =
  "Pass an RFC 3339 time with its offset, such as 2026-04-01T00:00:00Z or 2026-04-01T09:00:00+09:00";
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;

/**
 * The instant that `asOf` names, in microseconds since the epoch. Accepts RFC 3339 with an explicit
 * offset, also in lower case; throws `invalid-input` for everything else.
 */
export function parseAsOf(text: string): bigint {
  const parsed = parseTimestamp(text) ?? parseTimestamp(text.replace("t", "T").replace("z", "Z"));
  if (parsed !== null) return parsed.instant;
  const message = WITHOUT_OFFSET.test(text)
    ? "Cannot use asOf: it has no offset, so it names no moment"
    : "Cannot use asOf: it is no RFC 3339 time";
  throw new TheurianError("invalid-input", message, { remedy: REMEDY, wireCode: "INVALID_INPUT" });
}

/** When something is valid: from the first moment on, until just before the second. */
export interface Validity {
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** True when the moment lies within the validity; compared by instant, whatever the offsets. */
export function isValidAt({ validFrom, validTo }: Validity, moment: bigint): boolean {
  return instantOf(validFrom) <= moment && (validTo === null || moment < instantOf(validTo));
}
