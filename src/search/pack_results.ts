/**
 * How many results fit into the tokens that a caller grants (retrieval.md 5.7).
 *
 * @module
 */

import { estimateTokens } from "../index/mod.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";

/** JSON with one space behind each comma and colon, which is what is priced. */
export function spacedJson(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  const entries = Object.entries(value as JsonObject).filter(([, entry]) => entry !== undefined);
  return `{${
    entries.map(([key, entry]) => `${JSON.stringify(key)}: ${spacedJson(entry)}`).join(", ")
  }}`;
}

/** Tokens that a value costs. */
export function tokenCost(value: JsonValue): number {
  return estimateTokens(spacedJson(value));
}

/** What was kept of the results. */
export interface PackedResults<T> {
  readonly kept: readonly T[];
  readonly usedTokens: number;
}

/**
 * Keeps results in order while they fit; the first always, and none behind one that does not fit.
 * Nothing is cut inside a result.
 */
export function packResults<T>(
  results: readonly T[],
  costOf: (result: T) => number,
  budget: number,
): PackedResults<T> {
  const kept: T[] = [];
  let usedTokens = 0;
  for (const result of results) {
    const cost = costOf(result);
    if (kept.length > 0 && usedTokens + cost > budget) break;
    kept.push(result);
    usedTokens += cost;
  }
  return { kept, usedTokens };
}
