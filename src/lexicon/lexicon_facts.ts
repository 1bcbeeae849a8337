/**
 * What scoring needs of every document, packed into one value.
 *
 * @module
 */

import { PackedNumbers, PackedReader } from "./_packed_numbers.ts";

/** Statuses as they are packed; anything else is never served. */
const STATUS_CODES: readonly string[] = ["approved", "draft", "proposed"];

/** A document as the word index knows it. */
export interface DocumentFact {
  /** Row in `documents`, which is also the row of its first chunk. */
  readonly row: number;
  /** Position in the list of packed statuses. */
  readonly status: number;
  /** Words of the title. */
  readonly titleLength: number;
  /** Words of each passage. */
  readonly passageLengths: readonly number[];
}

/** Position of a status among the packed ones; the position behind the last for any other. */
export function statusCode(status: string): number {
  const code = STATUS_CODES.indexOf(status);
  return code < 0 ? STATUS_CODES.length : code;
}

/** True when a packed status is admitted: `approved`, and the two unapproved ones when asked for. */
export function admitsStatus(code: number, includeUnapproved: boolean): boolean {
  return code === 0 || (includeUnapproved && code < STATUS_CODES.length);
}

/** Packs the facts in the order given. */
export function packFacts(documents: readonly DocumentFact[]): Uint8Array {
  const packed = new PackedNumbers();
  packed.push(documents.length);
  for (const fact of documents) {
    packed.push(fact.row);
    packed.push(fact.status);
    packed.push(fact.titleLength);
    packed.push(fact.passageLengths.length);
    for (const length of fact.passageLengths) packed.push(length);
  }
  return packed.bytes();
}

/** Unpacks what {@linkcode packFacts} packed; throws `RangeError` on bytes that hold less. */
export function unpackFacts(bytes: Uint8Array): DocumentFact[] {
  const reader = new PackedReader(bytes);
  const facts: DocumentFact[] = [];
  for (let rest = reader.next(); rest > 0; rest--) {
    const row = reader.next();
    const status = reader.next();
    const titleLength = reader.next();
    const passageLengths: number[] = [];
    for (let left = reader.next(); left > 0; left--) passageLengths.push(reader.next());
    facts.push({ row, status, titleLength, passageLengths });
  }
  return facts;
}

/** The facts as typed arrays. A document's number is its place in ascending item id. */
export interface LexiconFacts {
  readonly count: number;
  readonly rows: Uint32Array;
  readonly statuses: Uint8Array;
  readonly titleLengths: Uint32Array;
  readonly passageCounts: Uint32Array;
  /** Words of all passages of a document. */
  readonly lengths: Uint32Array;
  /** Greatest row of a passage or document. */
  readonly lastRow: number;
  /** Words of a passage, by row. */
  readonly passageLengths: Uint32Array;
  /** Number of the document of a passage, plus one, by row; 0 where no passage is. */
  readonly documentOf: Uint32Array;
}

/**
 * Unpacks for scoring what {@linkcode packFacts} packed, row after row in ascending item id; throws
 * `RangeError` on bytes that hold less.
 */
export function readFacts(rows: readonly Uint8Array[]): LexiconFacts {
  let count = 0;
  for (const packed of rows) {
    const documents = new PackedReader(packed).next();
    if (documents > packed.length) throw new RangeError("Cannot unpack the facts of a word index");
    count += documents;
  }
  const facts = {
    count,
    rows: new Uint32Array(count),
    statuses: new Uint8Array(count),
    titleLengths: new Uint32Array(count),
    passageCounts: new Uint32Array(count),
    lengths: new Uint32Array(count),
  };
  let first = 0;
  let lastRow = 0;
  for (const packed of rows) {
    const read = readDocuments(packed, facts, first);
    first += read.documents;
    lastRow = Math.max(lastRow, read.lastRow);
  }
  return { ...facts, lastRow, ...readPassages(rows, facts, lastRow) };
}

type DocumentColumns = Pick<
  LexiconFacts,
  "count" | "rows" | "statuses" | "titleLengths" | "passageCounts" | "lengths"
>;

/** Fills the columns from document `first` on; answers how many there were and their greatest row. */
function readDocuments(packed: Uint8Array, facts: DocumentColumns, first: number) {
  const reader = new PackedReader(packed);
  const documents = reader.next();
  let lastRow = 0;
  for (let number = first; number < first + documents; number++) {
    const row = facts.rows[number] = reader.next();
    facts.statuses[number] = reader.next();
    facts.titleLengths[number] = reader.next();
    const passages = facts.passageCounts[number] = reader.next();
    for (let left = passages; left > 0; left--) facts.lengths[number]! += reader.next();
    lastRow = Math.max(lastRow, row + Math.max(1, passages) - 1);
  }
  return { documents, lastRow };
}

function readPassages(rows: readonly Uint8Array[], facts: DocumentColumns, lastRow: number) {
  const passageLengths = new Uint32Array(lastRow + 1);
  const documentOf = new Uint32Array(lastRow + 1);
  let number = 0;
  for (const packed of rows) {
    const reader = new PackedReader(packed);
    for (let left = reader.next(); left > 0; left--, number++) {
      for (let skipped = 0; skipped < 4; skipped++) reader.next();
      const row = facts.rows[number]!;
      documentOf[row] = number + 1;
      for (let ordinal = 0; ordinal < facts.passageCounts[number]!; ordinal++) {
        passageLengths[row + ordinal] = reader.next();
        documentOf[row + ordinal] = number + 1;
      }
    }
  }
  return { passageLengths, documentOf };
}
