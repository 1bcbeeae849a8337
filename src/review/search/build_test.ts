import assert from "node:assert/strict";
import { putCompanion, writeGoldenEvidence } from "../../../tests/support/golden_review.ts";
import { inReviewFolder, ReviewProject } from "../../../tests/support/review_project.ts";
import { systemClock } from "../../platform/clock.ts";
import { isFault } from "../../platform/errors.ts";
import { acquireLock } from "../../platform/lock.ts";
import { openForReading } from "../../platform/sqlite/mod.ts";
import { buildReview } from "./build.ts";

/** A build during which `change` runs once, after the files were read. */
async function buildWhile(project: ReviewProject, change: () => void) {
  const { dataDirectory, project: { paths } } = project;
  return await buildReview(paths, {
    dataDirectory,
    clock: systemClock,
    seal: () => crypto.randomUUID(),
    onStep: (what) => what.startsWith("Writing") && change(),
  });
}

function evidenceFiles(root: string): string[] {
  const walk = (folder: string): string[] =>
    [...Deno.readDirSync(folder)].flatMap((entry) =>
      entry.isDirectory ? walk(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]
    );
  return walk(`${root}/.theurian/review`);
}

Deno.test("buildReview() leaves out what changed while it was read, text and all", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    writeGoldenEvidence(project.root);
    const changed = evidenceFiles(project.root).filter((path) => path.endsWith("/T1~1.json"));
    assert.equal(changed.length, 1);
    const built = await buildWhile(project, () => Deno.utimeSync(changed[0]!, 1, 1));
    assert.equal(built.records, 79);
    using connection = openForReading(built.storePath);
    const orphans = connection.get<{ n: number }>(
      "SELECT count(*) AS n FROM review_texts AS t WHERE NOT EXISTS " +
        "(SELECT 1 FROM review_records WHERE t.id BETWEEN first_text AND last_text)",
    );
    assert.equal(orphans?.n, 0);
    assert.equal((await project.buildReview()).records, 80);
  }));

Deno.test("buildReview() refuses when another writer touched every file, and keeps the old store", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    writeGoldenEvidence(project.root);
    const { storePath } = await project.buildReview();
    const before = Deno.readFileSync(storePath);
    await assert.rejects(
      buildWhile(
        project,
        () => evidenceFiles(project.root).forEach((f) => Deno.utimeSync(f, 1, 1)),
      ),
      (error) => isFault(error, "review-unusable") && error.exit === 1,
    );
    assert.deepEqual(Deno.readFileSync(storePath), before);
  }));

Deno.test("buildReview() refuses when files appear in a folder that was empty", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    await assert.rejects(
      buildWhile(project, () => putCompanion(project.root)),
      (error) => isFault(error, "review-unusable"),
    );
  }));

Deno.test("buildReview() publishes nothing while another writer holds the project's lock", () =>
  inReviewFolder(async (folder) => {
    const project = await new ReviewProject(folder, "p").prepare();
    putCompanion(project.root);
    const { paths } = project.project;
    const order: string[] = [];
    const lock = await acquireLock(paths.writeLock, { waitMs: 0 });
    setTimeout(() => {
      order.push("released");
      lock[Symbol.dispose]();
    }, 300);
    await project.buildReview();
    order.push("built");
    assert.deepEqual(order, ["released", "built"]);
  }));
