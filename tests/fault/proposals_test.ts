/**
 * A draft, an acceptance or a discard that fails or is killed at any step of its writing loses
 * nothing, and running it again succeeds (proposals.md 2.1 and 6.2).
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { isFault } from "../../src/platform/errors.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { loadMigrationSet } from "../../src/knowledge/mod.ts";
import { acceptProposal, discardProposal } from "../../src/proposals/mod.ts";
import { draft, tree, withoutLock } from "../support/proposals.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";

/** More steps than any of the three takes. */
const STEPS = 80;

/** Fails the nth step of `work`; true when it was met. */
async function failingAt(nth: number, work: () => Promise<unknown>): Promise<boolean> {
  let count = 0;
  let met = false;
  setWritePointHook((step) => {
    if (step === "remove" || ++count !== nth) return;
    met = true;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  try {
    await work();
  } catch (error) {
    assert.ok(isFault(error), String(error));
  } finally {
    setWritePointHook(null);
  }
  return met;
}

Deno.test("a draft that meets a full disk at any step leaves the whole proposal or nothing", async () => {
  let met = true;
  for (let nth = 1; met; nth++) {
    assert.ok(nth < STEPS);
    await inScratchProject(async (scratch) => {
      met = await failingAt(nth, () => draft(scratch));
      const files = withoutLock(tree(scratch.at(".theurian")));
      const count = Object.keys(files).length;
      assert.equal(count, met ? 0 : 3, `step ${nth}: ${Object.keys(files)}`);
      const made = await draft(scratch);
      assert.equal(Object.keys(tree(scratch.at(made.proposalDirectory))).length, 3);
    });
  }
});

Deno.test("an acceptance that meets a full disk at any step moves everything or nothing", async () => {
  let met = true;
  for (let nth = 1; met; nth++) {
    assert.ok(nth < STEPS);
    await inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      const before = withoutLock(tree(scratch.at(".theurian")));
      met = await failingAt(
        nth,
        () => acceptProposal(scratch.project, scratch.dataDirectory, made.proposalId),
      );
      if (loadMigrationSet(scratch.project.paths).byId.has(made.migrationId)) return;
      assert.deepEqual(withoutLock(tree(scratch.at(".theurian"))), before, `step ${nth}`);
      await acceptProposal(scratch.project, scratch.dataDirectory, made.proposalId);
      assert.equal(Deno.readTextFileSync(scratch.at(made.bodyDestination)), "# F\n");
    });
  }
});

/** Runs the killer; true when it was killed. */
async function killedAt(scratch: ScratchProject, nth: number, ...what: string[]): Promise<boolean> {
  const script = fileURLToPath(new URL("../support/proposals_until_killed.ts", import.meta.url));
  const { signal, code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--allow-all",
      script,
      scratch.root,
      scratch.dataDirectory,
      String(nth),
      ...what,
    ],
  }).output();
  assert.ok(signal !== null || code === 0, new TextDecoder().decode(stderr));
  return signal !== null;
}

Deno.test("a draft killed at any step leaves the whole proposal or none, and the next one succeeds", async () => {
  let killed = true;
  for (let nth = 1; killed; nth += 2) {
    assert.ok(nth < STEPS);
    await inScratchProject(async (scratch) => {
      killed = await killedAt(scratch, nth, "draft");
      const left = Object.keys(tree(scratch.at(".theurian/proposals"))).length;
      assert.ok(left === 0 || left === 3, `step ${nth}`);
      await draft(scratch);
      const runtime = Object.keys(tree(scratch.at(".theurian/runtime")));
      assert.deepEqual(runtime, ["write.lock"], `step ${nth}`);
    });
  }
});

Deno.test("an acceptance killed at any step loses nothing and leaves a set that loads", async () => {
  let killed = true;
  for (let nth = 1; killed; nth += 2) {
    assert.ok(nth < STEPS);
    await inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      killed = await killedAt(scratch, nth, "accept", made.proposalId);
      const landed = loadMigrationSet(scratch.project.paths).byId.has(made.migrationId);
      if (!landed) await acceptProposal(scratch.project, scratch.dataDirectory, made.proposalId);
      assert.equal(Deno.readTextFileSync(scratch.at(made.bodyDestination)), "# F\n", `step ${nth}`);
      const { applied } = await scratch.apply();
      assert.deepEqual(applied, [made.migrationId]);
    });
  }
});

Deno.test("a discard killed at any step leaves the proposal or nothing of it", async () => {
  let killed = true;
  for (let nth = 1; killed; nth++) {
    assert.ok(nth < STEPS);
    await inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      killed = await killedAt(scratch, nth, "discard", made.proposalId);
      const left = Object.keys(tree(scratch.at(made.proposalDirectory))).length;
      assert.ok(left === 0 || left === 3, `step ${nth}`);
      if (left > 0) await discardProposal(scratch.project, scratch.dataDirectory, made.proposalId);
    });
  }
});
