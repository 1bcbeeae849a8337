/**
 * Builds and landings that meet a full disk at any step of their writing: the old store and the old
 * records stay whole, nothing half-written is left, the next run succeeds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { RecordWriter } from "../../src/review/evidence/mod.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { isFault } from "../../src/platform/errors.ts";
import { fixturePath, putCompanion, writeGoldenEvidence } from "../support/golden_review.ts";
import { inReviewFolder, ReviewProject } from "../support/review_project.ts";

/** Fails at the nth writing step; tells whether it was reached. */
async function failingAt(nth: number, work: () => Promise<unknown>): Promise<"failed" | "passed"> {
  let count = 0;
  setWritePointHook((step) => {
    if (step === "remove" || ++count !== nth) return;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  try {
    await work();
  } catch (error) {
    assert.ok(isFault(error), String(error));
    assert.ok(error.exit === 1 && error.remedy.length > 20, error.message);
    return "failed";
  } finally {
    setWritePointHook(null);
  }
  return count < nth ? "passed" : "failed";
}

async function everyStep(work: (nth: number) => Promise<"failed" | "passed">): Promise<number> {
  for (let nth = 1; nth < 100; nth++) {
    if (await work(nth) === "passed") return nth - 1;
  }
  throw new Error("It never ends");
}

function stateFiles(project: ReviewProject): string[] {
  return [...Deno.readDirSync(`${project.root}/.theurian/state`)].map(({ name }) => name)
    .filter((name) => /findings|review/.test(name)).sort();
}

Deno.test("a review build on a full disk keeps the old store and leaves no draft", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    writeGoldenEvidence(project.root);
    const { storePath } = await project.buildReview();
    const steps = await everyStep(async (nth) => {
      const before = Deno.readFileSync(storePath);
      const ended = await failingAt(nth, () => project.buildReview());
      assert.deepEqual(stateFiles(project), ["theurian-review-local.sqlite"]);
      if (ended === "failed") {
        const answer = await project.call("review.search", '{"projectId": "p"}');
        // The old store is served on; a new one that could not be recorded is refused, never half served.
        const isOld = Deno.readFileSync(storePath).every((byte, i) => byte === before[i]);
        const text = JSON.stringify(answer);
        assert.ok(answer["isError"] === false || !isOld && text.includes("theurian review build"));
      }
      return ended;
    });
    assert.ok(steps >= 3, String(steps));
    assert.equal((await project.buildReview()).records, 80);
  }));

Deno.test("a findings build on a full disk keeps the old store and leaves no draft", () =>
  inReviewFolder(async (folder) => {
    const project = new ReviewProject(folder, "p");
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), project.root] }).outputSync();
    await project.prepare();
    await project.buildFindings();
    const steps = await everyStep(async (nth) => {
      const ended = await failingAt(nth, () => project.buildFindings());
      assert.deepEqual(stateFiles(project), ["theurian-findings-local.sqlite"]);
      return ended;
    });
    assert.ok(steps >= 3, String(steps));
    await project.buildFindings();
    const answer = await project.call("review.findings", '{"projectId": "p"}');
    assert.equal((answer["structuredContent"] as { count: number }).count, 13);
  }));

Deno.test("a record that meets a full disk keeps its old bytes and leaves no temporary", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    putCompanion(project.root);
    const review = `${project.root}/.theurian/review`;
    const [repository] = [...Deno.readDirSync(review)].map(({ name }) => name);
    const path = `${repository}/pull-request/99.json`;
    const old = Deno.readTextFileSync(`${review}/${path}`);
    const steps = await everyStep(async (nth) => {
      const ended = await failingAt(
        nth,
        () => Promise.resolve().then(() => new RecordWriter(review).write({ path, text: "new" })),
      );
      const names = [...Deno.readDirSync(`${review}/${repository}/pull-request`)]
        .map(({ name }) => name);
      assert.deepEqual(names, ["99.json"]);
      assert.ok([old, "new"].includes(Deno.readTextFileSync(`${review}/${path}`)));
      if (ended === "failed") Deno.writeTextFileSync(`${review}/${path}`, old);
      return ended;
    });
    assert.ok(steps >= 4, String(steps));
  }));
