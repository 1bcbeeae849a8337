/**
 * Cutting a served text into passages (index-build.md section 4). Pure: the same text gives the same
 * passages and ids. All lengths are code points.
 *
 * @module
 */

import { codePointLength, firstCodePoints, isWhitespaceUnit, strip } from "../platform/text.ts";
import { splitParagraphs, splitSentences, type Splitter, splitWords } from "./split_text.ts";

/** A passage aims at this length, and is cut when longer. */
export const TARGET_LENGTH = 1000;
/** A shorter passage is joined to its neighbour. */
export const SHORTEST_LENGTH = 120;

/** A passage of a served text. */
export interface Chunk {
  /** `<revisionId>#<ordinal>`. */
  readonly id: string;
  readonly ordinal: number;
  /** The heading that its first part stands under; `""` before the first heading. */
  readonly heading: string;
  readonly text: string;
}

/** Passages of a served text in order; none when the text is blank. */
export function chunkText(served: string, revisionId: string): Chunk[] {
  const pieces: Piece[] = [];
  for (const section of sectionsOf(served)) {
    for (const text of splitLong(section.text)) {
      pieces.push({ heading: section.heading, text, length: codePointLength(text) });
    }
  }
  return joinRunts(pieces).map(({ heading, text }, ordinal) => ({
    id: `${revisionId}#${ordinal}`,
    ordinal,
    heading,
    text,
  }));
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

interface Piece extends Section {
  readonly length: number;
}

function sectionsOf(served: string): Section[] {
  const sections: Section[] = [];
  let start = 0;
  let heading = "";
  const close = (end: number) => {
    const text = strip(served.slice(start, end));
    if (text !== "") sections.push({ heading, text });
  };
  let line = served.startsWith("#") ? 0 : nextHashLine(served, 0);
  while (line >= 0) {
    const found = headingAt(served, line);
    if (found !== null) {
      close(line);
      start = line;
      heading = found.text;
    }
    line = nextHashLine(served, found === null ? line : found.end);
  }
  close(served.length);
  return sections;
}

/** Start of the first line at or behind `from` that begins with `#` and is not the text's first. */
function nextHashLine(text: string, from: number): number {
  const feed = text.indexOf("\n#", from);
  return feed < 0 ? -1 : feed + 1;
}

/** One to six `#`, white space (which may cross lines), then the rest of that line. */
function headingAt(text: string, line: number): { text: string; end: number } | null {
  let cursor = line;
  while (cursor - line < 6 && text.charCodeAt(cursor) === 0x23) cursor++;
  const afterHashes = cursor;
  while (cursor < text.length && isWhitespaceUnit(text.charCodeAt(cursor))) cursor++;
  if (cursor === afterHashes) return null;
  const feed = text.indexOf("\n", cursor);
  const end = feed < 0 ? text.length : feed;
  return { text: strip(text.slice(cursor, end)), end };
}

const BOUNDARIES: readonly { readonly split: Splitter; readonly joiner: string }[] = [
  { split: splitParagraphs, joiner: "\n\n" },
  { split: splitSentences, joiner: " " },
  { split: splitWords, joiner: " " },
  { split: hardCut, joiner: "" },
];

/** Cuts a section at the coarsest boundary that makes its pieces short enough. */
function splitLong(text: string, level = 0): string[] {
  const boundary = BOUNDARIES[level];
  if (boundary === undefined || codePointLength(text) <= TARGET_LENGTH) return [text];
  return pack(boundary.split(text), boundary.joiner).flatMap((piece) =>
    splitLong(piece, level + 1)
  );
}

/** Joins neighbouring parts while they stay short enough. */
function pack(parts: readonly string[], joiner: string): string[] {
  const pieces: string[] = [];
  let held: string[] = [];
  let length = 0;
  for (const part of parts) {
    const partLength = codePointLength(part);
    if (held.length > 0 && length + joiner.length + partLength <= TARGET_LENGTH) {
      held.push(part);
      length += joiner.length + partLength;
    } else {
      if (held.length > 0) pieces.push(held.join(joiner));
      held = [part];
      length = partLength;
    }
  }
  if (held.length > 0) pieces.push(held.join(joiner));
  return pieces;
}

function hardCut(text: string): string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== "";) {
    const piece = firstCodePoints(rest, TARGET_LENGTH);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return pieces;
}

/** Joins what is too short to the following piece, or at the end to the last one. */
function joinRunts(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  let pending: Piece | null = null;
  for (const piece of pieces) {
    const whole: Piece = pending === null ? piece : appended(pending, piece);
    if (whole.length < SHORTEST_LENGTH) pending = whole;
    else {
      joined.push(whole);
      pending = null;
    }
  }
  if (pending === null) return joined;
  const last = joined.at(-1);
  if (last !== undefined && last.length + pending.length <= TARGET_LENGTH) {
    joined[joined.length - 1] = appended(last, pending);
  } else joined.push(pending);
  return joined;
}

function appended(first: Piece, second: Piece): Piece {
  return {
    heading: first.heading,
    text: `${first.text}\n\n${second.text}`,
    length: first.length + 2 + second.length,
  };
}
