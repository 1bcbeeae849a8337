/**
 * Filling the word index of an index file from its documents, passages and summary nodes.
 *
 * @module
 */

import { blobText, type Connection } from "../platform/sqlite/mod.ts";
import { strip } from "../platform/text.ts";
import { type PackedFacts, packFacts } from "./lexicon_facts.ts";
import { TermCollector } from "./_term_collector.ts";
import { LEXICON_CLEAR } from "./schema.ts";

interface DocumentRow {
  readonly id: number;
  readonly item_id: string;
  readonly title: Uint8Array;
  readonly status: string;
  readonly chunk_count: number;
}

interface NodeRow {
  readonly id: number;
  readonly level: number;
  readonly parent: number | null;
  readonly document: number | null;
  readonly status: string;
  readonly text: Uint8Array;
}

/**
 * Replaces the word index of the file. Call it once after `documents`, `chunks` and `nodes` are
 * written, inside the transaction that writes them. The same rows give the same bytes, whatever
 * their row numbers.
 */
export function writeLexicon(connection: Connection): void {
  connection.exec(LEXICON_CLEAR);
  const collector = new TermCollector();
  const documents = collectDocuments(connection, collector);
  const nodes = collectNodes(connection, collector, documents.numberOf);
  const facts = packFacts(documents.facts, documents.passageLengths, nodes);
  saveTerms(connection, collector, facts);
}

type DocumentFacts = Parameters<typeof packFacts>[0];
type NodeFacts = Parameters<typeof packFacts>[2];

function collectDocuments(connection: Connection, collector: TermCollector) {
  const facts: DocumentFacts[number][] = [];
  const passageLengths: number[] = [];
  const numberOf = new Map<number, number>();
  const rows = connection.all<DocumentRow>(
    "SELECT id, item_id, CAST(title AS BLOB) AS title, status, chunk_count FROM documents " +
      "ORDER BY item_id",
  );
  for (const [number, row] of rows.entries()) {
    numberOf.set(row.id, number);
    const title = blobText(row.title);
    const titleLength = collector.addName(number, title, row.item_id);
    let ordinal = 0;
    const chunks = connection.iterate<{ text: Uint8Array }>(
      "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id >= ? AND id < ? ORDER BY id",
      row.id,
      row.id + row.chunk_count,
    );
    for (const chunk of chunks) {
      const text = blobText(chunk.text);
      const shown = ordinal++ === 0 ? withoutTitle(text, title) : text;
      passageLengths.push(collector.addPassage(passageLengths.length, shown));
    }
    facts.push({ rowId: row.id, passages: ordinal, status: row.status, titleLength });
  }
  return { facts, passageLengths, numberOf };
}

/** The title opens the first passage; its words are kept as the document's name instead. */
function withoutTitle(text: string, title: string): string {
  const shown = strip(title);
  return text.startsWith(shown) ? text.slice(shown.length) : text;
}

function collectNodes(
  connection: Connection,
  collector: TermCollector,
  documentOf: ReadonlyMap<number, number>,
): NodeFacts {
  const rows = connection.all<NodeRow>(
    "SELECT id, level, parent, document, status, CAST(text AS BLOB) AS text FROM nodes " +
      "ORDER BY level, node_id",
  );
  const numberOf = new Map(rows.map((row, number) => [row.id, number]));
  return rows.map((row, number) => ({
    level: row.level,
    status: row.status,
    length: collector.addNode(number, blobText(row.text)),
    parent: row.parent === null ? null : numberOf.get(row.parent) ?? null,
    document: row.document === null ? null : documentOf.get(row.document) ?? null,
  }));
}

function saveTerms(connection: Connection, collector: TermCollector, facts: PackedFacts): void {
  const terms = collector.sortedTerms();
  connection.run(
    "INSERT INTO lexicon (id, vocabulary, documents, passages, nodes) VALUES (1, ?, ?, ?, ?)",
    "\n" + terms.map((entry) => entry.term + "\n").join(""),
    facts.documents,
    facts.passages,
    facts.nodes,
  );
  for (const [id, entry] of terms.entries()) {
    connection.run(
      "INSERT INTO terms (id, stem, passages, names, nodes) VALUES (?, ?, ?, ?, ?)",
      id,
      entry.stem,
      entry.passages,
      entry.names,
      entry.nodes,
    );
  }
}
