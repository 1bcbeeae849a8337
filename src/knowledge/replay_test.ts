import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import {
  KnowledgeProject,
  type Loose,
  migrationId,
  revisionId,
} from "../../tests/support/knowledge_project.ts";
import { checkGuards, refusedIds } from "./guards.ts";
import { loadMigrationSet } from "./load_migrations.ts";
import { inApplicationOrder } from "./migration_set.ts";
import { type Replay, replay } from "./replay.ts";

type Make = (at: KnowledgeProject) => readonly Loose[];

/** Replays migrations 1, 2, …, each made from the project. */
function played(...migrations: readonly Make[]): Replay {
  using at = new KnowledgeProject();
  migrations.forEach((make, i) => at.migration(i + 1, make(at)));
  const set = loadMigrationSet(at.project.paths, { toApply: true });
  return replay(inApplicationOrder(set), null);
}

const refuses = (why: RegExp, ...migrations: readonly Make[]) =>
  assert.throws(() => played(...migrations), (error) => {
    assert.ok(isFault(error, "migration-refused", "revision-conflict"), String(error));
    assert.match(error.message, why);
    return true;
  });

const create = (itemId: string, extra: Loose = {}): Loose => ({
  op: "createItem",
  itemId,
  kind: "domain",
  namespace: "n",
  owner: "o",
  ...extra,
});

Deno.test("createItem over an existing item changes nothing, not even its owner", () => {
  const { state } = played((at) => [at.upsert("a", 1)], () => [create("a", { owner: "other" })]);
  assert.equal(state.item("a")?.item.owner, "team");
});

Deno.test("restoreItem without a revision leaves an approved item with nothing to serve", () => {
  const { state } = played(() => [create("a"), { op: "restoreItem", itemId: "a" }]);
  const item = state.item("a")!.item;
  assert.deepEqual([item.status, item.currentRevisionId], ["approved", null]);
});

Deno.test("a re-declaration moves the item and leaves its revision", () => {
  const { state } = played(
    (at) => [at.upsert("a", 1)],
    (at) => [
      at.upsert("a", 1, { status: "rejected", owner: "new", title: "Other" }, {
        expectedRevision: revisionId(1),
      }),
    ],
  );
  assert.deepEqual([state.item("a")?.item.status, state.item("a")?.item.owner], [
    "rejected",
    "new",
  ]);
  const revision = state.revisions.get(revisionId(1));
  assert.deepEqual([revision?.status, revision?.title], ["approved", "Title 1"]);
});

Deno.test("re-declaring an older revision rolls the item back to it", () => {
  const { state } = played(
    (at) => [at.upsert("a", 1)],
    (at) => [at.upsert("a", 2, {}, { expectedRevision: revisionId(1) })],
    (at) => [at.upsert("a", 1, {}, { expectedRevision: revisionId(2) })],
  );
  assert.equal(state.item("a")?.item.currentRevisionId, revisionId(1));
  assert.deepEqual(state.revisionIdsOf("a"), [revisionId(1), revisionId(2)]);
});

Deno.test("a missing validFrom is the createdAt of the migration that declares it", () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)], { createdAt: "2026-02-01T00:00:00.5+09:00" });
  at.migration(2, [at.upsert("a", 1, {}, { expectedRevision: revisionId(1) })], {
    createdAt: "2026-03-01T00:00:00.123456789Z",
  });
  const set = loadMigrationSet(at.project.paths);
  const { state } = replay(inApplicationOrder(set), null);
  assert.equal(state.revisions.get(revisionId(1))?.validFrom, "2026-02-01T00:00:00.500000+09:00");
  assert.equal(state.item("a")?.item.validFrom, "2026-03-01T00:00:00.123456+00:00");
});

