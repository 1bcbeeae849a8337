import assert from "node:assert/strict";
import { join } from "node:path";
import { loadMigrationSet } from "../knowledge/mod.ts";
import { findProposal, showProposal } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  currentRevision,
  draft,
  draftOperations,
  editMigration,
  handWritten,
  refusal,
} from "../../tests/support/proposals.ts";

function show(scratch: ScratchProject, proposalId: string) {
  const { paths } = scratch.project;
  return showProposal(
    paths,
    findProposal(paths, proposalId),
    loadMigrationSet(paths, { toApply: true }),
  );
}

Deno.test("showProposal() shows a new page whole, with every label that would hold", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { body: "# F\n\ntext\n", labels: ["x"] });
    const shown = show(scratch, made.proposalId);
    assert.deepEqual(shown.operations, ["createItem", "upsertRevision"]);
    assert.deepEqual(shown.permissiveMoves, []);
    assert.equal(shown.evidence!["taskId"], "task-1");
    const [change, ...more] = shown.changes;
    assert.deepEqual(more, []);
    assert.deepEqual([change!.change, change!.itemId, change!.currentRevision], [
      "new",
      "domain.foo",
      null,
    ]);
    assert.deepEqual(change!.metadata.map(({ field, before }) => [field, before]), [
      ["title", null],
      ["contentType", null],
      ["kind", null],
      ["namespace", null],
      ["status", null],
      ["owner", null],
      ["trustLevel", null],
      ["sensitivity", null],
      ["labels", null],
      ["sourceAnchors", null],
    ]);
    assert.equal(
      change!.bodyDiff,
      "--- /dev/null\n+++ domain.foo (proposed)\n@@ -0,0 +1,3 @@\n+# F\n+\n+text\n",
    );
  }));

Deno.test("showProposal() shows of an update what changes, against the body that stands", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { title: "Foo", body: "one\ntwo\nthree\n", namespace: "domain" } });
    const current = currentRevision(scratch, "domain.foo");
    const made = await draft(scratch, {
      expectedRevision: current,
      owner: "ada",
      title: "Bar",
      body: "one\n2\nthree\n",
      sensitivity: "confidential",
    });
    const [change] = show(scratch, made.proposalId).changes;
    assert.deepEqual([change!.change, change!.expectedRevision, change!.currentRevision], [
      "update",
      current,
      current,
    ]);
    assert.deepEqual(
      change!.metadata.filter(({ field }) => field !== "sourceAnchors"),
      [
        { field: "title", before: "Foo", after: "Bar" },
        { field: "sensitivity", before: "internal", after: "confidential" },
        { field: "labels", before: ["authored-in-theurian"], after: [] },
      ],
    );
    assert.match(change!.bodyDiff!, /^ one\n-two\n\+2\n three$/m);
  }));

Deno.test("showProposal() shows a first revision of an item without one as an update", () =>
  inScratchProject(async (scratch) => {
    scratch.migrate({
      op: "createItem",
      itemId: "domain.foo",
      kind: "domain",
      namespace: "custom",
      owner: "x",
    });
    const made = await draft(scratch);
    const [change] = show(scratch, made.proposalId).changes;
    assert.deepEqual([change!.change, change!.currentRevision], ["update", null]);
    assert.match(change!.bodyDiff!, /^--- \/dev\/null/);
  }));

Deno.test("showProposal() shows other operations by what they set and what was there", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.b": { body: "one" } });
    const made = await draftOperations(scratch, [
      { op: "changeOwner", itemId: "a.b", owner: "ops" },
      { op: "addRelation", sourceItemId: "a.b", relationType: "related_to", targetItemId: "c.d" },
      { op: "deprecateItem", itemId: "a.b", reason: "old" },
      { op: "removeAlias", alias: "x.y" },
    ]);
    const { changes } = show(scratch, made.proposalId);
    assert.deepEqual(
      changes.map(({ change, itemId, metadata }) => [
        change,
        itemId,
        metadata.map(({ field, before, after }) => [field, before, after]),
      ]),
      [
        ["changeOwner", "a.b", [["owner", "ada", "ops"]]],
        ["addRelation", "a.b", [
          ["sourceItemId", null, "a.b"],
          ["relationType", null, "related_to"],
          ["targetItemId", null, "c.d"],
        ]],
        ["deprecateItem", "a.b", [["reason", null, "old"]]],
        ["removeAlias", "x.y", [["alias", null, "x.y"]]],
      ],
    );
  }));

