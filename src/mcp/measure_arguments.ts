/**
 * The size walk that every call passes before any schema sees it (retrieval.md 2.3,
 * daemon-and-setup.md 8.2): one loop, no recursion, ends at the first excess.
 *
 * @module
 */

import type { JsonValue } from "../platform/json.ts";
import { codePointLength } from "../platform/text.ts";

/** Bounds of one call's arguments. */
export const ARGUMENT_BOUNDS = {
  depth: 32,
  values: 100_000,
  characters: 12_582_912,
} as const;

/** Which bound was passed. */
export type ArgumentExcess = keyof typeof ARGUMENT_BOUNDS;

const SPECIAL = /["'\\]|[^\P{C}]|[^\P{Z} ]/u;
const EVERY_SPECIAL = /["'\\]|[^\P{C}]|[^\P{Z} ]/gu;

/** The first bound that the arguments pass, or `null`. The arguments themselves are depth 1. */
export function argumentExcess(input: JsonValue): ArgumentExcess | null {
  const pending: { readonly value: JsonValue | undefined; readonly depth: number }[] = [
    { value: input, depth: 1 },
  ];
  let values = 0;
  let characters = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    if (depth > ARGUMENT_BOUNDS.depth) return "depth";
    if (++values > ARGUMENT_BOUNDS.values) return "values";
    if (value === undefined || value === null || typeof value !== "object") {
      characters += renderedWidth(value);
    } else if (Array.isArray(value)) {
      if (values + value.length > ARGUMENT_BOUNDS.values) return "values";
      for (const entry of value) pending.push({ value: entry, depth: depth + 1 });
    } else {
      for (const key in value) {
        if (depth + 1 > ARGUMENT_BOUNDS.depth) return "depth";
        if (++values > ARGUMENT_BOUNDS.values) return "values";
        characters += renderedWidth(key);
        if (characters > ARGUMENT_BOUNDS.characters) return "characters";
        pending.push({ value: (value as { [key: string]: JsonValue })[key], depth: depth + 1 });
      }
    }
    if (characters > ARGUMENT_BOUNDS.characters) return "characters";
  }
  return null;
}

function renderedWidth(value: JsonValue | undefined): number {
  if (typeof value !== "string") return String(value).length;
  if (value.length > 2 * ARGUMENT_BOUNDS.characters) return value.length;
  const length = codePointLength(value);
  if (length > ARGUMENT_BOUNDS.characters || !SPECIAL.test(value)) return length;
  return length + escapeWidth(value, ARGUMENT_BOUNDS.characters - length);
}

/** What escapes add to the length; ends as soon as that is more than `room`. */
function escapeWidth(text: string, room: number): number {
  let added = 0;
  for (const { 0: character } of text.matchAll(EVERY_SPECIAL)) {
    const point = character.codePointAt(0)!;
    if (character === "\\" || character === '"' || character === "'") added += 1;
    else if (point <= 0xff) added += 3;
    else added += point <= 0xffff ? 5 : 9;
    if (added > room) break;
  }
  return added;
}
