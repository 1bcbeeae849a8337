/**
 * What a refusal may repeat of a file that somebody else wrote (proposals.md 6.3): a text that looks
 * as if it held a secret is replaced whole, any other is cut.
 *
 * @module
 */

import { cut, escapeControls, replaceLoneSurrogates } from "../platform/text.ts";
import { scanSecrets } from "../secrets/mod.ts";

const NAME = 200;
const REPORT = 2_000;

/** Stands for a text that is not repeated. */
export const WITHHELD = "(not shown: it looks as if it held a secret)";

/** A name, such as an id, a key or a path. */
export function screenedName(text: string): string {
  return screened(text, NAME);
}

/** What another part of the program said about a file. */
export function screenedReport(text: string): string {
  return screened(text, REPORT);
}

function screened(text: string, limit: number): string {
  if (scanSecrets(text, 1).length > 0) return WITHHELD;
  return cut(escapeControls(replaceLoneSurrogates(text)), limit);
}
