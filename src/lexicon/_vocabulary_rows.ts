/**
 * The rows of `vocabulary`, of which a change rewrites the ones it falls into.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";

/** Length of a row's text that is aimed at, in UTF-16 units; a row is cut at twice of it. */
const ROW_LENGTH = 2000;

interface VocabularyRow {
  readonly id: number;
  readonly first: string;
  readonly lines: string;
}

const INSERT = "INSERT INTO vocabulary (first, lines) VALUES (?, ?)";

/** Every term in order, each between line feeds. */
export function readVocabulary(connection: Connection): string {
  const rows = connection.all<VocabularyRow>("SELECT first, lines FROM vocabulary");
  return "\n" + rows.sort(byFirst).map(({ lines }) => lines).join("");
}

/** Writes the terms, which are in ascending order, into the empty table. */
export function writeVocabulary(connection: Connection, terms: readonly string[]): void {
  for (const row of cut(terms)) connection.run(INSERT, row[0]!, linesOf(row));
}

/** Takes terms out, all of which are there, and puts new ones in, none of which is. */
export function changeVocabulary(
  connection: Connection,
  removed: Iterable<string>,
  added: Iterable<string>,
): void {
  const changes = new Map<string, "remove" | "add">();
  for (const term of removed) changes.set(term, "remove");
  for (const term of added) changes.set(term, "add");
  if (changes.size === 0) return;
  const rows = connection.all<Pick<VocabularyRow, "id" | "first">>(
    "SELECT id, first FROM vocabulary",
  ).sort(byFirst);
  const byRow = Map.groupBy(changes.keys(), (term) => rowOf(rows, term));
  for (const [row, terms] of byRow) rewrite(connection, row, terms, changes);
}

/** The row that a term belongs into: the last that begins at or before it, else the first of all. */
function rowOf(rows: readonly Pick<VocabularyRow, "id" | "first">[], term: string): number | null {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]!.first <= term) low = middle + 1;
    else high = middle;
  }
  return rows[Math.max(0, low - 1)]?.id ?? null;
}

/** A row is written anew under its own first term: none that is gone stays as the name of a row. */
function rewrite(
  connection: Connection,
  id: number | null,
  terms: readonly string[],
  changes: ReadonlyMap<string, "remove" | "add">,
): void {
  const before = id === null
    ? undefined
    : connection.get<VocabularyRow>("SELECT lines FROM vocabulary WHERE id = ?", id);
  const kept = new Set(before?.lines.split("\n").slice(0, -1));
  for (const term of terms) {
    if (changes.get(term) === "add") kept.add(term);
    else kept.delete(term);
  }
  if (id !== null) connection.run("DELETE FROM vocabulary WHERE id = ?", id);
  writeVocabulary(connection, [...kept].sort());
}

/** Terms in groups of about equal length. */
function* cut(terms: readonly string[]): Generator<readonly string[]> {
  let from = 0;
  let length = 0;
  for (const [at, term] of terms.entries()) {
    if (length > ROW_LENGTH) {
      yield terms.slice(from, at);
      from = at;
      length = 0;
    }
    length += term.length + 1;
  }
  if (from < terms.length) yield terms.slice(from);
}

function linesOf(terms: readonly string[]): string {
  return terms.map((term) => `${term}\n`).join("");
}

function byFirst(a: Pick<VocabularyRow, "first">, b: Pick<VocabularyRow, "first">): number {
  return a.first < b.first ? -1 : 1;
}
