import { codePointLength, firstCodePoints, strip } from "../platform/text.ts";

/** Code points of an excerpt before the dots that say it was cut. */
const EXCERPT_LENGTH = 280;

/**
 * The opening of a text on one line: white space stripped at both ends, each line feed one space,
 * cut at 280 code points with three dots behind (retrieval.md 3.1).
 */
export function excerptOf(text: string): string {
  // Only the opening can be shown; white space at the start is all that may precede it.
  const line = strip(text).replaceAll("\n", " ");
  return codePointLength(line) <= EXCERPT_LENGTH
    ? line
    : firstCodePoints(line, EXCERPT_LENGTH) + "...";
}
