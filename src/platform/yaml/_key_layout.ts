import { SCALAR_STYLE, type ScalarEvent } from "js-yaml";

/** Longest key, quotes and the blanks before its colon included: what every reader finds. */
const KEY_LENGTH = 1024;

const TOO_LONG = `a key is longer than ${KEY_LENGTH} characters`;

/** What stands between a key and its colon: blanks, and in braces also lines and comments. */
const SEPARATION = /(?:[ \t\r\n]|(?<=[ \t\n])#[^\n]*)*/y;

/**
 * Why a scalar cannot be a key for every reader: `null` when it can. A key is not empty, has at most
 * 1,024 characters up to its colon, begins a line outside of braces (after indicators at most), and
 * inside braces stands on one line with its colon.
 */
export function keyFault(
  text: string,
  key: ScalarEvent,
  start: number,
  inFlow: boolean,
): string | null {
  if (key.valueStart < 0) return "a key is empty";
  if (!inFlow && !startsLine(text, start)) return "a key does not stand at the start of a line";
  const quoted = key.style === SCALAR_STYLE.SINGLE_QUOTED ||
    key.style === SCALAR_STYLE.DOUBLE_QUOTED;
  const end = key.valueEnd + (quoted ? 1 : 0);
  SEPARATION.lastIndex = end;
  const colon = end + SEPARATION.exec(text)![0].length;
  const hasColon = text[colon] === ":";
  if (inFlow && hasColon && text.slice(start, colon).includes("\n")) {
    return "a key inside braces does not stand on one line with its colon";
  }
  return (hasColon ? colon : end) - start > KEY_LENGTH ? TOO_LONG : null;
}

function startsLine(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && text[at - 1] === " ") at--;
  if (at === 0 || text[at - 1] === "\n") return true;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  return /^ *(?:[-?:] +)+$/.test(text.slice(lineStart, start));
}
