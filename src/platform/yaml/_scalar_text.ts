import { getScalarValue, SCALAR_STYLE, type ScalarEvent } from "js-yaml";

/** A line break that is escaped away, with the blank lines after it. */
const ESCAPED_BREAK = /\\(?:\r?\n((?:[ \t]*\r?\n)+)|[^])/g;

/**
 * Text of a scalar. Two things differ from the parser's own reading, where it and the format
 * disagree: blank lines after an escaped line break stay, and a block text that ends with the file,
 * without a line end, gets none.
 */
export function scalarText(text: string, event: ScalarEvent): string {
  if (event.fast) return text.slice(event.valueStart, event.valueEnd);
  switch (event.style) {
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return doubleQuoted(text, event);
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return blockText(text, event);
    default:
      return getScalarValue(text, event);
  }
}

function doubleQuoted(text: string, event: ScalarEvent): string {
  const raw = text.slice(event.valueStart, event.valueEnd);
  const mended = raw.replace(ESCAPED_BREAK, (escape, blank: string | undefined) => {
    return blank === undefined ? escape : "\\n".repeat(blank.split("\n").length - 1) + "\\\n";
  });
  return getScalarValue(mended, { ...event, valueStart: 0, valueEnd: mended.length });
}

function blockText(text: string, event: ScalarEvent): string {
  const value = getScalarValue(text, event);
  const cutShort = event.valueEnd === text.length && !text.endsWith("\n") && value.endsWith("\n");
  return cutShort ? value.slice(0, -1) : value;
}

/**
 * Offset in the file of an escape that stands for no character: a surrogate, single or in a pair, or
 * a number beyond Unicode; -1 without one.
 */
export function findBadEscape(text: string, event: ScalarEvent): number {
  const raw = text.slice(event.valueStart, event.valueEnd);
  for (const match of raw.matchAll(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[^])/g)) {
    const code = parseInt(match[1] ?? match[2] ?? "0", 16);
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      return event.valueStart + match.index;
    }
  }
  return -1;
}