Deno.test("upsertRevision refuses every expectedRevision that does not match", () => {
  const cases: [RegExp, string | null | undefined, number][] = [
    [/expects revision .* finds no revision/, revisionId(2), 2],
    [/expects revision .* finds no revision/, revisionId(9), 2],
  ];
  for (const [why, expectedRevision, n] of cases) {
    refuses(why, (at) => [at.upsert("a", n, {}, { expectedRevision })]);
    refuses(why, (at) => [create("a"), at.upsert("a", n, {}, { expectedRevision })]);
  }
  for (const expectedRevision of [null, undefined, revisionId(9), revisionId(2)]) {
    refuses(
      /finds revision 01KA0RV0001/,
      (at) => [at.upsert("a", 1)],
      (at) => [at.upsert("a", 2, {}, { expectedRevision })],
    );
  }
});

Deno.test("expectedRevision null equals absent, for a first revision and for the current one", () => {
  played((at) => [at.upsert("a", 1, {}, { expectedRevision: null })], (at) => [at.upsert("a", 1)]);
  played((at) => [create("a"), at.upsert("a", 1, {}, { expectedRevision: null })]);
});

Deno.test("one revision id under two items is refused, also inside one migration", () => {
  refuses(/belongs to a already/, (at) => [at.upsert("a", 1), at.upsert("b", 1)]);
  refuses(/belongs to a already/, (at) => [at.upsert("a", 1)], (at) => [at.upsert("b", 1)]);
});

Deno.test("a revision id with another body is refused", () => {
  refuses(
    /exists with another body/,
    (at) => [at.upsert("a", 1)],
    (
      at,
    ) => [{
      ...at.upsert("a", 2, {}, { expectedRevision: revisionId(1) }),
      revisionId: revisionId(1),
    }],
  );
});

Deno.test("a revision needs a title, a source and a window, also when it is declared again", () => {
  const unsound: [RegExp, Loose][] = [
    [/blank/, { title: "\u0085\u3000 " }],
    [/neither a source anchor/, { sourceAnchors: [] }],
    [/ends .* before/, { validFrom: "2026-01-02T00:00:00Z", validTo: "2026-01-02T00:00:00Z" }],
    [/ends .* before/, { validTo: "2026-01-01T00:00:00Z" }],
  ];
  for (const [why, metadata] of unsound) {
    refuses(why, (at) => [at.upsert("a", 1, metadata)]);
    refuses(
      why,
      (at) => [at.upsert("a", 1)],
      (at) => [at.upsert("a", 1, metadata, { expectedRevision: revisionId(1) })],
    );
  }
});

Deno.test("windows are compared by instant, and U+FEFF is a title", () => {
  played((at) => [
    at.upsert("a", 1, {
      title: "\ufeff",
      validFrom: "2026-01-01T00:00:00+09:00",
      validTo: "2026-01-01T00:00:00+00:00",
    }),
    at.upsert("b", 2, { sourceAnchors: [], labels: ["authored-in-theurian"] }),
  ]);
});

Deno.test("the first note of a relation wins; removing and adding again gives the new one", () => {
  const edge = { sourceItemId: "a", relationType: "depends_on", targetItemId: "b" };
  const notes = (r: Replay) => [...r.state.relations.values()].map((relation) => relation?.note);
  const add = (note: string) => ({ op: "addRelation", ...edge, note });
  assert.deepEqual(notes(played(() => [add("one"), add("two")])), ["one"]);
  const removed = { op: "removeRelation", ...edge };
  assert.deepEqual(notes(played(() => [add("one"), removed, add("two")])), ["two"]);
  assert.deepEqual(notes(played(() => [removed])), [undefined]);
});

Deno.test("deprecating twice keeps both successors, and an earlier edge keeps its note", () => {
  const { state } = played((at) => [
    at.upsert("a", 1),
    {
      op: "addRelation",
      sourceItemId: "s1",
      relationType: "supersedes",
      targetItemId: "a",
      note: "n",
    },
    { op: "deprecateItem", itemId: "a", supersededBy: "s1", reason: "r1" },
    { op: "deprecateItem", itemId: "a", supersededBy: "s2", reason: "r2" },
  ]);
  assert.deepEqual(
    [...state.relations.values()].map((edge) => [edge?.sourceItemId, edge?.note]),
    [["s1", "n"], ["s2", "r2"]],
  );
});

