/** Reads values back out of a state file, trusting nothing: a value outside its type is damage. */

import { TheurianError } from "../platform/errors.ts";
import { parseTimestamp } from "../platform/timestamp.ts";
import type { SourceAnchor } from "./model.ts";

/** What to do about a damaged state. */
export const REBUILD_STATE_REMEDY =
  "Delete .theurian/state/, then run: theurian migrate apply, then: theurian index build";

/** Refuses a state that cannot be read; `what` names the fact in our words, never its content. */
export function damaged(what: string, cause?: unknown): TheurianError {
  return new TheurianError("state-unreadable", `Cannot read the state database: ${what}`, {
    remedy: REBUILD_STATE_REMEDY,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A decoded JSON object. */
export type Facts = Readonly<Record<string, unknown>>;

/** Decodes a JSON column. */
export function decodeFacts(text: unknown): Facts {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Facts;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw damaged("a stored row is not in its form");
}

/** A text that must be there. */
export function text(facts: Facts, key: string): string {
  const value = facts[key];
  if (typeof value === "string") return value;
  throw damaged(`a stored row lacks its ${key}`);
}

/** A text, or `null`. */
export function textOrNull(facts: Facts, key: string): string | null {
  const value = facts[key] ?? null;
  if (value === null || typeof value === "string") return value;
  throw damaged(`a stored row lacks its ${key}`);
}

/** A stored timestamp. */
export function timestamp(facts: Facts, key: string): string {
  const value = text(facts, key);
  if (parseTimestamp(value) !== null) return value;
  throw damaged(`a stored ${key} is no date and time`);
}

/** A stored timestamp, or `null`. */
export function timestampOrNull(facts: Facts, key: string): string | null {
  return (facts[key] ?? null) === null ? null : timestamp(facts, key);
}

/** A list of texts. */
export function texts(facts: Facts, key: string): readonly string[] {
  const value = facts[key];
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value;
  throw damaged(`a stored row lacks its ${key}`);
}

/** A number between two bounds. */
export function numberWithin(facts: Facts, key: string, least: number, most: number): number {
  const value = facts[key];
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw damaged(`a stored row lacks its ${key}`);
}

/** A word of a closed vocabulary. */
export function word<T extends string>(value: unknown, words: readonly T[], what: string): T {
  if (words.includes(value as T)) return value as T;
  throw damaged(`a stored ${what} is none of the known ones`);
}

/** A source anchor. */
export function anchor(value: unknown): SourceAnchor {
  if (typeof value !== "object" || value === null) throw damaged("a stored anchor is not in form");
  const facts = value as Facts;
  return {
    provider: text(facts, "provider"),
    sourceUri: text(facts, "sourceUri"),
    repository: textOrNull(facts, "repository"),
    commitSha: textOrNull(facts, "commitSha"),
    blobSha: textOrNull(facts, "blobSha"),
    filePath: textOrNull(facts, "filePath"),
    lineStart: lineOrNull(facts, "lineStart"),
    lineEnd: lineOrNull(facts, "lineEnd"),
    externalId: textOrNull(facts, "externalId"),
  };
}

function lineOrNull(facts: Facts, key: string): number | null {
  return (facts[key] ?? null) === null
    ? null
    : numberWithin(facts, key, 1, Number.MAX_SAFE_INTEGER);
}
