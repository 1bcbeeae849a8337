/**
 * The argument rules the two review tools share (review.md 4 and 8): a value outside a bound or a
 * vocabulary is refused with the bound, never clamped and never taken for "no filter".
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { codePointLength, cut, escapeControls } from "../platform/text.ts";

/** The refusal of an argument. */
export function invalidArgument(message: string, remedy: string): TheurianError {
  return new TheurianError("invalid-input", message, { remedy, wireCode: "INVALID_INPUT" });
}

/** A page size; `fallback` when it is not given. */
export function pageLimit(input: JsonObject, fallback: number, maximum: number): number {
  const limit = input["limit"];
  if (limit === undefined) return fallback;
  if (typeof limit === "number" && limit >= 1 && limit <= maximum) return limit;
  throw invalidArgument(
    `Cannot use limit: it must lie between 1 and ${maximum}`,
    `Send a limit from 1 to ${maximum}, or leave it out for ${fallback}`,
  );
}

/** Most characters of a caller's value that a refusal repeats (daemon-and-setup.md 1). */
const QUOTED = 120;

/** What a text filter must satisfy. */
export interface TextRule {
  readonly maxLength: number;
  readonly vocabulary?: readonly string[];
}

/**
 * A text filter, `null` when it is absent or null. Checked in this order: length, U+0000, unpaired
 * surrogate, emptiness, vocabulary.
 */
export function textFilter(input: JsonObject, key: string, rule: TextRule): string | null {
  const value = input[key];
  if (typeof value !== "string") return null;
  const length = codePointLength(value);
  const omit = `leave ${key} out for no filter`;
  if (length > rule.maxLength) {
    throw invalidArgument(
      `Cannot use ${key}: it has ${length} characters, more than ${rule.maxLength}`,
      `Send at most ${rule.maxLength} characters, or ${omit}`,
    );
  }
  if (value.includes("\0")) {
    throw invalidArgument(
      `Cannot use ${key}: it holds U+0000, which no stored value holds`,
      `Send it without that character, or ${omit}`,
    );
  }
  if (!value.isWellFormed()) {
    throw invalidArgument(
      `Cannot use ${key}: it holds an unpaired surrogate, which no stored value holds`,
      `Send well-formed text, or ${omit}`,
    );
  }
  if (value === "") {
    throw invalidArgument(`Cannot use ${key}: it is empty`, `Send a value, or ${omit}`);
  }
  if (rule.vocabulary !== undefined && !rule.vocabulary.includes(value)) {
    const words = rule.vocabulary.join(", ");
    throw invalidArgument(
      `Cannot use ${key} "${cut(escapeControls(value), QUOTED)}": it must be one of ${words}`,
      `Send one of ${words}, or ${omit}`,
    );
  }
  return value;
}

/** Largest number a 64-bit column holds. */
export const MAX_NUMBER = 9_223_372_036_854_775_807n;

/** An integer filter as sent, `null` when it is absent or null. */
export function integerFilter(input: JsonObject, key: string): bigint | null {
  const value = input[key];
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : null;
}

/** True for a number that a stored pull request can have. */
export function isPullRequestNumber(number: bigint): boolean {
  return number >= 1n && number <= MAX_NUMBER;
}
