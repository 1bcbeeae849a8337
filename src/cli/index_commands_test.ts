import assert from "node:assert/strict";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { runForTest } from "./test_world.ts";

const LONG = "Some words that fill a passage. ".repeat(10);

async function repository(scratch: ScratchProject): Promise<
  (...args: string[]) => Promise<{
    exit: number;
    stdout: string;
    stderr: string;
  }>
> {
  await new Deno.Command("git", { args: ["init", "-q", scratch.root] }).output();
  const environment = {
    HOME: scratch.dataDirectory,
    PATH: Deno.env.get("PATH")!,
    THEURIAN_DATA_DIR: scratch.dataDirectory,
  };
  return (...args) => runForTest(["index", ...args], { cwd: scratch.root, environment });
}

Deno.test("index build, status and gc answer one JSON document each", async () => {
  await inScratchProject(async (scratch) => {
    const index = await repository(scratch);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const built = await index("build", "--raptor", "--no-embeddings", "--json");
    assert.deepEqual([built.exit, built.stderr], [0, ""]);
    const report = JSON.parse(built.stdout);
    assert.deepEqual([report.raptor, report.embeddings, report.published], [true, 0, true]);
    const status = JSON.parse((await index("status", "--json")).stdout);
    assert.deepEqual([status.stale, status.indexBuildId], [false, report.indexBuildId]);
    const gc = JSON.parse((await index("gc", "--dry-run", "--json")).stdout);
    assert.deepEqual([gc.dryRun, gc.publishedIndexBuildId], [true, report.indexBuildId]);
  }, "repo");
});

Deno.test("index build with a finding prints the whole report on stdout and exits 6", async () => {
  await inScratchProject(async (scratch) => {
    const index = await repository(scratch);
    scratch.add({ "a.one": { body: `sk-${"a1".repeat(12)} ${LONG}` } });
    await scratch.apply();
    const { exit, stdout, stderr } = await index("build", "--json");
    assert.deepEqual([exit, stderr], [6, ""]);
    const report = JSON.parse(stdout);
    assert.equal(report.published, true);
    assert.deepEqual(report.secretFindings, ["a.one:3:1: openai-api-key (sk-a...)"]);
    assert.match(report.remedy, /removeRelation.*deprecateItem/);
  }, "repo");
});

Deno.test("index refuses a missing state with 1, a missing or unknown subcommand with 2", async () => {
  await inScratchProject(async (scratch) => {
    const index = await repository(scratch);
    const unbuilt = await index("build", "--json");
    assert.deepEqual([unbuilt.exit, unbuilt.stdout], [1, ""]);
    assert.deepEqual(Object.keys(JSON.parse(unbuilt.stderr)).sort(), ["error", "remedy"]);
    assert.equal((await index()).exit, 2);
    assert.equal((await index("verify")).exit, 2);
    assert.equal((await index("status", "--raptor")).exit, 2);
  }, "repo");
});
