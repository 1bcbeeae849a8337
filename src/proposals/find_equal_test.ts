import assert from "node:assert/strict";
import { join } from "node:path";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { draft, draftOperations, editMigration } from "../../tests/support/proposals.ts";

const pendingIds = (scratch: ScratchProject) =>
  [...Deno.readDirSync(scratch.at(".theurian/proposals"))].map((entry) => entry.name).sort();

Deno.test("an equal draft answers with the one that waits, whoever asks and for whatever reason", () =>
  inScratchProject(async (scratch) => {
    const first = await draft(scratch, { labels: ["a", "b"] });
    scratch.now += 86_400_000;
    const evidence = { agentId: "other", taskId: "other", model: "other", reasoning: "other" };
    assert.deepEqual(await draft(scratch, { labels: ["a", "b"], evidence }), first);
    assert.deepEqual(pendingIds(scratch), [first.proposalId]);
  }));

Deno.test("a draft that differs in anything its author decides is another proposal", () =>
  inScratchProject(async (scratch) => {
    const variants: Parameters<typeof draft>[1][] = [
      {},
      { body: "# G\n" },
      { labels: ["a"] },
      { owner: "other" },
      { description: "other" },
      { local: true },
      { itemId: "domain.foo2" },
      { sensitivity: "restricted" },
    ];
    const ids = new Set<string>();
    for (const words of variants) ids.add((await draft(scratch, words)).proposalId);
    assert.equal(ids.size, variants.length);
  }));

Deno.test("an equal document answers with the one that waits", () =>
  inScratchProject(async (scratch) => {
    const operations = [{ op: "deprecateItem", itemId: "a.b" }];
    const first = await draftOperations(scratch, operations);
    assert.deepEqual(await draftOperations(scratch, operations), first);
    const other = await draftOperations(scratch, [{ op: "deprecateItem", itemId: "a.c" }]);
    assert.notEqual(other.proposalId, first.proposalId);
  }));

/** Edits by hand that must neither be taken for the draft nor disturb the next one. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  "no file of the body": (text) => text.replace(/\n +contentFile: \S+/, ""),
  "a number as the file of the body": (text) => text.replace(/contentFile: \S+/, "contentFile: 7"),
  "another place of the body": (text) => text.replace("knowledge/domain/", "knowledge/else/"),
  "a body above the folder": (text) =>
    text.replace("knowledge/domain/foo", "knowledge/../../../../etc/foo"),
  "another inner id": (text) => text.replace(/^id: \S+/m, "id: 01K0000000000000000000000A"),
  "no revision": (text) => text.replace(/\n +revisionId: \S+/, ""),
  "a number beyond what is exact": (text) => `${text}more: 123456789012345678901\n`,
  "text that is no YAML": (text) => `${text}: [`,
  "no operations": (text) => text.replace(/operations:[^]*/, "operations: []\n"),
};

for (const [what, edit] of Object.entries(EDITS)) {
  Deno.test(`a waiting proposal edited to have ${what} is no equal and stops nobody`, () =>
    inScratchProject(async (scratch) => {
      const first = await draft(scratch);
      editMigration(scratch, first, edit);
      const second = await draft(scratch);
      assert.notEqual(second.proposalId, first.proposalId);
      assert.deepEqual(await draft(scratch), second);
    }));
}

Deno.test("a waiting proposal whose body is a link or gone is no equal", () =>
  inScratchProject(async (scratch) => {
    const first = await draft(scratch);
    Deno.renameSync(scratch.at(first.bodyFile), scratch.at("aside"));
    Deno.symlinkSync(scratch.at("aside"), scratch.at(first.bodyFile));
    const second = await draft(scratch);
    assert.notEqual(second.proposalId, first.proposalId);
    Deno.removeSync(scratch.at(second.bodyFile));
    assert.notEqual((await draft(scratch)).proposalId, second.proposalId);
  }));

Deno.test("a draft stays fast among thousands of proposals, and hardly reads them", () =>
  inScratchProject(async (scratch) => {
    for (let i = 0; i < 3_000; i++) {
      const folder = scratch.at(`.theurian/proposals/${scratch.ulids()}`);
      Deno.mkdirSync(join(folder, "knowledge"), { recursive: true });
      Deno.writeTextFileSync(join(folder, "evidence.json"), "{}");
    }
    // The same title, as a client in a loop sends it: only the digest of the body differs.
    for (let i = 0; i < 100; i++) await draft(scratch, { body: `${i}\n` });
    const start = performance.now();
    const made = await draft(scratch, { body: "last\n" });
    const alone = performance.now() - start;
    assert.deepEqual(await draft(scratch, { body: "last\n" }), made);
    assert.ok(alone < 1_500, `${alone} ms`);
  }));