Deno.test("showProposal() shows a creation that no revision tells of, and what a specification becomes", () =>
  inScratchProject(async (scratch) => {
    const made = await handWritten(
      scratch,
      { op: "createItem", itemId: "a.b", kind: "domain", namespace: "n", owner: "x" },
      { op: "supersedeSpecification", specId: "s.one", supersededBy: "s.two" },
    );
    const { changes } = show(scratch, made.proposalId);
    assert.deepEqual(changes.map(({ change, itemId }) => [change, itemId]), [
      ["createItem", "a.b"],
      ["supersedeSpecification", "s.one"],
    ]);
    assert.deepEqual(
      changes[0]!.metadata.find(({ field }) => field === "sensitivity"),
      { field: "sensitivity", before: null, after: "internal" },
    );
  }));

Deno.test("showProposal() shows what a proposal would loosen, and only that", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one", sensitivity: "restricted" } });
    scratch.add({ "a.b": { body: "one", sensitivity: "confidential" } });
    scratch.add({ "a.b": { body: "two", sensitivity: "public" } });
    const made = await draft(scratch, {
      expectedRevision: currentRevision(scratch, "domain.foo"),
    });
    editMigration(
      scratch,
      made,
      (text) => text.replace("sensitivity: restricted", "sensitivity: public"),
    );
    const { permissiveMoves } = show(scratch, made.proposalId);
    assert.deepEqual(permissiveMoves.map(({ itemId, before, after }) => [itemId, before, after]), [
      ["domain.foo", "restricted", "public"],
    ]);
  }));

Deno.test("showProposal() shows a proposal that would not apply all the same", () =>
  inScratchProject(async (scratch) => {
    const made = await draftOperations(scratch, [{
      op: "changeOwner",
      itemId: "no.such",
      owner: "x",
    }]);
    assert.deepEqual(show(scratch, made.proposalId).permissiveMoves, []);
  }));

Deno.test("showProposal() shows two large texts that differ everywhere whole, and soon", () =>
  inScratchProject(async (scratch) => {
    const lines = (word: string) =>
      ["first", ...Array.from({ length: 20_000 }, (_, i) => `${word} ${i}`), "last", ""].join("\n");
    scratch.add({ "domain.foo": { body: lines("one") } });
    const made = await draft(scratch, {
      expectedRevision: currentRevision(scratch, "domain.foo"),
      body: lines("two"),
    });
    const start = performance.now();
    const diff = show(scratch, made.proposalId).changes[0]!.bodyDiff!.split("\n");
    assert.ok(performance.now() - start < 10_000);
    assert.deepEqual(diff.slice(2, 4), ["@@ -2,20000 +2,20000 @@", "-one 0"]);
    assert.deepEqual(diff.slice(-2), ["+two 19999", ""]);
    assert.equal(diff.length, 40_004);
  }));

Deno.test("showProposal() refuses what is no longer pending or not as drafted, exit 1", () =>
  inScratchProject(async (scratch) => {
    const accepted = await draft(scratch);
    await accept(scratch, accepted.proposalId);
    const { message } = await refusal(1, () => show(scratch, accepted.proposalId));
    assert.match(message, /it is accepted/);
    const edited = await draft(scratch, { itemId: "domain.bar" });
    Deno.writeTextFileSync(scratch.at(edited.bodyFile), "other");
    await refusal(1, () => show(scratch, edited.proposalId));
    const broken = await handWritten(scratch, { op: "dropItem", itemId: "a.b" });
    await refusal(1, () => show(scratch, broken.proposalId));
    Deno.writeTextFileSync(
      scratch.at(join(broken.proposalDirectory, broken.migrationFile)),
      "a: [",
    );
    await refusal(1, () => show(scratch, broken.proposalId));
  }));

Deno.test("showProposal() grades a landed set that does not replay 4", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    scratch.migrate({ op: "changeOwner", itemId: "no.such", owner: "x" });
    await refusal(4, () => show(scratch, made.proposalId));
  }));
