import assert from "node:assert/strict";
import { addDemo } from "../../../tests/support/demo_corpus.ts";
import { inScratchProject } from "../../../tests/support/scratch_project.ts";
import { openForWriting } from "../../platform/sqlite/mod.ts";
import { call, payloadOf, refusalText, register } from "../../../tests/support/tool_calls.ts";

Deno.test("knowledge.status counts what a caller may see, by status, and nothing withheld", async () => {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    const caller = register(project);
    const status = await call(caller, "knowledge.status", { projectId: "demo" });
    const { stateHash, ...rest } = payloadOf(status);
    assert.match(String(stateHash), /^[0-9a-f]{64}$/);
    assert.deepEqual(rest, {
      projectId: "demo",
      itemCount: 4,
      itemsByStatus: { approved: 3, draft: 1 },
      appliedMigrations: 1,
      schemaVersion: 4,
    });
    const wide = { ...caller, ceiling: "confidential" } as const;
    const more = payloadOf(await call(wide, "knowledge.status", { projectId: "demo" }));
    assert.deepEqual([more["itemCount"], more["itemsByStatus"]], [5, { approved: 4, draft: 1 }]);
    const search = await call(caller, "knowledge.search", { projectId: "demo", query: "x" });
    const { retrieval } = payloadOf(search) as { retrieval: { snapshotId: string } };
    assert.equal(retrieval.snapshotId, stateHash);
  });
});

Deno.test("knowledge.status of a project without knowledge is empty, not absent", async () => {
  await inScratchProject(async (project) => {
    await project.applyWithoutPurge();
    const caller = register(project);
    const payload = payloadOf(await call(caller, "knowledge.status", { projectId: "demo" }));
    assert.deepEqual([payload["itemCount"], payload["itemsByStatus"]], [0, {}]);
  });
});

Deno.test("knowledge.status, search and get each name a damaged history and still answer", async () => {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    const caller = register(project);
    const pointerPath = project.project.paths.activePointer;
    const pointer = JSON.parse(Deno.readTextFileSync(pointerPath));
    Deno.writeTextFileSync(pointerPath, JSON.stringify({ ...pointer, migrationCount: 7 }));
    const calls = [
      ["knowledge.status", {}],
      ["knowledge.search", { query: "retry" }],
      ["knowledge.get", { itemId: "ops.retry" }],
    ] as const;
    const remedies = new Set<unknown>();
    for (const [tool, extra] of calls) {
      const payload = payloadOf(await call(caller, tool, { projectId: "demo", ...extra }));
      const integrity = payload["integrity"] as { damageDetected: boolean; remedy: string };
      assert.equal(integrity.damageDetected, true, tool);
      remedies.add(integrity.remedy);
    }
    assert.equal(remedies.size, 1);
    const status = payloadOf(await call(caller, "knowledge.status", { projectId: "demo" }));
    assert.equal(status["appliedMigrations"], 7);
    const texts = await Promise.all(
      ["no.such", "sec.keys", "arch.old"].map(async (itemId) =>
        refusalText(await call(caller, "knowledge.get", { projectId: "demo", itemId }))
      ),
    );
    assert.equal(new Set(texts).size, 1);
    assert.match(texts[0]!, /could not be fully read/);
    Deno.writeTextFileSync(pointerPath, JSON.stringify({ ...pointer, migrationCount: -5 }));
    const refused = await call(caller, "knowledge.status", { projectId: "demo" });
    assert.match(refusalText(refused), /active\.json.*theurian migrate apply/);
  });
});

Deno.test("Counts of damage ignore the ceiling: a hidden item that is lost shows as damage", async () => {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    const caller = register(project);
    const name = project.stateFiles().find((one) => /^theurian-state-.*\.sqlite$/.test(one))!;
    using connection = openForWriting(project.state(name), { create: false, journal: "delete" });
    connection.exec("PRAGMA foreign_keys = OFF; DELETE FROM items WHERE item_id = 'sec.keys'");
    connection.close();
    const payload = payloadOf(await call(caller, "knowledge.status", { projectId: "demo" }));
    assert.equal(payload["itemCount"], 4);
    assert.equal((payload["integrity"] as { damageDetected: boolean }).damageDetected, true);
  });
});
