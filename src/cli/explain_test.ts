import assert from "node:assert/strict";
import { addDemo } from "../../tests/support/demo_corpus.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { runForTest } from "./test_world.ts";

async function inIndexedRepository(
  work: (run: (...args: string[]) => ReturnType<typeof runForTest>) => Promise<void>,
): Promise<void> {
  await inScratchProject(async (project) => {
    const git = new Deno.Command("git", { args: ["init", "--quiet"], cwd: project.root });
    assert.equal((await git.output()).code, 0);
    addDemo(project);
    await project.applyWithoutPurge();
    await project.build();
    const registry = { demo: { rootPath: project.root } };
    Deno.writeTextFileSync(`${project.dataDirectory}/projects.json`, JSON.stringify(registry));
    const environment = {
      THEURIAN_DATA_DIR: project.dataDirectory,
      HOME: project.root,
      PATH: Deno.env.get("PATH")!,
    };
    await work((...args) => runForTest(["explain", ...args], { cwd: project.root, environment }));
  });
}

Deno.test("theurian explain prints one document with the keys of the contract", async () => {
  await inIndexedRepository(async (run) => {
    const plain = await run("retry", "--json");
    assert.equal(plain.exit, 0, plain.stderr);
    const document = JSON.parse(plain.stdout);
    assert.deepEqual(Object.keys(document).sort(), [
      ...["count", "projectId", "query", "removed", "results", "retrieval"],
    ]);
    assert.deepEqual(Object.keys(document.results[0]).sort(), [
      ...["fusedScore", "itemId", "paths", "rank", "revisionId"],
    ]);
    const item = JSON.parse((await run("retry", "--item", "ops.retry", "--json")).stdout);
    assert.equal(item.item.itemId, "ops.retry");
    const none = await run("qqqq", "--json");
    assert.deepEqual([none.exit, JSON.parse(none.stdout).count], [0, 0]);
  });
});

Deno.test("theurian explain refuses what cannot be asked with exit 2", async () => {
  await inIndexedRepository(async (run) => {
    for (
      const args of [
        ["  "],
        ["retry", "--as-of", "yesterday"],
        ["retry", "--item", "Not An Id"],
        ["retry", "--limit", "0"],
        [],
      ]
    ) {
      const { exit, stdout } = await run(...args, "--json");
      assert.deepEqual([exit, stdout], [2, ""], args.join(" "));
    }
  });
});

Deno.test("theurian explain names what is missing: a project, then a state", async () => {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "explain-" }));
  try {
    const environment = {
      THEURIAN_DATA_DIR: `${folder}/data`,
      HOME: folder,
      PATH: Deno.env.get("PATH")!,
    };
    const outside = await runForTest(["explain", "x", "--json"], { cwd: folder, environment });
    assert.equal(outside.exit, 1);
    await new Deno.Command("git", { args: ["init", "--quiet"], cwd: folder }).output();
    const unbuilt = await runForTest(["explain", "x", "--json"], { cwd: folder, environment });
    assert.equal(unbuilt.exit, 1);
    assert.match(JSON.parse(unbuilt.stderr).remedy, /theurian migrate apply/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("theurian explain tells a person what ranks where, why, and what was kept out", async () => {
  await inIndexedRepository(async (run) => {
    const { stdout } = await run("retry", "--limit", "1");
    assert.match(stdout, /^ 1\. ops\.retry {2}0\.\d+\n {6}lexical #1, 0\.\d+: retry\n/);
    assert.match(stdout, /Found and kept out:\n {2}- ops\.cache: it ranks below the limit\n/);
    assert.match(stdout, /\nindex 01[0-9A-Z]{24}, mode lexical, \d+ tokens\n/);
    const none = await run("qqqq", "--item", "ops.retry");
    assert.match(none.stdout, /^Nothing is found\.\n\nAsked for:\n {2}- ops\.retry: no way of/);
    const forged = await run("retry\nerror: forged", "--include-unapproved");
    assert.match(forged.stdout, /scan \(unapproved-not-indexed\), mode substring/);
    assert.doesNotMatch(forged.stdout, /^error: forged/m);
  });
});
