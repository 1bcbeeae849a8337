import { codePointLength, firstCodePoints, strip } from "../platform/text.ts";

/** Code points of an excerpt before the dots that say it was cut. */
const EXCERPT_LENGTH = 280;

/**
 * The opening of a text on one line: white space stripped at both ends, each line feed one space,
 * cut at 280 code points with three dots behind (retrieval.md 3.1).
 */
export function excerptOf(text: string): string {
  // No code point has more than two units: what is behind these is neither shown nor counted.
  const line = strip(text).slice(0, 2 * EXCERPT_LENGTH + 2).replaceAll("\n", " ");
  return codePointLength(line) <= EXCERPT_LENGTH
    ? line
    : firstCodePoints(line, EXCERPT_LENGTH) + "...";
}
