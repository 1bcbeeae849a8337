import assert from "node:assert/strict";
import { join } from "node:path";
import { discardProposal } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { accept, draft, refusal, tree } from "../../tests/support/proposals.ts";

const discard = (scratch: ScratchProject, proposalId: string) =>
  discardProposal(scratch.project, scratch.dataDirectory, proposalId);

Deno.test("discardProposal() removes a proposal with whatever lies in it, and names the files", () =>
  inScratchProject(async (scratch) => {
    for (const local of [false, true]) {
      const made = await draft(scratch, { local });
      Deno.symlinkSync("/etc", scratch.at(join(made.proposalDirectory, "link")));
      const { removedPaths, discarded } = await discard(scratch, made.proposalId);
      assert.equal(discarded, true);
      assert.deepEqual(
        [...removedPaths].sort(),
        [
          join(made.proposalDirectory, made.migrationFile),
          made.evidenceFile,
          made.bodyFile,
          join(made.proposalDirectory, "link"),
        ].sort(),
      );
      assert.deepEqual(tree(scratch.at(made.proposalDirectory)), {});
      assert.deepEqual(Object.keys(tree(scratch.at(".theurian/runtime"))), ["write.lock"]);
      await refusal(1, () => discard(scratch, made.proposalId));
    }
    assert.ok(Deno.statSync("/etc").isDirectory);
  }));

Deno.test("discardProposal() removes an interrupted one", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    Deno.removeSync(scratch.at(join(made.proposalDirectory, made.migrationFile)));
    await discard(scratch, made.proposalId);
    assert.deepEqual(tree(scratch.at(made.proposalDirectory)), {});
  }));

Deno.test("discardProposal() keeps the evidence of what was accepted, exit 4", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    await accept(scratch, made.proposalId);
    await refusal(4, () => discard(scratch, made.proposalId));
    const waiting = await draft(scratch, { itemId: "domain.bar" });
    // Nor does a broken set make it look as if it never landed.
    Deno.writeTextFileSync(scratch.at(".theurian/migrations/bad.yaml"), "a: [");
    const { remedy } = await refusal(4, () => discard(scratch, made.proposalId));
    assert.match(remedy, /migrate validate/);
    assert.deepEqual(Object.keys(tree(scratch.at(made.proposalDirectory))), ["evidence.json"]);
    await discard(scratch, waiting.proposalId);
  }));

Deno.test("discardProposal() keeps one that landed and was not cleared, exit 4", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const file = join(made.proposalDirectory, made.migrationFile);
    const kept = Deno.readTextFileSync(scratch.at(file));
    await accept(scratch, made.proposalId);
    Deno.writeTextFileSync(scratch.at(file), kept);
    await refusal(4, () => discard(scratch, made.proposalId));
    assert.equal(Deno.readTextFileSync(scratch.at(file)), kept);
  }));

Deno.test("discardProposal() refuses a link in the proposal's place and leaves its target", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const id = scratch.ulids();
    Deno.symlinkSync(made.proposalId, scratch.at(`.theurian/proposals/${id}`));
    await refusal(1, () => discard(scratch, id));
    assert.equal(Object.keys(tree(scratch.at(made.proposalDirectory))).length, 3);
  }));

Deno.test("a draft or discard clears what killed ones left aside, and nothing else", () =>
  inScratchProject(async (scratch) => {
    const runtime = scratch.at(".theurian/runtime");
    const kept = ["draft-notes", "discard-me", "draft-01k0000000000000000000000a", "other"];
    const left = ["draft-01K0000000000000000000000A", "discard-01K0000000000000000000000B"];
    for (const name of [...kept, ...left]) {
      Deno.mkdirSync(join(runtime, name), { recursive: true });
      Deno.writeTextFileSync(join(runtime, name, "file"), "x");
    }
    Deno.symlinkSync(scratch.at(".theurian"), join(runtime, "draft-01K0000000000000000000000C"));
    const made = await draft(scratch);
    const names = () => [...Deno.readDirSync(runtime)].map((entry) => entry.name).sort();
    const expected = [...kept, "draft-01K0000000000000000000000C", "write.lock"].sort();
    assert.deepEqual(names(), expected);
    Deno.mkdirSync(join(runtime, left[0]!));
    await discard(scratch, made.proposalId);
    assert.deepEqual(names(), expected);
  }));
