import assert from "node:assert/strict";
import { join } from "node:path";
import { listProposals } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  currentRevision,
  draft,
  draftOperations,
  editMigration,
} from "../../tests/support/proposals.ts";

const list = (scratch: ScratchProject) =>
  listProposals(scratch.project.paths, scratch.dataDirectory, { now: () => scratch.now });

Deno.test("listProposals() tells of each what it is, whose, how old and what about", () =>
  inScratchProject(async (scratch) => {
    assert.deepEqual(list(scratch), { proposals: [], unreadable: [] });
    scratch.add({ "a.b": { body: "one" } });
    const fresh = await draft(scratch, { author: "ada@example.org" });
    const update = await draft(scratch, {
      itemId: "a.b",
      expectedRevision: currentRevision(scratch, "a.b"),
      local: true,
    });
    const document = await draftOperations(scratch, [
      { op: "addRelation", sourceItemId: "c.d", relationType: "related_to", targetItemId: "a.b" },
    ]);
    scratch.now += 3 * 86_400_000 + 1;
    const shared = { state: "pending", author: "ada@example.org", ageDays: 3 };
    const createdAt = "2026-03-10T09:30:00+00:00";
    assert.deepEqual(list(scratch).proposals, [
      {
        proposalId: fresh.proposalId,
        state: shared.state,
        local: false,
        author: shared.author,
        createdAt,
        ageDays: 3,
        itemIds: ["domain.foo"],
        change: "new",
        migrationFile: fresh.migrationFile,
      },
      {
        proposalId: update.proposalId,
        state: shared.state,
        local: true,
        author: shared.author,
        createdAt,
        ageDays: 3,
        itemIds: ["a.b"],
        change: "update",
        migrationFile: update.migrationFile,
      },
      {
        proposalId: document.proposalId,
        state: shared.state,
        local: false,
        author: shared.author,
        createdAt,
        ageDays: 3,
        itemIds: ["a.b", "c.d"],
        change: "operations",
        migrationFile: document.migrationFile,
      },
    ]);
  }));

Deno.test("listProposals() tells an accepted proposal by what landed of it", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    await accept(scratch, made.proposalId);
    const [row] = list(scratch).proposals;
    assert.deepEqual([row!.state, row!.itemIds, row!.change, row!.migrationFile], [
      "accepted",
      ["domain.foo"],
      "new",
      null,
    ]);
  }));

Deno.test("listProposals() tells an interrupted one, and one from the future, without a guess", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    scratch.now -= 86_400_000;
    assert.equal(list(scratch).proposals[0]!.ageDays, 0);
    Deno.removeSync(scratch.at(join(made.proposalDirectory, made.migrationFile)));
    const [row] = list(scratch).proposals;
    assert.deepEqual([row!.state, row!.author, row!.itemIds, row!.change], [
      "interrupted",
      null,
      [],
      null,
    ]);
  }));

Deno.test("listProposals() names what cannot be read and hides no other", () =>
  inScratchProject(async (scratch) => {
    const spoiled: Readonly<Record<string, (path: string) => void>> = {
      "no YAML": (path) => Deno.writeTextFileSync(path, "a: ["),
      "a rule": (path) => Deno.writeTextFileSync(path, "author: 7\n"),
      "a link": (path) => {
        Deno.removeSync(path);
        Deno.symlinkSync("nowhere", path);
      },
      "a pipe": (path) => {
        Deno.removeSync(path);
        new Deno.Command("mkfifo", { args: [path] }).outputSync();
      },
      "two": (path) => Deno.copyFileSync(path, path.replace(/.yaml$/, "-2.yaml")),
    };
    const ids: string[] = [];
    for (const [index, spoil] of Object.values(spoiled).entries()) {
      const made = await draft(scratch, { body: `${index}` });
      spoil(scratch.at(join(made.proposalDirectory, made.migrationFile)));
      ids.push(made.proposalId);
    }
    const fine = await draft(scratch);
    const { proposals, unreadable } = list(scratch);
    assert.deepEqual(proposals.map((one) => one.proposalId), [fine.proposalId]);
    assert.deepEqual(unreadable.map((one) => one.proposalId), ids);
    for (const { reason } of unreadable) assert.match(reason, /^Cannot use the proposal: /);
  }));

Deno.test("listProposals() shows nothing of a secret that a broken proposal holds", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    editMigration(
      scratch,
      made,
      (text) => text.replace("status: approved", "status: AKIAIOSFODNN7EXAMPLE"),
    );
    const { unreadable } = list(scratch);
    assert.ok(!unreadable[0]!.reason.includes("IOSFODNN7"), unreadable[0]!.reason);
  }));

Deno.test("listProposals() still lists what waits when the landed migrations do not load", () =>
  inScratchProject(async (scratch) => {
    const accepted = await draft(scratch, { body: "1" });
    await accept(scratch, accepted.proposalId);
    const waiting = await draft(scratch, { itemId: "domain.bar" });
    Deno.writeTextFileSync(scratch.at(".theurian/migrations/bad.yaml"), "a: [");
    const { proposals, unreadable } = list(scratch);
    assert.deepEqual(proposals.map((one) => one.proposalId), [waiting.proposalId]);
    assert.deepEqual(unreadable.map((one) => one.proposalId), [accepted.proposalId]);
    assert.match(unreadable[0]!.reason, /landed migrations do not load/);
  }));
