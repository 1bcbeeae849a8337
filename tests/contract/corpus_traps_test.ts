/**
 * Rules of the corpus that show only where areas meet (corpus-and-migrations.md section 19).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { runForTest } from "../../src/cli/test_world.ts";
import { testUlid, writeMigration } from "../support/corpus.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { temporaryRepository } from "../support/temporary_repository.ts";
import { call, payloadOf, refusalText, register } from "../support/tool_calls.ts";

Deno.test("an applied migration that was edited stops every command that loads it (trap 3)", async () => {
  using repository = temporaryRepository();
  const { root: cwd, environment } = repository;
  const run = (...args: string[]) => runForTest([...args, "--json"], { cwd, environment });
  writeMigration(repository, 1, [{ itemId: "domain.a" }]);
  repository.commit();
  for (const command of ["migrate apply", "index build", "ingest"]) {
    assert.equal((await run(...command.split(" "))).exit, 0, command);
  }
  const path = join(cwd, `.theurian/migrations/${testUlid("MG", 1)}-test.yaml`);
  Deno.writeTextFileSync(path, "\n", { append: true });
  for (const command of ["migrate validate", "migrate apply", "index build", "ingest"]) {
    const { exit, stdout, stderr } = await run(...command.split(" "));
    assert.deepEqual([exit, stdout], [4, ""], command);
    assert.match(JSON.parse(stderr).error, new RegExp(testUlid("MG", 1)));
  }
  assert.equal((await run("migrate", "status")).exit, 4);
  for (const command of ["index status", "index gc", "init", "project status"]) {
    assert.equal((await run(...command.split(" "))).exit, 0, command);
  }
});

Deno.test("an item restored without a revision is counted and answers as absent (trap 16)", () =>
  inScratchProject(async (scratch) => {
    const create = {
      op: "createItem",
      itemId: "a.bare",
      kind: "domain",
      namespace: "n",
      owner: "o",
    };
    scratch.migrate(create, { op: "restoreItem", itemId: "a.bare" });
    await scratch.apply();
    await scratch.build();
    const caller = register(scratch);
    const get = (itemId: string) => call(caller, "knowledge.get", { projectId: "demo", itemId });
    const bare = refusalText(await get("a.bare"));
    assert.equal(bare.replace("a.bare", "a.none"), refusalText(await get("a.none")));
    const status = payloadOf(await call(caller, "knowledge.status", { projectId: "demo" }));
    assert.deepEqual(status["itemsByStatus"], { approved: 1 });
    const found = await call(caller, "knowledge.search", { projectId: "demo", query: "bare" });
    assert.equal(payloadOf(found)["count"], 0);
  }));
