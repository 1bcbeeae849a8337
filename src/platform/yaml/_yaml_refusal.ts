import { codePointLength } from "../text.ts";
import { TheurianError } from "../errors.ts";

/** Which rule of corpus-and-migrations.md 8.1 a file breaks; published as `details.rule`. */
export type YamlRule =
  | "encoding"
  | "character"
  | "byte-order-mark"
  | "syntax"
  | "tab"
  | "directive"
  | "documents"
  | "root"
  | "tag"
  | "anchor"
  | "alias"
  | "merge"
  | "scalar"
  | "key"
  | "duplicate-key"
  | "escape"
  | "flow-question-mark"
  | "nesting"
  | "count"
  | "length"
  | "number";

const REMEDIES: Partial<Record<YamlRule, string>> = {
  "encoding": "Save the file as UTF-8",
  "tab": "Replace the TAB by spaces, or quote the text that holds it",
  "anchor": "Write the value out instead of naming it with an anchor",
  "alias": "Write the value out instead of repeating it with an alias",
  "merge": 'Write the keys out instead of merging them; quote "<<" where it is meant as text',
  "tag": "Remove the tag; quote the value when it is meant as text",
  "scalar": "Quote the value when it is meant as text, or write a plain decimal number",
  "key": "Quote the key",
  "duplicate-key": "Keep one of the two keys",
  "escape": "Write the character itself, or its escape with eight digits",
  "flow-question-mark": "Quote the text that holds the question mark",
  "directive": "Remove the line that starts with a percent sign",
  "documents": "Keep one document; remove the second --- line and what follows it",
};

/** A place in a file; both count from 1, columns are code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Place of an offset in a text without a byte order mark. */
export function positionAt(text: string, offset: number): Position {
  const end = Math.min(Math.max(offset, 0), text.length);
  let line = 1;
  let start = 0;
  for (let i = text.indexOf("\n"); i !== -1 && i < end; i = text.indexOf("\n", i + 1)) {
    line++;
    start = i + 1;
  }
  return { line, column: codePointLength(text.slice(start, end)) + 1 };
}

/** What is being read: the name for messages and the text that offsets count in. */
export interface YamlSource {
  readonly name: string;
  readonly text: string;
}

/** Refuses at an offset. The reason is our words and never holds what the file says. */
export function yamlRefusal(
  source: YamlSource,
  rule: YamlRule,
  reason: string,
  offset: number,
): TheurianError {
  const { line, column } = positionAt(source.text, offset);
  return new TheurianError(
    "yaml-invalid",
    `Cannot read ${source.name} at line ${line}, column ${column}: ${reason}`,
    {
      remedy: `${REMEDIES[rule] ?? "Correct the file there"}, then run the command again`,
      details: { line, column, rule },
    },
  );
}
