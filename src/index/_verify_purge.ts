import { TheurianError } from "../platform/errors.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import type { ScopeLabels } from "./_forest_rows.ts";

/** What a purged document occupied. */
export interface PurgedDocument {
  readonly id: number;
  readonly chunk_count: number;
}

/** Rows of a document, by the ids of its first and last chunk; none may be left of a purged one. */
const ROWS_OF_DOCUMENT = [
  "SELECT 1 FROM documents WHERE id BETWEEN ? AND ?",
  "SELECT 1 FROM chunks WHERE id BETWEEN ? AND ?",
  "SELECT 1 FROM vectors WHERE document BETWEEN ? AND ?",
  "SELECT 1 FROM secret_lines WHERE document BETWEEN ? AND ?",
  "SELECT 1 FROM nodes WHERE document BETWEEN ? AND ?",
] as const;

const OF_SCOPE = "n.namespace = ? AND n.sensitivity = ? AND n.status = ?";

/** Nodes of a scope that do not stand on what is below them. */
const UNGROUNDED_NODES = [
  "SELECT 1 FROM nodes n LEFT JOIN documents d ON d.id = n.document " +
  `WHERE ${OF_SCOPE} AND n.level = 1 AND (d.id IS NULL OR d.revision_id <> n.revision_id)`,
  `SELECT 1 FROM nodes n WHERE ${OF_SCOPE} AND n.level > 1 AND NOT EXISTS ` +
  "(SELECT 1 FROM nodes child WHERE child.parent = n.id AND child.level = n.level - 1)",
  "SELECT 1 FROM nodes n LEFT JOIN nodes p ON p.id = n.parent " +
  `WHERE ${OF_SCOPE} AND n.parent IS NOT NULL AND (p.id IS NULL OR p.level <> n.level + 1)`,
] as const;

/**
 * Proves that nothing withdrawn, and nothing that stood on it, is left (index-build.md 12.3, step 7).
 * `scopes` are those of what was purged: no node stands on anything outside its own. Throws
 * `build-failed`.
 */
export function requirePurged(
  connection: Connection,
  purged: readonly PurgedDocument[],
  scopes: readonly ScopeLabels[],
): void {
  const leavesRows = ({ id, chunk_count }: PurgedDocument) =>
    ROWS_OF_DOCUMENT.some((sql) => connection.get(sql, id, id + chunk_count - 1) !== undefined);
  const leavesNodes = ({ namespace, sensitivity, status }: ScopeLabels) =>
    UNGROUNDED_NODES.some((sql) =>
      connection.get(sql, namespace, sensitivity, status) !== undefined
    );
  if (!purged.some(leavesRows) && !scopes.some(leavesNodes)) return;
  throw new TheurianError("build-failed", "Cannot purge the index: withdrawn content is left", {
    remedy: "Run: theurian index build",
  });
}
