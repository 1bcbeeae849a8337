import assert from "node:assert/strict";
import { join } from "node:path";
import { pendingUpserts, proposalEntries, treeBytes } from "./mod.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { draft, draftOperations } from "../../tests/support/proposals.ts";

Deno.test("proposalEntries() lists both folders, oldest first, and nothing that is no proposal", () =>
  inScratchProject(async (scratch) => {
    const { paths } = scratch.project;
    assert.deepEqual(proposalEntries(paths), []);
    const one = await draft(scratch, { body: "1" });
    const two = await draft(scratch, { body: "2", local: true });
    const three = await draft(scratch, { body: "3" });
    Deno.mkdirSync(join(paths.proposals, "notes"));
    Deno.mkdirSync(join(paths.proposals, one.proposalId.toLowerCase()));
    Deno.writeTextFileSync(join(paths.proposals, scratch.ulids()), "a file");
    Deno.symlinkSync(one.proposalId, join(paths.proposals, scratch.ulids()));
    assert.deepEqual(
      proposalEntries(paths).map(({ proposalId, local, directory, migrationFiles }) => [
        proposalId,
        local,
        directory,
        migrationFiles,
      ]),
      [one, two, three].map((made) => [
        made.proposalId,
        made === two,
        made.proposalDirectory,
        [made.migrationFile],
      ]),
    );
  }));

Deno.test("treeBytes() sums regular files at any depth and follows no link", () =>
  inScratchProject((scratch) => {
    const folder = scratch.at("folder");
    Deno.mkdirSync(join(folder, "a/b"), { recursive: true });
    Deno.writeTextFileSync(join(folder, "a/b/one"), "12345");
    Deno.writeTextFileSync(join(folder, "two"), "123");
    Deno.symlinkSync("/", join(folder, "root"));
    Deno.symlinkSync("two", join(folder, "link"));
    assert.equal(treeBytes(folder), 8);
    assert.equal(treeBytes(scratch.at("absent")), 0);
  }));

Deno.test("pendingUpserts() tells the content that waits and passes over what cannot be read", () =>
  inScratchProject(async (scratch) => {
    await draft(scratch, { itemId: "a.one" });
    const broken = await draft(scratch, { itemId: "a.two" });
    await draftOperations(scratch, [{ op: "deprecateItem", itemId: "a.three" }]);
    await draft(scratch, { itemId: "a.four", local: true });
    Deno.writeTextFileSync(
      scratch.at(join(broken.proposalDirectory, broken.migrationFile)),
      "a: [",
    );
    assert.deepEqual(pendingUpserts(scratch.project.paths).map((one) => one.itemId), [
      "a.one",
      "a.four",
    ]);
  }));
