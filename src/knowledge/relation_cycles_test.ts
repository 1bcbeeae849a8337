import assert from "node:assert/strict";
import type { Relation, RelationType } from "./model.ts";
import { relationCycles } from "./relation_cycles.ts";

const edges = (type: RelationType, ...pairs: readonly string[]): Relation[] =>
  pairs.map((pair) => ({
    sourceItemId: pair[0]!,
    relationType: type,
    targetItemId: pair[1]!,
    note: null,
    createdAt: "2026-01-01T00:00:00+00:00",
  }));

Deno.test("relationCycles() names a cycle of one type from where it is met", () => {
  assert.deepEqual(relationCycles(edges("depends_on", "ab", "bc", "cd", "db", "ax")), [
    ["b", "c", "d", "b"],
  ]);
});

Deno.test("relationCycles() sees no cycle across types, in diamonds or in types that may have one", () => {
  assert.deepEqual(
    relationCycles([...edges("depends_on", "ab"), ...edges("supersedes", "ba")]),
    [],
  );
  assert.deepEqual(relationCycles(edges("depends_on", "ab", "ac", "bd", "cd")), []);
  assert.deepEqual(relationCycles(edges("related_to", "ab", "ba")), []);
});

Deno.test("relationCycles() walks a chain as long as a corpus", () => {
  const id = (n: number) => `i${n}`;
  const chain = Array.from({ length: 50_000 }, (_, n): Relation => ({
    sourceItemId: id(n),
    relationType: "depends_on",
    targetItemId: id((n + 1) % 50_000),
    note: null,
    createdAt: "",
  }));
  assert.equal(relationCycles(chain)[0]?.length, 50_001);
  assert.deepEqual(relationCycles(chain.slice(1)), []);
});
