import assert from "node:assert/strict";
import { join } from "node:path";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  currentRevision,
  draft,
  draftOperations,
  editMigration,
  refusal,
  refusesToAccept as refuses,
  tree,
} from "../../tests/support/proposals.ts";

Deno.test("acceptProposal() moves body and migration and leaves the evidence", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const accepted = await accept(scratch, ` ${made.proposalId.toLowerCase()} `);
    assert.deepEqual(accepted.bodyFiles, [made.bodyDestination]);
    assert.equal(accepted.migrationFile, `.theurian/migrations/${made.migrationFile}`);
    assert.deepEqual(accepted.replacedBodies, []);
    assert.equal(accepted.secretScanPolicy, "block");
    assert.equal(Deno.readTextFileSync(scratch.at(made.bodyDestination)), "# F\n");
    assert.deepEqual(Object.keys(tree(scratch.at(made.proposalDirectory))), ["evidence.json"]);
    const report = await scratch.apply();
    assert.deepEqual(report.applied, [made.migrationId]);
  }));

Deno.test("acceptProposal() reads the layout without a knowledge level too", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const folder = scratch.at(made.proposalDirectory);
    Deno.renameSync(join(folder, "knowledge", "domain"), join(folder, "domain"));
    Deno.removeSync(join(folder, "knowledge"));
    assert.deepEqual((await accept(scratch, made.proposalId)).bodyFiles, [made.bodyDestination]);
  }));

Deno.test("acceptProposal() answers 4 for what was accepted, however little is left of it", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    await accept(scratch, made.proposalId);
    assert.match((await refuses(scratch, 4, made.proposalId)).message, /accepted already/);
    Deno.removeSync(scratch.at(made.evidenceFile));
    Deno.removeSync(scratch.at(`${made.proposalDirectory}/knowledge`), { recursive: true });
    await refuses(scratch, 4, made.proposalId);
  }));

Deno.test("acceptProposal() answers 4 for an accepted document", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.b": { body: "one" } });
    const made = await draftOperations(scratch, [{ op: "deprecateItem", itemId: "a.b" }]);
    await accept(scratch, made.proposalId);
    await refuses(scratch, 4, made.proposalId);
  }));

Deno.test("acceptProposal() refuses an id that is none, and one that nothing has", () =>
  inScratchProject(async (scratch) => {
    await refuses(scratch, 2, "nope");
    await refuses(scratch, 1, "01K0000000000000000000000A");
  }));

Deno.test("acceptProposal() refuses an id that stands in both folders", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    Deno.mkdirSync(scratch.at(`.theurian/proposals-local/${made.proposalId}`), { recursive: true });
    await refuses(scratch, 1, made.proposalId);
  }));

Deno.test("acceptProposal() lets one of two drafts on one revision through", () =>
  inScratchProject(async (scratch) => {
    const one = await draft(scratch, { body: "one" });
    const two = await draft(scratch, { body: "two" });
    await accept(scratch, one.proposalId);
    const refused = await refuses(scratch, 1, two.proposalId);
    assert.match(refused.remedy, /Draft the change again/);
  }));

const EDITS: Readonly<Record<string, (text: string) => string>> = {
  "a body outside .theurian/knowledge": (text) =>
    text.replace(/contentFile: \S+/, "contentFile: ../migrations/x.md"),
  "a body above the root": (text) =>
    text.replace(/contentFile: \S+/, "contentFile: ../../../../x.md"),
  "an absolute body": (text) => text.replace(/contentFile: \S+/, "contentFile: '/etc/passwd'"),
  "a body that is not there": (text) => text.replace("/foo.", "/bar."),
  "another inner id": (text) => text.replace(/^id: .*$/m, "id: 01K0000000000000000000000A"),
  "a duplicate key": (text) => text + "author: other\n",
  "an unknown key": (text) => text + "more: true\n",
  "another digest": (text) =>
    text.replace(/contentSha256: \S+/, `contentSha256: ${"a".repeat(64)}`),
  "a secret in a comment": (text) => `# AKIAIOSFODNN7EXAMPLE\n${text}`,
  "an unknown dependency": (text) => text + "dependsOn: [01K0000000000000000000000A]\n",
  "another tenant": (text) =>
    text.replace("status: approved", "status: approved\n    tenantId: other"),
};

for (const [what, edit] of Object.entries(EDITS)) {
  Deno.test(`acceptProposal() refuses a proposal edited to have ${what} and moves nothing`, () =>
    inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      editMigration(scratch, made, edit);
      const refused = await refuses(scratch, 1, made.proposalId);
      assert.ok(!`${refused.message}${refused.remedy}`.includes("AKIAIOSFODNN7"));
    }));
}

Deno.test("acceptProposal() refuses an edited body, two migrations, and links anywhere", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const folder = scratch.at(made.proposalDirectory);
    const body = scratch.at(made.bodyFile);
    Deno.writeTextFileSync(body, "edited");
    await refuses(scratch, 1, made.proposalId);
    Deno.removeSync(body);
    Deno.writeTextFileSync(scratch.at("elsewhere.md"), "# F\n");
    Deno.symlinkSync(scratch.at("elsewhere.md"), body);
    await refuses(scratch, 1, made.proposalId);
    Deno.removeSync(body);
    Deno.writeTextFileSync(body, "# F\n");
    const second = join(folder, "01K0000000000000000000000A-x.yaml");
    Deno.writeTextFileSync(second, "x");
    await refuses(scratch, 1, made.proposalId);
    Deno.removeSync(second);
    Deno.renameSync(folder, `${folder}-moved`);
    Deno.symlinkSync(`${folder}-moved`, folder);
    await refusal(1, () => accept(scratch, made.proposalId));
  }));

