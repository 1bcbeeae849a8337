/**
 * What a person reads: one `key: value` line an entry, nested maps indented, lists as `- item`
 * (cli-and-plugins.md 1.3). Every key and value passes the same sink, so that committed text can
 * neither forge a line nor drive the terminal.
 *
 * @module
 */

import { escapeControls } from "../platform/text.ts";

/** The document as lines, in its own order, with a final newline. */
export function documentText(document: Readonly<Record<string, unknown>>): string {
  return mapLines(document, "").map((line) => `${line}\n`).join("");
}

/** Text of several lines that is ours, through the same sink; exactly one final newline. */
export function plainText(text: string): string {
  return `${text.replace(/\n$/, "").split("\n").map(escapeControls).join("\n")}\n`;
}

/** A failure as a person reads it: the fault on one line, what to do on the next. */
export function failureText(failure: { error: string; remedy: string }): string {
  return `error: ${escapeControls(failure.error)}\n${escapeControls(failure.remedy)}\n`;
}

function mapLines(map: object, indent: string): string[] {
  return Object.entries(map).flatMap(([key, value]) =>
    value === undefined ? [] : entryLines(`${indent}${escapeControls(key)}:`, value, indent)
  );
}

function entryLines(label: string, value: unknown, indent: string): string[] {
  if (isEmpty(value)) return [`${label} (none)`];
  if (Array.isArray(value)) return [label, ...listLines(value, `${indent}  `)];
  if (typeof value === "object" && value !== null) {
    return [label, ...mapLines(value, `${indent}  `)];
  }
  return [`${label} ${scalar(value)}`.trimEnd()];
}

function listLines(list: readonly unknown[], indent: string): string[] {
  return list.flatMap((item) => {
    if (typeof item !== "object" || item === null || isEmpty(item)) {
      return [`${indent}- ${isEmpty(item) ? "(none)" : scalar(item)}`.trimEnd()];
    }
    const lines = Array.isArray(item)
      ? listLines(item, `${indent}  `)
      : mapLines(item, `${indent}  `);
    return lines.map((line, i) => i === 0 ? `${indent}- ${line.slice(indent.length + 2)}` : line);
  });
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function scalar(value: unknown): string {
  return value === null ? "-" : escapeControls(String(value));
}
