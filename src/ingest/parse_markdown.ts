/**
 * Markdown as a source: headings, code fences, front matter (corpus-and-migrations.md section 16).
 * One forward pass, linear in the text.
 *
 * @module
 */

import { codePointLength, isBlank, strip } from "../platform/text.ts";
import type { ParsedContent } from "./document.ts";
import { splitFrontMatter } from "./front_matter.ts";
import { type SourceLine, sourceLines } from "./markdown_lines.ts";

/** Most headings and fences that are kept of one document. */
const HEADINGS = 2_000;
const FENCES = 1_000;

/** An ATX heading. */
export interface Heading {
  readonly level: number;
  readonly text: string;
  /** Code points of the body before the heading's line. */
  readonly offset: number;
  /** First line is 1. */
  readonly line: number;
}

/** A closed code fence. */
export interface CodeFence {
  readonly language: string | null;
  readonly line: number;
  /** Code points from the end of the opening line to the start of the closing one. */
  readonly characters: number;
}

/** Parses Markdown; `name` stands for the file in warnings. */
export function parseMarkdown(text: string, name: string): ParsedContent {
  const { body, mapping, warnings } = splitFrontMatter(text, name);
  const { headings, codeFences } = outline(body);
  const declared = mapping?.["title"];
  const title = (headings.find((heading) => heading.level === 1) ?? headings[0])?.text ??
    (typeof declared === "string" && !isBlank(declared) ? strip(declared) : "Untitled");
  return {
    title,
    body,
    contentType: "text/markdown",
    parser: "markdown",
    structured: { headings, codeFences, ...(mapping === null ? {} : { frontMatter: mapping }) },
    warnings,
  };
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const FENCE_LINE = /^[ \t]*(`{3,}|~{3,})[ \t]*(.*)$/;

interface FenceMark {
  readonly kind: "`" | "~";
  readonly length: number;
  readonly info: string;
}

function outline(body: string): { headings: Heading[]; codeFences: CodeFence[] } {
  const lines = sourceLines(body);
  const marks = lines.map((line) => fenceMark(line.text));
  const longestCloser = closersBehind(marks);
  const headings: Heading[] = [];
  const codeFences: CodeFence[] = [];
  const offsets = codePointOffsets(body);
  for (let i = 0; i < lines.length; i++) {
    const mark = marks[i]!;
    const line = lines[i]!;
    // An opener that nothing closes is text, so what follows it is not code.
    if (mark !== null && longestCloser[mark.kind][i + 1]! >= mark.length) {
      const close = closerOf(marks, i, mark);
      if (codeFences.length < FENCES) {
        codeFences.push({
          language: /^[^\s`]+/.exec(mark.info)?.[0] ?? null,
          line: i + 1,
          characters: codePointLength(body.slice(line.end, lines[close]!.start)),
        });
      }
      i = close;
      continue;
    }
    const heading = headingOf(line, i + 1);
    if (heading !== null && headings.length < HEADINGS) {
      headings.push({ ...heading, offset: offsets(line.start) });
    }
  }
  return { headings, codeFences };
}

function headingOf(line: SourceLine, number: number): Omit<Heading, "offset"> | null {
  const match = HEADING.exec(line.text);
  if (match === null) return null;
  const text = strip(withoutClosingMarks(strip(match[2]!)));
  return text === "" ? null : { level: match[1]!.length, text, line: number };
}

/** Removes `#`s at the end that a blank sets off; `C#` keeps its own. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "#") end--;
  if (end === text.length) return text;
  return end === 0 || text[end - 1] === " " || text[end - 1] === "\t" ? text.slice(0, end) : text;
}

function fenceMark(text: string): FenceMark | null {
  const match = FENCE_LINE.exec(text);
  if (match === null) return null;
  const kind = match[1]![0] as "`" | "~";
  const info = strip(match[2]!);
  if (kind === "`" && info.includes("`")) return null;
  return { kind, length: match[1]!.length, info };
}

/** For each line, the longest bare fence of each kind on it or behind it. */
function closersBehind(marks: readonly (FenceMark | null)[]): Record<"`" | "~", number[]> {
  const longest = { "`": new Array(marks.length + 1), "~": new Array(marks.length + 1) };
  for (const kind of ["`", "~"] as const) {
    longest[kind][marks.length] = 0;
    for (let i = marks.length - 1; i >= 0; i--) {
      const mark = marks[i]!;
      const own = mark !== null && mark.kind === kind && mark.info === "" ? mark.length : 0;
      longest[kind][i] = Math.max(own, longest[kind][i + 1]);
    }
  }
  return longest;
}

/** The line that closes the fence opened on `from`; there is one. */
function closerOf(marks: readonly (FenceMark | null)[], from: number, opener: FenceMark): number {
  for (let i = from + 1; i < marks.length; i++) {
    const mark = marks[i]!;
    if (mark?.kind === opener.kind && mark.info === "" && mark.length >= opener.length) return i;
  }
  return marks.length - 1;
}

/** Code points before an index; asked for rising indexes, so that the text is walked once. */
function codePointOffsets(text: string): (index: number) => number {
  let index = 0;
  let count = 0;
  return (target) => {
    count += codePointLength(text.slice(index, target));
    index = target;
    return count;
  };
}