Deno.test("acceptProposal() refuses a pipe in place of a body at once", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    Deno.removeSync(scratch.at(made.bodyFile));
    new Deno.Command("mkfifo", { args: [scratch.at(made.bodyFile)] }).outputSync();
    await refusal(1, () => accept(scratch, made.proposalId));
  }));

Deno.test("acceptProposal() refuses more than 250 operations before it reads a body", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    editMigration(
      scratch,
      made,
      (text) => text.replace(/operations:[\s\S]*/, "operations:\n" + "- x\n".repeat(251)),
    );
    assert.match((await refuses(scratch, 1, made.proposalId)).message, /250/);
  }));

Deno.test("acceptProposal() replaces a file that backs no revision, and never one that does", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const destination = scratch.at(made.bodyDestination);
    Deno.mkdirSync(join(destination, ".."), { recursive: true });
    Deno.writeTextFileSync(destination, "in the way");
    assert.deepEqual(
      (await accept(scratch, made.proposalId)).replacedBodies,
      [made.bodyDestination],
    );
    const next = await draft(scratch, { itemId: "domain.bar", body: "# B\n" });
    const landed = Deno.readTextFileSync(destination);
    Deno.linkSync(destination, scratch.at(next.bodyDestination));
    await refuses(scratch, 1, next.proposalId);
    assert.equal(Deno.readTextFileSync(destination), landed);
  }));

Deno.test("acceptProposal() refuses when a file stands where a folder must be", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    Deno.writeTextFileSync(scratch.at(".theurian/knowledge/domain"), "a file");
    await refuses(scratch, 1, made.proposalId);
  }));

Deno.test("acceptProposal() answers 4 when the landed set is unusable with or without the proposal", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    scratch.migrate({ op: "changeOwner", itemId: "no.such", owner: "x" });
    assert.match((await refuses(scratch, 4, made.proposalId)).message, /with or without/);
    Deno.writeTextFileSync(scratch.at(".theurian/migrations/bad.yaml"), "a: [");
    await refuses(scratch, 4, made.proposalId);
  }));

Deno.test("acceptProposal() treats a fault of the secret policy as this command's, exit 1", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), "security:\n  secretScan: off\n");
    await refuses(scratch, 1, made.proposalId);
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), 'security:\n  secretScan: "off"\n');
    assert.equal((await accept(scratch, made.proposalId)).secretScanPolicy, "off");
  }));

Deno.test("acceptProposal() lists findings under warn, the advice to rotate first", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), "security:\n  secretScan: warn\n");
    const made = await draft(scratch, { body: "key AKIAIOSFODNN7EXAMPLE\n" });
    const accepted = await accept(scratch, made.proposalId);
    assert.deepEqual(accepted.secretFindings, [
      "the content of body[0]:1:5: aws-access-key-id (AKIA...)",
    ]);
    assert.match(accepted.nextSteps[0]!, /Rotate/);
  }));

Deno.test("acceptProposal() refuses an evidence record behind a link under block, skips it under warn", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const evidence = scratch.at(made.evidenceFile);
    Deno.renameSync(evidence, scratch.at("kept.json"));
    Deno.symlinkSync(scratch.at("kept.json"), evidence);
    await refusal(1, () => accept(scratch, made.proposalId));
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), "security:\n  secretScan: warn\n");
    const accepted = await accept(scratch, made.proposalId);
    assert.deepEqual(accepted.secretScanSkipped, ["the evidence record as written"]);
  }));

Deno.test("acceptProposal() refuses a lowering that was written by hand", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one", sensitivity: "restricted" } });
    const current = currentRevision(scratch, "domain.foo");
    const made = await draft(scratch, { expectedRevision: current });
    editMigration(
      scratch,
      made,
      (text) => text.replace("sensitivity: restricted", "sensitivity: public"),
    );
    assert.match((await refuses(scratch, 1, made.proposalId)).message, /restricted to public/);
  }));

Deno.test("acceptProposal() refuses to bring an item back from retirement", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one" } });
    const retirement = scratch.migrate({ op: "deprecateItem", itemId: "domain.foo" });
    const file = scratch.at(`.theurian/migrations/${retirement}-x.yaml`);
    Deno.renameSync(file, scratch.at("aside"));
    const current = currentRevision(scratch, "domain.foo");
    const made = await draft(scratch, { expectedRevision: current });
    Deno.renameSync(scratch.at("aside"), file);
    assert.match((await refuses(scratch, 1, made.proposalId)).message, /deprecated to approved/);
  }));

Deno.test("acceptProposal() refuses a raise that a landed migration with a greater id would undo", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.foo": { body: "one" } });
    const current = currentRevision(scratch, "domain.foo");
    const made = await draft(scratch, { expectedRevision: current, sensitivity: "restricted" });
    const later = scratch.migrate({
      op: "changeSensitivity",
      itemId: "domain.foo",
      sensitivity: "internal",
      reason: "open it",
    });
    assert.match((await refuses(scratch, 1, made.proposalId)).remedy, new RegExp(later));
    editMigration(scratch, made, (text) => `${text}dependsOn: [${later}]\n`);
    await accept(scratch, made.proposalId);
  }));

Deno.test("acceptProposal() lets exactly one of two simultaneous runs through, 200 times", async () => {
  await inScratchProject(async (scratch) => {
    for (let round = 0; round < 200; round++) {
      const made = await draft(scratch, { itemId: `race.item-${round}`, body: `${round}\n` });
      const results = await Promise.allSettled([
        accept(scratch, made.proposalId),
        accept(scratch, made.proposalId),
      ]);
      const won = results.filter((result) => result.status === "fulfilled");
      assert.equal(won.length, 1, `round ${round}`);
      assert.equal(Deno.readTextFileSync(scratch.at(made.bodyDestination)), `${round}\n`);
    }
  });
});
