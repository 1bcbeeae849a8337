/**
 * The nodes above the document nodes, per scope (index-build.md 7.2). A scope is grown again whole:
 * a node whose children are the same keeps its text, which is the costly part.
 *
 * @module
 */

import { blobText, type Connection } from "../platform/sqlite/mod.ts";
import { type ForestScope, upperNodes } from "./forest.ts";
import { insertNode } from "./_document_rows.ts";

/** The parts of a scope that differ inside one project. */
export type ScopeLabels = Omit<ForestScope, "projectId">;

const OF_SCOPE = "namespace = ? AND sensitivity = ? AND status = ?";

/** Every scope that has documents. */
export function scopesOf(connection: Connection): ScopeLabels[] {
  return connection.all<ScopeLabels>(
    "SELECT DISTINCT namespace, sensitivity, status FROM documents " +
      "ORDER BY namespace, sensitivity, status",
  );
}

/** The scope that a document's node belongs to; `null` when there is no such document. */
export function scopeOfDocument(connection: Connection, id: number): ScopeLabels | null {
  return connection.get<ScopeLabels>(
    "SELECT namespace, sensitivity, status FROM documents WHERE id = ?",
    id,
  ) ?? null;
}

/** Derives the domain and catalog nodes of each scope from the document nodes that are there now. */
export function regrowScopes(
  connection: Connection,
  projectId: string,
  scopes: readonly ScopeLabels[],
): void {
  const distinct = new Map(scopes.map((scope) => [labelsOf(scope).join("\x1f"), scope]));
  for (const scope of distinct.values()) regrow(connection, { ...scope, projectId });
}

function regrow(connection: Connection, scope: ForestScope): void {
  const labels = labelsOf(scope);
  const before = new Map(
    connection.all<{ id: number; node_id: string; text: Uint8Array }>(
      `SELECT id, node_id, CAST(text AS BLOB) AS text FROM nodes WHERE ${OF_SCOPE} AND level > 1`,
      ...labels,
    ).map((row) => [row.node_id, { id: row.id, text: blobText(row.text) }]),
  );
  const leaves = connection.all<{ nodeId: string; contentHash: string; kind: string }>(
    "SELECT n.node_id AS nodeId, n.content_hash AS contentHash, d.kind AS kind " +
      "FROM nodes n JOIN documents d ON d.id = n.document " +
      "WHERE n.namespace = ? AND n.sensitivity = ? AND n.status = ? AND n.level = 1",
    ...labels,
  );
  const known = new Map([...before].map(([nodeId, { text }]) => [nodeId, text]));
  const nodes = upperNodes(scope, leaves, (id) => textOf(connection, id), known);
  const standing = new Set(nodes.map((node) => node.nodeId));
  for (const [nodeId, { id }] of before) {
    if (standing.has(nodeId)) continue;
    connection.run("UPDATE nodes SET parent = NULL WHERE parent = ?", id);
    connection.run("DELETE FROM nodes WHERE id = ?", id);
  }
  for (const node of nodes) {
    const row = before.get(node.nodeId)?.id ?? insertNode(connection, scope, node, null);
    for (const child of node.children) {
      connection.run(
        "UPDATE nodes SET parent = ? WHERE node_id = ? AND parent IS NOT ?",
        row,
        child,
        row,
      );
    }
  }
}

function labelsOf(scope: ScopeLabels): [string, string, string] {
  return [scope.namespace, scope.sensitivity, scope.status];
}

function textOf(connection: Connection, nodeId: string): string {
  const row = connection.get<{ text: Uint8Array }>(
    "SELECT CAST(text AS BLOB) AS text FROM nodes WHERE node_id = ?",
    nodeId,
  );
  return blobText(row!.text);
}
