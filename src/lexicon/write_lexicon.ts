/**
 * Writing the word index of an index file from its documents and passages: as a whole, or for the
 * documents that changed. Both ways give the same answers; a word that only a removed document held
 * stays in no row.
 *
 * @module
 */

import { blobText, type Connection } from "../platform/sqlite/mod.ts";
import { strip } from "../platform/text.ts";
import { TermCollector } from "./_term_collector.ts";
import { type DocumentFact, packFacts, statusCode, unpackFacts } from "./lexicon_facts.ts";
import { withoutPlaces } from "./postings.ts";
import { Vocabulary } from "./vocabulary.ts";

interface DocumentRow {
  readonly id: number;
  readonly item_id: string;
  readonly title: Uint8Array;
  readonly labels: string;
  readonly status: string;
  readonly chunk_count: number;
}

const DOCUMENT =
  "SELECT id, item_id, CAST(title AS BLOB) AS title, labels, status, chunk_count FROM documents ";

/**
 * Replaces the word index of the file. Call it once after `documents` and `chunks` are written,
 * inside the transaction that writes them.
 */
export function writeLexicon(connection: Connection): void {
  connection.exec("DELETE FROM terms; DELETE FROM lexicon;");
  const collector = new TermCollector();
  const facts = new Map<number, DocumentFact>();
  for (const row of connection.iterate<DocumentRow>(`${DOCUMENT}ORDER BY id`)) {
    facts.set(row.id, collect(connection, row, collector));
  }
  const terms = [...collector.terms].sort();
  const listsOf = collector.finish();
  for (const term of terms) {
    const { passages, names } = listsOf(term);
    insertTerm(connection, term, passages, names);
  }
  connection.run(
    "INSERT INTO lexicon (id, vocabulary, documents) VALUES (1, ?, ?)",
    Vocabulary.linesOf(terms),
    packFacts(inItemOrder(connection, facts)),
  );
}

/**
 * Takes documents out of the word index. Call it before their rows are deleted, inside the same
 * transaction; then delete the rows, insert new ones and call {@linkcode addToLexicon}.
 */
export function removeFromLexicon(connection: Connection, documents: readonly number[]): void {
  if (documents.length === 0) return;
  const collector = new TermCollector();
  const gone = new Set<number>();
  for (const row of rowsOf(connection, documents)) {
    collect(connection, row, collector);
    gone.add(row.id);
    for (let passage = row.id; passage < row.id + row.chunk_count; passage++) gone.add(passage);
  }
  const isGone = (place: number) => gone.has(place);
  const emptied = new Set<string>();
  for (const term of collector.terms) {
    const row = readTerm(connection, term);
    if (row === undefined) continue;
    const passages = withoutPlaces(row.passages, isGone);
    const names = withoutPlaces(row.names, isGone);
    if (passages === null && names === null) {
      connection.run("DELETE FROM terms WHERE term = ?", term);
      emptied.add(term);
    } else updateTerm(connection, term, passages, names);
  }
  const { vocabulary, documents: packed } = readRow(connection);
  saveRow(
    connection,
    new Vocabulary(vocabulary).without(emptied),
    unpackFacts(packed).filter((fact) => !gone.has(fact.row)),
  );
}

/**
 * Adds documents to the word index. Their rows must lie behind all that are in it already, as those
 * of {@linkcode removeFromLexicon} have been deleted. Call it inside the same transaction.
 */
export function addToLexicon(connection: Connection, documents: readonly number[]): void {
  if (documents.length === 0) return;
  const collector = new TermCollector();
  const { vocabulary, documents: packed } = readRow(connection);
  const facts = new Map(unpackFacts(packed).map((fact) => [fact.row, fact]));
  for (const row of rowsOf(connection, documents)) {
    facts.set(row.id, collect(connection, row, collector));
  }
  const fresh: string[] = [];
  const listsOf = collector.finish();
  for (const term of collector.terms) {
    const row = readTerm(connection, term);
    const { passages, names } = listsOf(term, row?.passages, row?.names);
    if (row === undefined) {
      fresh.push(term);
      insertTerm(connection, term, passages, names);
    } else updateTerm(connection, term, passages, names);
  }
  saveRow(connection, new Vocabulary(vocabulary).with(fresh), inItemOrder(connection, facts));
}

function rowsOf(connection: Connection, documents: readonly number[]): DocumentRow[] {
  return documents.toSorted((a, b) => a - b)
    .map((id) => connection.get<DocumentRow>(`${DOCUMENT}WHERE id = ?`, id))
    .filter((row) => row !== undefined);
}

function collect(
  connection: Connection,
  row: DocumentRow,
  collector: TermCollector,
): DocumentFact {
  const title = blobText(row.title);
  const titleLength = collector.addName(row.id, title, `${row.item_id} ${row.labels}`);
  const passageLengths: number[] = [];
  const chunks = connection.all<{ text: Uint8Array }>(
    "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id >= ? AND id < ? ORDER BY id",
    row.id,
    row.id + row.chunk_count,
  );
  for (const chunk of chunks) {
    const ordinal = passageLengths.length;
    const text = blobText(chunk.text);
    const shown = ordinal === 0 ? withoutTitle(text, title) : text;
    passageLengths.push(collector.addPassage(row.id + ordinal, shown));
  }
  return { row: row.id, status: statusCode(row.status), titleLength, passageLengths };
}

/** The title opens the first passage; its words are kept as the document's name instead. */
function withoutTitle(text: string, title: string): string {
  const shown = strip(title);
  return text.startsWith(shown) ? text.slice(shown.length) : text;
}

function inItemOrder(
  connection: Connection,
  facts: ReadonlyMap<number, DocumentFact>,
): DocumentFact[] {
  return connection.all<{ id: number }>("SELECT id FROM documents ORDER BY item_id")
    .map(({ id }) => facts.get(id)).filter((fact) => fact !== undefined);
}

interface TermRow {
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
}

function readTerm(connection: Connection, term: string): TermRow | undefined {
  return connection.get<TermRow>("SELECT passages, names FROM terms WHERE term = ?", term);
}

function insertTerm(
  connection: Connection,
  term: string,
  passages: Uint8Array | null,
  names: Uint8Array | null,
): void {
  connection.run(
    "INSERT INTO terms (term, passages, names) VALUES (?, ?, ?)",
    term,
    passages,
    names,
  );
}

function updateTerm(
  connection: Connection,
  term: string,
  passages: Uint8Array | null,
  names: Uint8Array | null,
): void {
  connection.run("UPDATE terms SET passages = ?, names = ? WHERE term = ?", passages, names, term);
}

function readRow(connection: Connection) {
  return connection.get<{ readonly vocabulary: string; readonly documents: Uint8Array }>(
    "SELECT vocabulary, documents FROM lexicon WHERE id = 1",
  )!;
}

function saveRow(
  connection: Connection,
  vocabulary: string,
  facts: readonly DocumentFact[],
): void {
  connection.run(
    "UPDATE lexicon SET vocabulary = ?, documents = ? WHERE id = 1",
    vocabulary,
    packFacts(facts),
  );
}
