import assert from "node:assert/strict";
import { join } from "node:path";
import { loadMigrationSet } from "../knowledge/mod.ts";
import { fateOf, findProposal, type ProposalEntry, refuseFate, stateOf } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { draft, draftOperations } from "../../tests/support/proposals.ts";

const ID = "01K0000000000000000000000A";
const LANDED = "01K0000000000000000000000Z";
const BODY = `knowledge/a/b.${ID}.md`;

/** A proposal's directory with these files, beside a landed migration that creates `a.b`. */
function entryWith(
  scratch: ScratchProject,
  files: Readonly<Record<string, string>>,
): ProposalEntry {
  const folder = scratch.at(`.theurian/proposals/${ID}`);
  Deno.mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(join(folder, path, ".."), { recursive: true });
    Deno.writeTextFileSync(join(folder, path), text);
  }
  return findProposal(scratch.project.paths, ID);
}

function land(scratch: ScratchProject): void {
  const file = {
    apiVersion: "theurian.dev/v1",
    id: LANDED,
    createdAt: "2026-03-10T10:30:00+01:00",
    author: "ada@example.org",
    operations: [{ op: "createItem", itemId: "a.b", kind: "domain", namespace: "", owner: "x" }],
  };
  Deno.writeTextFileSync(
    scratch.at(`.theurian/migrations/${LANDED}-x.yaml`),
    JSON.stringify(file),
  );
}

const record = (migrationId: unknown, itemId: unknown = "a.b") =>
  JSON.stringify({ proposalId: ID, migrationId, itemId });

const ROWS: Readonly<Record<string, readonly [Record<string, string>, string, 1 | 4, string]>> = {
  "a record whose migration landed": [
    { "evidence.json": record(LANDED) },
    "accepted",
    4,
    "accepted",
  ],
  "a record of several items, one of them landed": [
    { "evidence.json": record(LANDED, ["x.y", "a.b"]) },
    "accepted",
    4,
    "accepted",
  ],
  "a record whose landed migration is about something else": [
    { "evidence.json": record(LANDED, "x.y") },
    "accepted-unconfirmed",
    4,
    "accepted",
  ],
  "a record whose migration is nowhere": [
    { "evidence.json": record("01K0000000000000000000000B"), [BODY]: "x" },
    "not-accepted",
    1,
    "interrupted",
  ],
  "a body and no record": [{ [BODY]: "x" }, "unfinished", 1, "interrupted"],
  "a body and a record without a usable id": [
    { [BODY]: "x", "evidence.json": record("nope") },
    "unfinished",
    1,
    "interrupted",
  ],
  "a body directly in the folder, as another layout has it": [
    { [`b.${ID}.json`]: "{}" },
    "unfinished",
    1,
    "interrupted",
  ],
  "nothing but notes": [{ "notes.txt": "x" }, "accepted-inferred", 4, "accepted"],
  "a record without a usable id and no body": [
    { "evidence.json": record(7) },
    "accepted-inferred",
    4,
    "accepted",
  ],
  "a migration by another ending": [
    { [`${ID}-x.yml`]: "x", "evidence.json": record("01K0000000000000000000000B") },
    "not-accepted",
    1,
    "interrupted",
  ],
  "a record that is no JSON": [
    { "evidence.json": "{", [BODY]: "x" },
    "indeterminate",
    1,
    "interrupted",
  ],
  "a record that is a list": [{ "evidence.json": "[]" }, "indeterminate", 1, "interrupted"],
  "a record nested too deep": [
    { "evidence.json": `{"a":${"[".repeat(2000)}${"]".repeat(2000)}}` },
    "indeterminate",
    1,
    "interrupted",
  ],
  "a record over 8 MiB": [
    { "evidence.json": `"${"x".repeat(8_388_608)}"` },
    "indeterminate",
    1,
    "interrupted",
  ],
};

for (const [what, [files, fate, exit, state]] of Object.entries(ROWS)) {
  Deno.test(`fateOf() takes ${what} for ${fate}, exit ${exit}`, () =>
    inScratchProject((scratch) => {
      land(scratch);
      const entry = entryWith(scratch, files);
      const set = loadMigrationSet(scratch.project.paths);
      assert.equal(fateOf(entry, set), fate);
      const refused = refuseFate(fateOf(entry, set), entry);
      assert.equal(refused.exit, exit);
      assert.ok(refused.remedy.length > 0);
      assert.equal(stateOf(scratch.project.paths, entry, set), state);
    }));
}

Deno.test("fateOf() takes an empty directory for what is left of an acceptance", () =>
  inScratchProject((scratch) => {
    const entry = entryWith(scratch, {});
    const set = loadMigrationSet(scratch.project.paths);
    assert.equal(fateOf(entry, set), "empty");
    assert.equal(refuseFate("empty", entry).exit, 4);
  }));

Deno.test("fateOf() cannot tell from a record behind a link or a pipe, and does not wait for one", () =>
  inScratchProject((scratch) => {
    land(scratch);
    const entry = entryWith(scratch, {});
    const path = join(entry.path, "evidence.json");
    const set = loadMigrationSet(scratch.project.paths);
    Deno.writeTextFileSync(scratch.at("kept.json"), record(LANDED));
    Deno.symlinkSync(scratch.at("kept.json"), path);
    assert.equal(fateOf(entry, set), "indeterminate");
    Deno.removeSync(path);
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    assert.equal(fateOf(entry, set), "indeterminate");
  }));

Deno.test("stateOf() takes a landed proposal whose files were not cleared for accepted", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const { paths } = scratch.project;
    const entry = findProposal(paths, made.proposalId);
    assert.equal(stateOf(paths, entry, loadMigrationSet(paths)), "pending");
    Deno.copyFileSync(
      join(entry.path, made.migrationFile),
      scratch.at(`.theurian/migrations/${made.migrationFile}`),
    );
    Deno.mkdirSync(scratch.at(`${made.bodyDestination}/..`), { recursive: true });
    Deno.copyFileSync(scratch.at(made.bodyFile), scratch.at(made.bodyDestination));
    assert.equal(stateOf(paths, entry, loadMigrationSet(paths)), "accepted");
    assert.equal(stateOf(paths, entry, null), "accepted");
  }));

Deno.test("stateOf() says nothing about what is left while the landed migrations do not load", () =>
  inScratchProject(async (scratch) => {
    const { paths } = scratch.project;
    const pending = await draftOperations(scratch, [{ op: "deprecateItem", itemId: "a.b" }]);
    assert.equal(stateOf(paths, findProposal(paths, pending.proposalId), null), "pending");
    assert.equal(
      stateOf(paths, entryWith(scratch, { "evidence.json": record(LANDED) }), null),
      null,
    );
  }));
