/**
 * JSON text as the contract prints it (cli-and-plugins.md 1.1).
 *
 * @module
 */

import { compareCodePoints } from "./text.ts";

/** A JSON value as it comes from or goes to the wire. */
export type JsonValue =
  | null
  | boolean
  | number
  /** An integer beyond 2^53, exact (see `exact_json.ts`). */
  | bigint
  | string
  | readonly JsonValue[]
  | JsonObject;

/** A JSON object; an absent optional key may be `undefined` and is left out. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** Two-space indent, keys sorted by code point, no final newline; DEL and C1 are escaped too. */
export function sortedJson(value: unknown): string {
  const text = JSON.stringify(sortKeys(value), null, 2);
  return text.replace(
    /[\u007f-\u009f]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const sorted: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort(compareCodePoints)) {
    sorted[key] = sortKeys((value as Record<string, unknown>)[key]);
  }
  return sorted;
}
