import { TheurianError } from "../platform/errors.ts";
import type { Connection } from "../platform/sqlite/mod.ts";

/** Each of these must count nothing in a purged file (index-build.md 12.3, step 7). */
const LEFTOVERS = [
  "SELECT count(*) AS n FROM chunks c LEFT JOIN documents d ON d.id = c.document WHERE d.id IS NULL",
  "SELECT count(*) AS n FROM vectors v LEFT JOIN documents d ON d.id = v.document WHERE d.id IS NULL",
  "SELECT count(*) AS n FROM secret_lines l LEFT JOIN documents d ON d.id = l.document " +
  "WHERE d.id IS NULL",
  "SELECT count(*) AS n FROM nodes n LEFT JOIN documents d ON d.id = n.document " +
  "WHERE n.level = 1 AND (d.id IS NULL OR d.revision_id <> n.revision_id)",
  "SELECT count(*) AS n FROM nodes n WHERE n.level > 1 AND NOT EXISTS " +
  "(SELECT 1 FROM nodes child WHERE child.parent = n.id AND child.level = n.level - 1)",
  "SELECT count(*) AS n FROM nodes n LEFT JOIN nodes p ON p.id = n.parent " +
  "WHERE n.parent IS NOT NULL AND (p.id IS NULL OR p.level <> n.level + 1)",
];

/** Proves that nothing withdrawn, and nothing that stood on it, is left. Throws `build-failed`. */
export function requirePurged(connection: Connection, revisions: ReadonlySet<string>): void {
  const rows = connection.all<{ revision_id: string }>("SELECT revision_id FROM documents");
  const isClean = !rows.some((row) => revisions.has(row.revision_id)) &&
    LEFTOVERS.every((sql) => connection.get<{ n: number }>(sql)!.n === 0);
  if (isClean) return;
  throw new TheurianError("build-failed", "Cannot purge the index: withdrawn content is left", {
    remedy: "Run: theurian index build",
  });
}
