/**
 * What a document says of its own standing, as decision records and notes do.
 *
 * @module
 */

import { strip } from "../platform/text.ts";

/** `ended`: superseded, rejected or the like; `undecided`: proposed or a draft. */
export type RecordStatus = "ended" | "undecided";

/** What may follow the word where it is a status and not the start of a sentence of the text. */
const ENDS_HERE = /\s*(?:$|[,.;:()/–—-]|\d|(?:as of|by|for|from|in|on|per|since|with)\b)/.source;

/** Both spellings of the first are common; "supersedes" is said by the record that stands. */
const ENDED = new RegExp(
  "^(?:super[sc]eded|deprecated|rejected|obsolete|withdrawn|retired|archived|abandoned|declined|" +
    `cancell?ed)\\b${ENDS_HERE}`,
  "i",
);
const UNDECIDED = new RegExp(
  "^(?:proposed|proposal|draft|pending|in review|under review|in discussion|wip)\\b" + ENDS_HERE,
  "i",
);

/** How far a status is looked for: a later one is that of a part. */
const BEGINNING = 4_000;

/** Reads the standing from the front matter, a `Status:` line or cell, or a section of that name. */
export function recordStatus(
  body: string,
  frontMatter: Readonly<Record<string, unknown>>,
): RecordStatus | null {
  const words = [...declared(frontMatter), ...written(withoutCode(body))].map(bare);
  if (words.some((word) => ENDED.test(word))) return "ended";
  return words.some((word) => UNDECIDED.test(word)) ? "undecided" : null;
}

function declared(frontMatter: Readonly<Record<string, unknown>>): string[] {
  const { status } = frontMatter;
  return [
    ...[status].flat().filter((word) => typeof word === "string"),
    ...["draft", "archived", "deprecated", "obsolete"].filter((key) => frontMatter[key] === true),
  ];
}

const LINE = /^[ \t>]*(?:[-*+][ \t]+)?[*_]{0,3}status[*_]{0,3}[ \t]*[:：][*_]{0,3}[ \t]*(.+)$/gim;
const CELL = /^\|[ \t]*[*_]{0,3}status[*_]{0,3}:?[ \t]*\|([^|\n]+)\|/gim;
const HEADING = /^#{1,6}[ \t]+(?:\d+\.?[ \t]+)?status[ \t]*:?[ \t]*(.*)$/im;

function written(body: string): string[] {
  const start = body.slice(0, BEGINNING);
  return [
    ...[...start.matchAll(LINE)].map((match) => match[1]!),
    ...[...start.matchAll(CELL)].map((match) => match[1]!),
    ...section(body),
  ];
}

/** The first line of each paragraph below the heading; tools add "Superseded by" as a new one. */
function section(body: string): string[] {
  const heading = HEADING.exec(body.slice(0, BEGINNING));
  if (heading === null) return [];
  const rest = body.slice(heading.index + heading[0].length).slice(0, BEGINNING);
  const end = rest.search(/^#{1,6}[ \t]/m);
  const paragraphs = (end === -1 ? rest : rest.slice(0, end)).split(/\n[ \t]*\n/);
  return [heading[1]!, ...paragraphs.map((text) => strip(text).split("\n")[0]!)];
}

/** The words without marks, struck-out text and what is a choice that nobody made yet. */
function bare(status: string): string {
  if ((status.match(/\w\s*[|/]\s*\w/g)?.length ?? 0) >= 2) return "";
  return strip(status.replace(/~~[^~]*~~/g, "").replace(/^[^\p{L}]+/u, ""));
}

/** Examples in code say nothing about the document. */
function withoutCode(body: string): string {
  return body.replace(/^([ \t]*)(`{3,}|~{3,})[^]*?^[ \t]*\2/gm, "");
}
