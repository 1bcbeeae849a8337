/**
 * How many results fit into the tokens that a caller grants (retrieval.md 5.7).
 *
 * @module
 */

import { estimateTokens } from "../index/mod.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";

/** Spaces that stand in JSON with one space behind each comma and colon between its values. */
function spacesIn(value: JsonValue | undefined): number {
  if (value === null || typeof value !== "object") return 0;
  let spaces = 0;
  let entries = 0;
  if (Array.isArray(value)) {
    for (const entry of value) spaces += spacesIn(entry);
    entries = value.length;
  } else {
    for (const key in value) {
      const entry = (value as JsonObject)[key];
      if (entry === undefined) continue;
      spaces += 1 + spacesIn(entry);
      entries++;
    }
  }
  return spaces + Math.max(0, entries - 1);
}

/**
 * Tokens that a value costs: those of its JSON with one space behind each comma and colon, which is
 * what is priced. That text is counted, never made.
 */
export function tokenCost(value: JsonValue): number {
  return estimateTokens(JSON.stringify(value), spacesIn(value));
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
