/**
 * The facts that scoring needs about every document, passage and node, packed into three values.
 *
 * @module
 */

import { PackedNumbers, PackedReader } from "./_packed_numbers.ts";

/** Statuses as they are packed; anything else is never served. */
const STATUS_CODES = ["approved", "draft", "proposed"] as const;
const OTHER_STATUS = STATUS_CODES.length;

/** A document as the word index knows it. */
export interface DocumentFact {
  /** Row in `documents`, which is also the row of its first chunk. */
  readonly rowId: number;
  readonly passages: number;
  readonly status: string;
  /** Words of the title. */
  readonly titleLength: number;
}

/** A summary node as the word index knows it; links are numbers of this index. */
export interface NodeFact {
  readonly level: number;
  readonly status: string;
  readonly length: number;
  readonly parent: number | null;
  readonly document: number | null;
}

/** The three packed columns of `lexicon`. */
export interface PackedFacts {
  readonly documents: Uint8Array;
  readonly passages: Uint8Array;
  readonly nodes: Uint8Array;
}

/** Packs the facts in the order given. */
export function packFacts(
  documents: readonly DocumentFact[],
  passageLengths: readonly number[],
  nodes: readonly NodeFact[],
): PackedFacts {
  const packedDocuments = new PackedNumbers();
  packedDocuments.push(documents.length);
  for (const fact of documents) {
    packedDocuments.push(fact.rowId);
    packedDocuments.push(fact.passages);
    packedDocuments.push(statusCode(fact.status));
    packedDocuments.push(fact.titleLength);
  }
  const packedPassages = new PackedNumbers();
  packedPassages.push(passageLengths.length);
  for (const length of passageLengths) packedPassages.push(length);
  const packedNodes = new PackedNumbers();
  packedNodes.push(nodes.length);
  for (const fact of nodes) {
    packedNodes.push(fact.level);
    packedNodes.push(statusCode(fact.status));
    packedNodes.push(fact.length);
    packedNodes.push(fact.parent === null ? 0 : fact.parent + 1);
    packedNodes.push(fact.document === null ? 0 : fact.document + 1);
  }
  return {
    documents: packedDocuments.bytes(),
    passages: packedPassages.bytes(),
    nodes: packedNodes.bytes(),
  };
}

function statusCode(status: string): number {
  const code = (STATUS_CODES as readonly string[]).indexOf(status);
  return code < 0 ? OTHER_STATUS : code;
}

/** Facts as typed arrays, by number. */
export interface LexiconFacts {
  readonly documentCount: number;
  readonly documentRows: Uint32Array;
  /** First passage of each document, and one entry more for the end. */
  readonly firstPassage: Uint32Array;
  readonly documentStatus: Uint8Array;
  readonly titleLengths: Uint32Array;
  /** Words of all passages of a document. */
  readonly documentLengths: Uint32Array;
  readonly passageCount: number;
  readonly passageLengths: Uint32Array;
  /** Document of each passage. */
  readonly passageDocument: Uint32Array;
  readonly nodeCount: number;
  readonly nodeLevel: Uint8Array;
  readonly nodeStatus: Uint8Array;
  readonly nodeLengths: Uint32Array;
  /** Number plus one; 0 is none. */
  readonly nodeParent: Uint32Array;
  /** Number plus one; 0 is none. */
  readonly nodeDocument: Uint32Array;
}

/** True when a packed status is admitted: `approved`, and the two unapproved ones when asked for. */
export function admitsStatus(code: number, includeUnapproved: boolean): boolean {
  return code === 0 || (includeUnapproved && code < OTHER_STATUS);
}

/** Unpacks what {@linkcode packFacts} packed; throws `RangeError` on bytes that hold less. */
export function unpackFacts(packed: PackedFacts): LexiconFacts {
  const documents = unpackDocuments(packed.documents);
  const passages = unpackPassages(packed.passages, documents.firstPassage);
  return { ...documents, ...passages, ...unpackNodes(packed.nodes) };
}

function unpackDocuments(bytes: Uint8Array) {
  const reader = new PackedReader(bytes);
  const count = reader.next();
  if (count > bytes.length) throw new RangeError("Cannot unpack the documents of a word index");
  const documentRows = new Uint32Array(count);
  const firstPassage = new Uint32Array(count + 1);
  const documentStatus = new Uint8Array(count);
  const titleLengths = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    documentRows[i] = reader.next();
    firstPassage[i + 1] = firstPassage[i]! + reader.next();
    documentStatus[i] = reader.next();
    titleLengths[i] = reader.next();
  }
  return { documentCount: count, documentRows, firstPassage, documentStatus, titleLengths };
}

function unpackPassages(bytes: Uint8Array, firstPassage: Uint32Array) {
  const reader = new PackedReader(bytes);
  const passageCount = reader.next();
  const documentCount = firstPassage.length - 1;
  if (passageCount !== firstPassage[documentCount]) {
    throw new RangeError("Cannot unpack the passages of a word index");
  }
  const passageLengths = new Uint32Array(passageCount);
  const passageDocument = new Uint32Array(passageCount);
  const documentLengths = new Uint32Array(documentCount);
  for (let document = 0; document < documentCount; document++) {
    const end = firstPassage[document + 1]!;
    for (let passage = firstPassage[document]!; passage < end; passage++) {
      const length = reader.next();
      passageLengths[passage] = length;
      passageDocument[passage] = document;
      documentLengths[document]! += length;
    }
  }
  return { passageCount, passageLengths, passageDocument, documentLengths };
}

function unpackNodes(bytes: Uint8Array) {
  const reader = new PackedReader(bytes);
  const nodeCount = reader.next();
  if (nodeCount > bytes.length) throw new RangeError("Cannot unpack the nodes of a word index");
  const nodeLevel = new Uint8Array(nodeCount);
  const nodeStatus = new Uint8Array(nodeCount);
  const nodeLengths = new Uint32Array(nodeCount);
  const nodeParent = new Uint32Array(nodeCount);
  const nodeDocument = new Uint32Array(nodeCount);
  for (let i = 0; i < nodeCount; i++) {
    nodeLevel[i] = reader.next();
    nodeStatus[i] = reader.next();
    nodeLengths[i] = reader.next();
    nodeParent[i] = reader.next();
    nodeDocument[i] = reader.next();
  }
  return { nodeCount, nodeLevel, nodeStatus, nodeLengths, nodeParent, nodeDocument };
}
