/**
 * Where a text may be cut: at blank lines, sentence ends, white space (index-build.md section 4). All
 * parts come back stripped, none is empty. Loops instead of patterns keep an 8 MiB run of white space
 * linear.
 *
 * @module
 */

import { isWhitespaceUnit, strip } from "../platform/text.ts";

/** Cuts text into stripped, non-empty parts. */
export type Splitter = (text: string) => string[];

/** Parts between runs of white space that hold at least two line feeds. */
export function splitParagraphs(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let cursor = text.indexOf("\n");
  while (cursor >= 0) {
    let end = cursor + 1;
    let lastFeed = cursor;
    while (end < text.length && isWhitespaceUnit(text.charCodeAt(end))) {
      if (text.charCodeAt(end) === 0x0a) lastFeed = end;
      end++;
    }
    if (lastFeed > cursor) {
      addPart(parts, text, start, cursor);
      start = end;
    }
    cursor = text.indexOf("\n", end);
  }
  addPart(parts, text, start, text.length);
  return parts;
}

/** Parts that end after `。` `！` `？`, or before white space that follows `.` `!` `?`. */
export function splitSentences(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let afterStop = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (afterStop && isWhitespaceUnit(unit)) {
      addPart(parts, text, start, i);
      start = i;
    } else if (unit === 0x3002 || unit === 0xff01 || unit === 0xff1f) {
      addPart(parts, text, start, i + 1);
      start = i + 1;
    }
    afterStop = unit === 0x2e || unit === 0x21 || unit === 0x3f;
  }
  addPart(parts, text, start, text.length);
  return parts;
}

/** Parts between runs of white space. */
export function splitWords(text: string): string[] {
  const parts: string[] = [];
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    if (!isWhitespaceUnit(text.charCodeAt(i))) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      parts.push(text.slice(start, i));
      start = -1;
    }
  }
  if (start >= 0) parts.push(text.slice(start));
  return parts;
}

function addPart(parts: string[], text: string, start: number, end: number): void {
  if (end <= start) return;
  const part = strip(text.slice(start, end));
  if (part !== "") parts.push(part);
}

/** Stripped, with one space for each run of white space. */
export function collapseWhitespace(text: string): string {
  return splitWords(text).join(" ");
}
