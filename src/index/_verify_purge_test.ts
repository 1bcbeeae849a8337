import assert from "node:assert/strict";
import { openInMemory } from "../platform/sqlite/mod.ts";
import { requirePurged } from "./_verify_purge.ts";
import { INDEX_DDL } from "./schema.ts";

const scope = { namespace: "n", sensitivity: "internal", status: "approved" };
const purged = [{ id: 4, chunk_count: 3 }];

/** A build of one grounded document with its node, a domain above it, and what `sql` adds. */
function refuses(sql: string, among = [scope]): boolean {
  using connection = openInMemory();
  const node = "INSERT INTO nodes VALUES";
  connection.exec(`${INDEX_DDL}
    INSERT INTO documents VALUES
      (1, 'a.one', 'R1', 't', '', 'k', 'n', 'approved', 'internal', 'x', 's', 3, 'f');
    ${node} (1, 'd1', 't', 1, 'document', 2, 1, 'R1', 'n', 'internal', 'approved', 'h', 'x');
    ${node} (2, 'k1', 't', 2, 'domain', NULL, NULL, '', 'n', 'internal', 'approved', 'h', 'x');
    ${sql}`);
  try {
    requirePurged(connection, purged, among);
    return false;
  } catch {
    return true;
  }
}

const node = (values: string) => `INSERT INTO nodes VALUES (3, 'x', 't', ${values}, 'h', 'x');`;
const labels = "'n', 'internal', 'approved'";

Deno.test("requirePurged() accepts a build in which every node stands on what is below it", () => {
  assert.equal(refuses(""), false);
});

Deno.test("requirePurged() refuses any row of a purged document", () => {
  const rows = [
    "INSERT INTO documents VALUES (4, 'a.x', 'R', 't', '', 'k', 'n', 's', 'i', 'x', 's', 3, 'f');",
    "INSERT INTO chunks VALUES (6, 4, 2, 1, '', 'x');",
    "INSERT INTO vectors VALUES (4, 1, x'00');",
    "INSERT INTO secret_lines VALUES (4, 0, 'x');",
    node(`1, 'document', NULL, 4, 'R', 'other', 'internal', 'approved'`),
  ];
  for (const row of rows) assert.ok(refuses(row), row);
});

Deno.test("requirePurged() refuses a node of a purged document's scope that has lost its ground", () => {
  const nodes = {
    "of no document": node(`1, 'document', NULL, 9, 'R9', ${labels}`),
    "of another revision": node(`1, 'document', NULL, 1, 'R0', ${labels}`),
    "of no children": node(`2, 'domain', NULL, NULL, '', ${labels}`),
    "of children on its own level": "UPDATE nodes SET parent = 1 WHERE id = 1;",
    "under no parent": node(`2, 'domain', 77, NULL, '', ${labels}`),
  };
  for (const [what, sql] of Object.entries(nodes)) {
    assert.ok(refuses(sql), what);
    assert.ok(refuses(sql, [{ ...scope, namespace: "m" }, scope]), `${what}, second scope`);
  }
});
