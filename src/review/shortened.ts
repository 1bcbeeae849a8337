import { codePointLength, firstCodePoints } from "../platform/text.ts";

/** The text, or its first `limit` characters and three dots; the two lengths are never the same. */
export function shortened(text: string, limit: number): string {
  return codePointLength(text) > limit ? `${firstCodePoints(text, limit)}...` : text;
}
