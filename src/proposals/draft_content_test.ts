import assert from "node:assert/strict";
import { join } from "node:path";
import { parseYaml } from "../platform/yaml/mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { ANCHOR, draft, refusal, tree } from "../../tests/support/proposals.ts";

function migrationOf(
  scratch: ScratchProject,
  proposal: { proposalDirectory: string; migrationFile: string },
) {
  const path = scratch.at(join(proposal.proposalDirectory, proposal.migrationFile));
  // deno-lint-ignore no-explicit-any
  return structuredClone(parseYaml(Deno.readFileSync(path), "it").value) as any;
}

Deno.test("draftContent() writes a body, the evidence and a migration, and answers their places", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { itemId: "domain.foo" });
    assert.equal(
      made.contentSha256,
      "sha256:e8c80e18cf25925ea93acb284adf2d0e3e080752cc61564d9f02bba1a73a82a0",
    );
    assert.deepEqual(Object.keys(made), [
      "proposalId",
      "proposalDirectory",
      "migrationId",
      "migrationFile",
      "revisionId",
      "expectedRevision",
      "bodyFile",
      "evidenceFile",
      "contentFile",
      "contentSha256",
      "bodyDestination",
      "nextSteps",
    ]);
    const tail = `domain/foo.${made.revisionId}.md`;
    assert.equal(made.bodyFile, `${made.proposalDirectory}/knowledge/${tail}`);
    assert.equal(made.contentFile, `../knowledge/${tail}`);
    assert.equal(made.migrationFile, `${made.migrationId}-foo.yaml`);
    assert.ok(made.proposalId < made.migrationId && made.migrationId < made.revisionId);
    assert.deepEqual(Object.keys(tree(scratch.at(made.proposalDirectory))).sort(), [
      made.migrationFile,
      "evidence.json",
      `knowledge/${tail}`,
    ]);
    const migration = migrationOf(scratch, made);
    assert.deepEqual(migration.operations[1].metadata, {
      title: "Foo",
      contentType: "text/markdown",
      kind: "domain",
      namespace: "domain",
      status: "approved",
      owner: "team",
      sourceAnchors: [{ provider: "git", sourceUri: "git://demo/docs/a.md" }],
    });
  }));

Deno.test("draftContent() names files by the item where the title has no ASCII letter", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { itemId: "leaf", title: "認証の方針" });
    assert.equal(made.migrationFile, `${made.migrationId}-leaf.yaml`);
    assert.equal(made.bodyDestination, `.theurian/knowledge/leaf.${made.revisionId}.md`);
    assert.equal(migrationOf(scratch, made).operations[0].namespace, "");
  }));

Deno.test("draftContent() gives back texts that look like numbers and dates as texts", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { title: "1e5", description: "2026-01-01", owner: "yes" });
    const migration = migrationOf(scratch, made);
    assert.equal(migration.operations[1].metadata.title, "1e5");
    assert.equal(migration.description, "2026-01-01");
    assert.equal(migration.operations[0].owner, "yes");
    assert.equal(migration.createdAt, "2026-03-10T09:30:00+00:00");
  }));

Deno.test("draftContent() inherits the labels of a known item and writes them out", () =>
  inScratchProject(async (scratch) => {
    scratch.migrate({
      op: "createItem",
      itemId: "domain.foo",
      kind: "domain",
      namespace: "custom",
      owner: "ada",
      sensitivity: "confidential",
      trustLevel: "reviewed",
    });
    const { namespace, trustLevel, sensitivity } =
      migrationOf(scratch, await draft(scratch)).operations[1].metadata;
    assert.deepEqual([namespace, trustLevel, sensitivity], ["custom", "reviewed", "confidential"]);
  }));

Deno.test("draftContent() answers an equal draft with the proposal that waits", () =>
  inScratchProject(async (scratch) => {
    const first = await draft(scratch);
    const again = await draft(scratch);
    assert.deepEqual(again, first);
    const other = await draft(scratch, { body: "# G\n" });
    assert.notEqual(other.proposalId, first.proposalId);
    Deno.writeTextFileSync(scratch.at(first.bodyFile), "edited");
    assert.notEqual((await draft(scratch)).proposalId, first.proposalId);
  }));

Deno.test("draftContent() keeps a local draft apart and makes Git ignore it", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { local: true });
    assert.match(made.proposalDirectory, /^\.theurian\/proposals-local\//);
    assert.match(Deno.readTextFileSync(scratch.at(".gitignore")), /\.theurian\/proposals-local\//);
  }));

