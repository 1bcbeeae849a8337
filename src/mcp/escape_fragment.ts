/**
 * Text of a caller inside a refusal: visible, short, harmless to a terminal (retrieval.md 1.2,
 * daemon-and-setup.md 8.3).
 *
 * @module
 */

import { cut } from "../platform/text.ts";

/** Most characters of one echoed fragment. */
export const FRAGMENT_LIMIT = 120;

/** Marks that would end a quotation, and whatever has no shape of its own but the space. */
const HIDDEN = /["'\\]|[^\P{C}]|[^\P{Z} ]/gu;

/** The text with quotes, backslashes and invisible characters as escapes; not cut. */
export function escaped(text: string): string {
  return text.replace(HIDDEN, (character) => {
    if (character === "\\" || character === '"' || character === "'") return "\\" + character;
    const point = character.codePointAt(0)!;
    if (point <= 0xff) return "\\x" + point.toString(16).padStart(2, "0");
    if (point <= 0xffff) return "\\u" + point.toString(16).padStart(4, "0");
    return "\\U" + point.toString(16).padStart(8, "0");
  });
}

/** The escaped text, cut at 120 characters. */
export function escapedFragment(text: string): string {
  return cut(escaped(firstPart(text)), FRAGMENT_LIMIT);
}

/** Nothing behind the first thousand units can be shown. */
function firstPart(text: string): string {
  return text.length > 1000 ? text.slice(0, 1000) : text;
}
