/**
 * One document's rows: cut, estimated, embedded and scanned in one go, then inserted.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { LexiconWriter } from "../lexicon/mod.ts";
import { AUTHORED_HERE_LABEL, type Item, type Revision, servedText } from "../knowledge/model.ts";
import { type Chunk, chunkText } from "./chunk_text.ts";
import { sumGrams } from "./embed_text.ts";
import { estimateTokens } from "./estimate_tokens.ts";
import { documentNode, type ForestNode, type ForestScope } from "./forest.ts";
import { packVectors } from "./pack_vectors.ts";
import { VECTOR_DIMENSION } from "./schema.ts";
import { itemSecretLines } from "./secret_lines.ts";

/** Which parts of a document are derived. */
export interface DocumentParts {
  readonly vectors: boolean;
  readonly forest: boolean;
  readonly secrets: boolean;
}

/** A document to be indexed. */
export interface DocumentSource {
  readonly item: Pick<Item, "itemId" | "projectId" | "status" | "sensitivity">;
  readonly revision: Revision;
  /** Digest of the stored facts about the revision. */
  readonly factsSha256: string;
}

/** What was inserted. */
export interface InsertedDocument {
  /** Id of the document and of its first chunk. */
  readonly id: number;
  readonly chunks: number;
}

const INSERT_DOCUMENT =
  `INSERT INTO documents (id, item_id, revision_id, title, labels, kind, namespace,
  status, sensitivity, trust_level, served_sha256, chunk_count, facts_sha256)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_CHUNK =
  "INSERT INTO chunks (id, document, ordinal, tokens, heading, text) VALUES (?, ?, ?, ?, ?, ?)";
const INSERT_VECTORS = "INSERT INTO vectors (document, width, data) VALUES (?, ?, ?)";
const INSERT_LINE = "INSERT INTO secret_lines (document, position, line) VALUES (?, ?, ?)";
const INSERT_NODE = `INSERT INTO nodes (node_id, tree_id, level, node_type, parent, document,
  revision_id, namespace, sensitivity, status, content_hash, text)
  VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, ?)`;

/**
 * Derives and inserts everything about a document, its words by `words`; its chunks get ids from `id`
 * on. A text without a passage is not indexed and gives `null`.
 */
export function insertDocument(
  connection: Connection,
  id: number,
  source: DocumentSource,
  parts: DocumentParts,
  words: LexiconWriter,
): InsertedDocument | null {
  const { item, revision } = source;
  const served = servedText(revision.title, revision.body);
  const chunks = chunkText(served, revision.revisionId);
  if (chunks.length === 0) return null;
  const labels = revision.labels.filter((label) => label !== AUTHORED_HERE_LABEL).join(" ");
  connection.run(
    INSERT_DOCUMENT,
    id,
    item.itemId,
    revision.revisionId,
    revision.title,
    labels,
    revision.kind,
    revision.namespace,
    item.status,
    item.sensitivity,
    revision.trustLevel,
    sha256Hex(served),
    chunks.length,
    source.factsSha256,
  );
  insertChunks(connection, id, chunks);
  const { itemId, status } = item;
  const passages = chunks.map(({ text }) => text);
  words.add({ row: id, itemId, title: revision.title, labels, status, passages });
  if (parts.vectors) insertVectors(connection, id, chunks);
  if (parts.forest) insertDocumentNode(connection, id, source, chunks);
  if (parts.secrets) {
    itemSecretLines(revision, served).forEach((line, position) => {
      connection.run(INSERT_LINE, id, position, line);
    });
  }
  return { id, chunks: chunks.length };
}

function insertChunks(connection: Connection, id: number, chunks: readonly Chunk[]): void {
  for (const { ordinal, heading, text } of chunks) {
    connection.run(INSERT_CHUNK, id + ordinal, id, ordinal, estimateTokens(text), heading, text);
  }
}

function insertVectors(connection: Connection, id: number, chunks: readonly Chunk[]): void {
  const { width, data } = packVectors(chunks.map(({ text }) => {
    const sums = new Int32Array(VECTOR_DIMENSION);
    sumGrams(text, sums);
    return sums;
  }));
  connection.run(INSERT_VECTORS, id, width, data);
}

function insertDocumentNode(
  connection: Connection,
  id: number,
  { item, revision }: DocumentSource,
  chunks: readonly Chunk[],
): void {
  const scope: ForestScope = {
    projectId: item.projectId,
    sensitivity: item.sensitivity,
    namespace: revision.namespace,
    status: item.status,
  };
  const node = documentNode(scope, revision, chunks.map((chunk) => chunk.text));
  if (node !== null) insertNode(connection, scope, node, id);
}

/** Inserts a node without a parent and returns its row. */
export function insertNode(
  connection: Connection,
  scope: ForestScope,
  node: ForestNode,
  document: number | null,
): number {
  return connection.run(
    INSERT_NODE,
    node.nodeId,
    node.treeId,
    node.level,
    node.nodeType,
    document,
    node.revisionId,
    scope.namespace,
    scope.sensitivity,
    scope.status,
    node.contentHash,
    node.text,
  ).lastInsertRowid;
}

/** Removes a document with its chunks, vectors, lines and its own node; the nodes above stay. */
export function deleteDocument(connection: Connection, id: number): void {
  connection.run(
    "DELETE FROM chunks WHERE id >= ? AND id < ? + (SELECT chunk_count FROM documents WHERE id = ?)",
    id,
    id,
    id,
  );
  connection.run("DELETE FROM vectors WHERE document = ?", id);
  connection.run("DELETE FROM secret_lines WHERE document = ?", id);
  connection.run("DELETE FROM nodes WHERE document = ?", id);
  connection.run("DELETE FROM documents WHERE id = ?", id);
}