Deno.test("draftContent() refuses a local draft when .gitignore is a link, and leaves its target", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(scratch.at("target"), "x");
    Deno.symlinkSync("target", scratch.at(".gitignore"));
    await refusal(2, () => draft(scratch, { local: true }));
    assert.equal(Deno.readTextFileSync(scratch.at("target")), "x");
    assert.deepEqual(tree(scratch.at(".theurian/proposals-local")), {});
  }));

const REFUSED: Readonly<Record<string, Parameters<typeof draft>[1]>> = {
  "an item id that is none": { itemId: "Bad Id" },
  "an item id that climbs": { itemId: "../../etc" },
  "a blank title": { title: " \u3000" },
  "a title of 301 characters": { title: "t".repeat(301) },
  "a blank owner": { owner: "" },
  "a blank body": { body: " \n" },
  "a body that is no UTF-8": { body: new Uint8Array([0xff]) },
  "a body over 8 MiB": { body: "x".repeat(8_388_609) },
  "no origin": { sourceAnchors: [] },
  "an empty anchor": { sourceAnchors: [{ ...ANCHOR, sourceUri: "" }] },
  "a commit that is none": { sourceAnchors: [{ ...ANCHOR, commitSha: "xyz" }] },
  "a label with a control character": { labels: ["a\nb"] },
  "a blank scope path": { scopePaths: [" "] },
  "a revision that is no ULID": { expectedRevision: "nope" },
  "a revision to replace where none is": { expectedRevision: "01K0000000000000000000000A" },
  "an unpaired surrogate in a label": { labels: ["\ud800"] },
  "a secret": { body: "key AKIAIOSFODNN7EXAMPLE\n" },
  "an agent without an id": {
    evidence: { agentId: "", taskId: "t", model: "m", reasoning: "r" },
  },
};

for (const [what, words] of Object.entries(REFUSED)) {
  Deno.test(`draftContent() refuses ${what} and leaves nothing`, () =>
    inScratchProject(async (scratch) => {
      const refused = await refusal(2, () => draft(scratch, words));
      assert.ok(!refused.message.includes("AKIAIOSFODNN7"));
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    }));
}

Deno.test("draftContent() refuses what does not fit the item's current state", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one", sensitivity: "confidential" } });
    const missing = await refusal(2, () => draft(scratch));
    assert.equal(missing.wireCode, "REVISION_CONFLICT");
    const current = missing.details!["actual"] as string;
    await refusal(2, () => draft(scratch, { expectedRevision: "01K0000000000000000000000A" }));
    await refusal(2, () => draft(scratch, { expectedRevision: current, sensitivity: "public" }));
    const made = await draft(scratch, { expectedRevision: ` ${current.toLowerCase()} ` });
    assert.equal(made.expectedRevision, current);
  }));

Deno.test("draftContent() refuses a retired item whatever revision is expected", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one", status: "rejected" } });
    const refused = await refusal(2, () => draft(scratch, { expectedRevision: null }));
    assert.match(refused.message, /retired/);
    assert.equal(refused.wireCode, "INVALID_INPUT");
  }));

Deno.test("draftContent() drafts a new item over a set that does not replay, not a known one", () =>
  inScratchProject(async (scratch) => {
    scratch.migrate({ op: "changeOwner", itemId: "no.such", owner: "x" });
    scratch.migrate({
      op: "createItem",
      itemId: "a.known",
      kind: "domain",
      namespace: "",
      owner: "x",
    });
    await draft(scratch);
    await refusal(2, () => draft(scratch, { itemId: "a.known" }));
  }));

Deno.test("draftContent() refuses one proposal more than the project allows", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(
      scratch.at(".theurian/config.yaml"),
      "proposals:\n  maxPending: 2\n  maxPendingBytes: 100000\n",
    );
    await draft(scratch, { body: "1" });
    await refusal(1, () => draft(scratch, { body: "y".repeat(100_000) }));
    await draft(scratch, { body: "2" });
    const full = await refusal(1, () => draft(scratch, { body: "3" }));
    assert.match(full.remedy, /propose discard/);
  }));

Deno.test("draftContent() refuses cleanly when something else stands at the proposals' place", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(scratch.at(".theurian/proposals"), "a file");
    await refusal(1, () => draft(scratch));
    assert.equal(Deno.readTextFileSync(scratch.at(".theurian/proposals")), "a file");
  }));

Deno.test("draftContent() clears what a killed draft left and leaves nothing of its own", () =>
  inScratchProject(async (scratch) => {
    const leftover = scratch.at(".theurian/runtime/draft-01K0000000000000000000000A");
    Deno.mkdirSync(leftover, { recursive: true });
    Deno.writeTextFileSync(join(leftover, "half"), "half");
    await draft(scratch);
    assert.deepEqual(Object.keys(tree(scratch.at(".theurian/runtime"))), ["write.lock"]);
  }));
