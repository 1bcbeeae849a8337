/**
 * Writing the word index of an index file: as a whole, or for the documents that changed. Both ways
 * give the same answers; a word that only a removed document held stays in no row.
 *
 * @module
 */

import { blobText, type Connection } from "../platform/sqlite/mod.ts";
import { strip } from "../platform/text.ts";
import { changeFacts, writeFacts } from "./_fact_rows.ts";
import { TermCollector } from "./_term_collector.ts";
import { appendToTerm, insertTerm, removeFromTerm } from "./_term_rows.ts";
import { changeVocabulary, writeVocabulary } from "./_vocabulary_rows.ts";
import { type DocumentFact, statusCode } from "./lexicon_facts.ts";

/** A document as the word index sees it. */
export interface LexiconDocument {
  /** Row in `documents`, which is also the row of its first passage. */
  readonly row: number;
  readonly itemId: string;
  readonly title: string;
  /** Joined by spaces. */
  readonly labels: string;
  readonly status: string;
  /** Texts in ascending ordinal. */
  readonly passages: readonly string[];
}

/** Bytes of postings that are collected before they are written, which bounds the memory of a build. */
const MOST_COLLECTED = 64 * 1024 * 1024;

/**
 * Takes documents into the word index of a file. Their rows must lie behind all that are in it, and
 * come in ascending order. Work inside the transaction that writes `documents`, whose rows must be
 * there before {@linkcode LexiconWriter.save}.
 */
export class LexiconWriter {
  readonly #connection: Connection;
  readonly #mostCollected: number;
  #collector = new TermCollector();
  #facts = new Map<number, DocumentFact>();
  #itemIds: string[] = [];

  constructor(connection: Connection, mostCollected = MOST_COLLECTED) {
    this.#connection = connection;
    this.#mostCollected = mostCollected;
  }

  /** Takes in one document. */
  add(document: LexiconDocument): void {
    this.#facts.set(document.row, collect(document, this.#collector));
    this.#itemIds.push(document.itemId);
    if (this.#collector.size >= this.#mostCollected) this.save();
  }

  /** Writes what was taken in since the last time. */
  save(): void {
    const connection = this.#connection;
    const before = readCounts(connection);
    if (this.#itemIds.length === 0) return saveCounts(connection, before);
    const fresh = before.terms === 0 ? this.#insertTerms() : this.#appendTerms();
    if (before.documents === 0) writeFacts(connection, this.#facts);
    else changeFacts(connection, this.#itemIds, new Set(), this.#facts);
    const documents = before.documents + this.#facts.size;
    saveCounts(connection, { documents, terms: before.terms + fresh });
    this.#collector = new TermCollector();
    this.#facts = new Map();
    this.#itemIds = [];
  }

  #insertTerms(): number {
    const terms = [...this.#collector.terms].sort();
    for (const term of terms) insertTerm(this.#connection, term, this.#collector.listsOf(term));
    writeVocabulary(this.#connection, terms);
    return terms.length;
  }

  #appendTerms(): number {
    const fresh: string[] = [];
    for (const term of this.#collector.terms) {
      const lists = this.#collector.listsOf(term);
      if (appendToTerm(this.#connection, term, lists)) fresh.push(term);
    }
    changeVocabulary(this.#connection, [], fresh);
    return fresh.length;
  }
}

/**
 * Replaces the word index of the file by one of all its documents. Call it after `documents` and
 * `chunks` are written, inside the transaction that writes them.
 */
export function writeLexicon(connection: Connection): void {
  for (const table of ["terms", "vocabulary", "document_facts", "lexicon"]) {
    connection.exec(`DELETE FROM ${table}`);
  }
  const writer = new LexiconWriter(connection);
  const rows = connection.all<{ id: number }>("SELECT id FROM documents ORDER BY id");
  for (const { id } of rows) writer.add(readDocument(connection, id)!);
  writer.save();
}

/** Takes documents into the word index whose rows and passages are written already. */
export function addToLexicon(connection: Connection, documents: readonly number[]): void {
  const writer = new LexiconWriter(connection);
  for (const document of readDocuments(connection, documents)) writer.add(document);
  writer.save();
}

/**
 * Takes documents out of the word index. Call it before their rows are deleted, inside the same
 * transaction; then delete the rows.
 */
export function removeFromLexicon(connection: Connection, documents: readonly number[]): void {
  if (documents.length === 0) return;
  const collector = new TermCollector();
  const gone = new Set<number>();
  const items = new Map<string, number>();
  for (const document of readDocuments(connection, documents)) {
    collect(document, collector);
    items.set(document.itemId, document.row);
    gone.add(document.row);
    for (const ordinal of document.passages.keys()) gone.add(document.row + ordinal);
  }
  const isGone = (place: number) => gone.has(place);
  const emptied: string[] = [];
  for (const term of collector.terms) {
    if (removeFromTerm(connection, term, collector.listsOf(term), isGone)) emptied.push(term);
  }
  changeVocabulary(connection, emptied, []);
  changeFacts(connection, [...items.keys()], new Set(items.values()), new Map());
  const before = readCounts(connection);
  saveCounts(connection, {
    documents: before.documents - items.size,
    terms: before.terms - emptied.length,
  });
}

interface DocumentRow {
  readonly id: number;
  readonly item_id: string;
  readonly title: Uint8Array;
  readonly labels: string;
  readonly status: string;
  readonly chunk_count: number;
}

const DOCUMENT = "SELECT id, item_id, CAST(title AS BLOB) AS title, labels, status, chunk_count " +
  "FROM documents WHERE id = ?";
const PASSAGES =
  "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id >= ? AND id < ? ORDER BY id";

function* readDocuments(
  connection: Connection,
  ids: readonly number[],
): Generator<LexiconDocument> {
  for (const id of ids.toSorted((a, b) => a - b)) {
    const document = readDocument(connection, id);
    if (document !== null) yield document;
  }
}

function readDocument(connection: Connection, id: number): LexiconDocument | null {
  const row = connection.get<DocumentRow>(DOCUMENT, id);
  if (row === undefined) return null;
  const { item_id: itemId, labels, status, chunk_count } = row;
  const passages = connection.all<{ text: Uint8Array }>(PASSAGES, id, id + chunk_count)
    .map(({ text }) => blobText(text));
  return { row: id, itemId, title: blobText(row.title), labels, status, passages };
}

function collect(document: LexiconDocument, collector: TermCollector): DocumentFact {
  const { row, itemId, title, labels, status, passages } = document;
  const titleLength = collector.addName(row, title, `${itemId} ${labels}`);
  const passageLengths = passages.map((text, ordinal) => {
    const shown = ordinal === 0 ? withoutTitle(text, title) : text;
    return collector.addPassage(row + ordinal, shown);
  });
  return { row, status: statusCode(status), titleLength, passageLengths };
}

/** The title opens the first passage; its words are kept as the document's name instead. */
function withoutTitle(text: string, title: string): string {
  const shown = strip(title);
  return text.startsWith(shown) ? text.slice(shown.length) : text;
}

interface Counts {
  readonly documents: number;
  readonly terms: number;
}

function readCounts(connection: Connection): Counts {
  return connection.get<Counts>("SELECT documents, terms FROM lexicon WHERE id = 1") ??
    { documents: 0, terms: 0 };
}

function saveCounts(connection: Connection, { documents, terms }: Counts): void {
  connection.run("INSERT OR REPLACE INTO lexicon VALUES (1, ?, ?)", documents, terms);
}
