import assert from "node:assert/strict";
import {
  KnowledgeProject,
  type Loose,
  migrationId,
  revisionId,
} from "../../tests/support/knowledge_project.ts";
import { loadMigrationSet } from "./load_migrations.ts";
import { inApplicationOrder } from "./migration_set.ts";
import type { PermissiveMove } from "./permissive_moves.ts";
import { replay } from "./replay.ts";

/** Moves of migrations given as number → operations and what they depend on. */
function moves(
  make: (at: KnowledgeProject) => Record<number, [Loose[], number[]?]>,
): readonly PermissiveMove[] {
  using at = new KnowledgeProject();
  for (const [n, [operations, dependsOn = []]] of Object.entries(make(at))) {
    at.migration(Number(n), operations, { dependsOn: dependsOn.map(migrationId) });
  }
  return replay(inApplicationOrder(loadMigrationSet(at.project.paths)), null).permissiveMoves;
}

const level = (sensitivity: string): Loose => ({
  op: "changeSensitivity",
  itemId: "a",
  sensitivity,
  reason: "r",
});

const row = (
  n: number,
  field: string,
  before: string,
  after: string,
  undoes: number | null,
  kind: string | null,
) => ({
  migrationId: migrationId(n),
  itemId: "a",
  field,
  before,
  after,
  undoes: undoes === null ? null : migrationId(undoes),
  kind,
});

Deno.test("a smaller id that overtakes a stricter larger one is a reorder", () => {
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      9: [[level("restricted")]],
      5: [[level("public")], [9]],
    })),
    [row(5, "sensitivity", "restricted", "public", 9, "reorders")],
  );
});

Deno.test("without the dependency the smaller id comes first and there is no row from it", () => {
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      9: [[level("restricted")]],
      5: [[level("public")]],
    })),
    [],
  );
});

Deno.test("one migration that lowers twice gives one row from its start to its end", () => {
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      9: [[level("restricted")]],
      5: [[level("confidential"), level("internal")], [9]],
    })),
    [row(5, "sensitivity", "restricted", "internal", 9, "reorders")],
  );
});

Deno.test("a migration that creates and lowers, or lowers and restores, gives no row", () => {
  assert.deepEqual(moves((at) => ({ 1: [[at.upsert("a", 1), level("public")]] })), []);
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      9: [[level("restricted")]],
      5: [[level("public"), level("restricted")], [9]],
    })),
    [],
  );
  const lower = { expectedRevision: revisionId(1) };
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1), at.upsert("a", 2, { sensitivity: "public" }, lower)]],
    })),
    [],
  );
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1, { sensitivity: "confidential" })]],
      3: [[at.upsert("a", 1, { sensitivity: "public" }, lower), level("confidential")]],
    })),
    [],
  );
});

Deno.test("an upsert that loosens says whose withdrawal it undoes, or what it lowers", () => {
  const again = (at: KnowledgeProject, metadata: Loose) => [
    at.upsert("a", 1, metadata, { expectedRevision: revisionId(1) }),
  ];
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      2: [[{ op: "deprecateItem", itemId: "a" }]],
      3: [again(at, {})],
    })),
    [row(3, "status", "deprecated", "approved", 2, "undoes")],
  );
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1, { sensitivity: "confidential" })]],
      3: [again(at, { sensitivity: "public" })],
    })),
    [row(3, "sensitivity", "confidential", "public", 1, "lowers")],
  );
});

Deno.test("restoreItem and changeSensitivity in the order of their ids are no rows", () => {
  assert.deepEqual(
    moves((at) => ({
      1: [[at.upsert("a", 1)]],
      2: [[{ op: "deprecateItem", itemId: "a" }, level("restricted")]],
      3: [[{ op: "restoreItem", itemId: "a" }, level("public")]],
    })),
    [],
  );
});