Deno.test("operations on an item that does not exist are refused, and so is an item as its own end", () => {
  const unknown: Loose[] = [
    { op: "deprecateItem", itemId: "x" },
    { op: "restoreItem", itemId: "x" },
    { op: "changeOwner", itemId: "x", owner: "o" },
    { op: "changeSensitivity", itemId: "x", sensitivity: "public", reason: "r" },
    { op: "registerSpecification", specId: "s", itemId: "x", sourceUri: "u", format: "a/b" },
  ];
  for (const operation of unknown) refuses(/no item has the id x/, () => [operation]);
  refuses(/no revision/, () => [
    create("x"),
    { op: "registerSpecification", specId: "s", itemId: "x", sourceUri: "u", format: "a/b" },
  ]);
  refuses(/related to itself/, () => [
    { op: "addRelation", sourceItemId: "x", relationType: "rejects", targetItemId: "x" },
  ]);
  refuses(/alias of itself/, () => [{ op: "addAlias", alias: "x", itemId: "x" }]);
  refuses(/supersede itself/, () => [
    create("x"),
    { op: "deprecateItem", itemId: "x", supersededBy: "x" },
  ]);
});

Deno.test("registering a specification again resets its status and keeps what superseded it", () => {
  const register = {
    op: "registerSpecification",
    specId: "s",
    itemId: "a",
    sourceUri: "u",
    format: "a/b",
  };
  const { state } = played((at) => [
    { op: "supersedeSpecification", specId: "s", supersededBy: "t" },
    at.upsert("a", 1),
    register,
    { op: "supersedeSpecification", specId: "s", supersededBy: "t" },
    register,
  ]);
  const { status, supersededBy, title } = state.specification("s")!;
  assert.deepEqual([status, supersededBy, title], ["active", "t", "s"]);
});

Deno.test("an alias that is added and removed again meets no item; a live one meets all but deprecated", () => {
  const guarded = (operations: Make) => {
    using at = new KnowledgeProject();
    at.migration(1, operations(at));
    const set = loadMigrationSet(at.project.paths);
    const ids = refusedIds(set);
    if (ids.length > 0) assert.throws(() => checkGuards(set, () => true), /alias/);
    else checkGuards(set, () => true);
    return ids.length > 0;
  };
  const add = { op: "addAlias", alias: "b", itemId: "a" };
  const item = (at: KnowledgeProject, status: string) => at.upsert("b", 1, { status });
  assert.equal(
    guarded((at) => [item(at, "approved"), add, { op: "removeAlias", alias: "b" }]),
    false,
  );
  assert.equal(guarded((at) => [item(at, "deprecated"), add]), false);
  assert.equal(
    guarded((at) => [add, item(at, "approved"), { op: "deprecateItem", itemId: "b" }]),
    false,
  );
  for (const status of ["approved", "draft", "proposed", "superseded", "rejected"]) {
    assert.equal(guarded((at) => [item(at, status), add]), true, status);
  }
  assert.equal(guarded(() => [create("b"), add]), true);
});

Deno.test("a tenant or group of its own is refused with the remedy that fits", () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1, { tenantId: "acme", aclGroup: "admins" })]);
  const set = loadMigrationSet(at.project.paths);
  assert.deepEqual(refusedIds(set), [migrationId(1)]);
  const remedy = (recorded: boolean) => {
    try {
      checkGuards(set, () => recorded);
    } catch (error) {
      assert.ok(isFault(error, "migration-refused"));
      assert.match(error.message, /tenantId .* and aclGroup/);
      assert.doesNotMatch(error.message, /acme|admins/);
      return error.remedy;
    }
    throw new Error("not refused");
  };
  assert.match(remedy(true), /delete \.theurian\/state\//);
  assert.doesNotMatch(remedy(false), /delete/);
});
