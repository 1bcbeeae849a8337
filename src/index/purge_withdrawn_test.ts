import assert from "node:assert/strict";
import { join } from "node:path";
import { fileHolds, indexContent } from "../../tests/support/index_content.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { indexStatus } from "./index_status.ts";
import { readIndexPointer } from "./index_pointer.ts";
import { readScanRecord } from "./scan_record.ts";

const LONG = "Some words that fill a passage. ".repeat(10);
const parts = (word: string, count = 3) =>
  Array.from({ length: count }, (_, n) => `## Part ${n}\n\n${word} ${LONG}\n\n`).join("");
const deprecate = (itemId: string) => ({ op: "deprecateItem", itemId, reason: "gone" });

function published(scratch: ScratchProject): { id: string; path: string; failed: boolean } {
  const reading = readIndexPointer(scratch.project.paths);
  assert.ok(reading.kind === "pointer");
  const { indexBuildId: id, purgeFailed: failed } = reading.pointer;
  return { id, path: scratch.state(`theurian-index-${id}.sqlite`), failed };
}

Deno.test("an apply that withdraws nothing, or finds no index, says so", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    assert.equal((await scratch.apply()).indexPurge.reason, "no-published-index");
    await scratch.build();
    scratch.add({ "a.two": { body: LONG } });
    assert.deepEqual((await scratch.apply()).indexPurge, {
      published: false,
      indexBuildId: null,
      removed: 0,
      reason: "no-withdrawal",
      failed: false,
      remedy: "",
    });
    assert.equal((await scratch.apply()).indexPurge.reason, "no-withdrawal");
  });
});

Deno.test("a deprecated item's text leaves every byte of the published index at once", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({
      "a.one": { title: "Quokka habits", body: parts("quokka wombatish", 4) },
      "a.two": { body: parts("numbat") },
    });
    await scratch.apply();
    const { report } = await scratch.build({ raptor: true });
    assert.ok(fileHolds(report.indexPath, "wombatish"));
    scratch.migrate(deprecate("a.one"));
    const { indexPurge } = await scratch.apply();
    const now = published(scratch);
    assert.equal(indexPurge.published, true);
    assert.equal(indexPurge.indexBuildId, now.id);
    assert.ok(now.id > report.indexBuildId);
    assert.equal(indexPurge.removed, 4 + 1);
    for (const word of ["wombatish", "quokka", "Quokka", "a.one"]) {
      assert.ok(!fileHolds(now.path, word), word);
    }
    assert.ok(fileHolds(now.path, "numbat"));
    assert.ok(!scratch.stateFiles().includes(`theurian-index-${report.indexBuildId}.sqlite`));
    const status = indexStatus(scratch.project, scratch.dataDirectory);
    assert.equal(status.stale, true);
    assert.equal(status.indexStateHash, report.stateHash);
    assert.equal(status.provenanced, true);
  });
});

Deno.test("a purged index with a forest equals a fresh build of what is left", async () => {
  await inScratchProject(async (scratch) => {
    const items = Object.fromEntries(
      ["api", "domain", "security"].flatMap((kind) =>
        [1, 2, 3, 4].map((n) => [
          `${kind}.n${n}`,
          { body: parts(`${kind} word${n}`), kind },
        ])
      ),
    );
    scratch.add({ ...items, "domain.x": { body: parts("quokka"), kind: "domain" } });
    await scratch.apply();
    const { report } = await scratch.build({ raptor: true });
    assert.equal(report.nodes, 13 + 3 + 1);
    scratch.migrate(deprecate("domain.x"), deprecate("api.n1"));
    assert.equal((await scratch.apply()).indexPurge.published, true);
    const purged = indexContent(published(scratch).path);
    const { dataDirectory } = scratch;
    for (const name of scratch.stateFiles()) {
      if (name.includes("index")) Deno.removeSync(scratch.state(name));
    }
    assert.ok(dataDirectory);
    const fresh = indexContent((await scratch.build({ raptor: true })).report.indexPath);
    const hash = (content: Record<string, unknown>) => {
      const [build] = content["build"] as Record<string, unknown>[];
      delete build!["state_hash"];
      return content;
    };
    assert.deepEqual(hash(purged), hash(fresh));
  });
});

Deno.test("a new revision purges the old one; the new one waits for a build", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: `quokka ${LONG}` }, "a.two": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    scratch.add({ "a.one": { body: `wombat ${LONG}` } });
    assert.equal((await scratch.apply()).indexPurge.published, true);
    const { path } = published(scratch);
    assert.ok(!fileHolds(path, "quokka") && !fileHolds(path, "wombat"));
    const { report } = await scratch.build();
    assert.equal(report.chunks, 2);
    assert.ok(fileHolds(report.indexPath, "wombat"));
  });
});

Deno.test("an item above the ceiling is purged, and is back only after a build", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: `quokka ${LONG}` }, "a.two": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const move = (to: string) => ({
      op: "changeSensitivity",
      itemId: "a.one",
      sensitivity: to,
      reason: "review",
    });
    scratch.migrate(move("public"));
    assert.equal((await scratch.apply()).indexPurge.reason, "no-withdrawal");
    scratch.migrate(move("restricted"));
    assert.equal((await scratch.apply()).indexPurge.published, true);
    assert.ok(!fileHolds(published(scratch).path, "quokka"));
    scratch.migrate(move("internal"));
    assert.equal((await scratch.apply()).indexPurge.reason, "no-withdrawal");
    assert.ok(!fileHolds(published(scratch).path, "quokka"));
    assert.equal((await scratch.build()).report.chunks, 2);
    scratch.add({ "a.two": { body: `wombat ${LONG}` } });
    await scratch.apply();
    await scratch.build();
    scratch.migrate({ ...move("public"), itemId: "a.two" });
    assert.equal((await scratch.apply()).indexPurge.reason, "nothing-to-purge");
  });
});

Deno.test("a draft that was never indexed has nothing to purge", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG, status: "draft" }, "a.two": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    scratch.migrate(deprecate("a.one"));
    assert.equal((await scratch.apply()).indexPurge.reason, "nothing-to-purge");
  });
});

Deno.test("a build that was not made here is never copied, and stays the pointer's", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const provenance = join(scratch.dataDirectory, "built-here.json");
    const record = JSON.parse(Deno.readTextFileSync(provenance));
    record[scratch.root].index = [];
    Deno.writeTextFileSync(provenance, JSON.stringify(record));
    const pointer = Deno.readTextFileSync(scratch.state("active-index.json"));
    scratch.migrate(deprecate("a.one"));
    assert.equal((await scratch.apply()).indexPurge.reason, "untrusted-source-index");
    assert.equal(Deno.readTextFileSync(scratch.state("active-index.json")), pointer);
  });
});

Deno.test("a pointer without its levels, or without its file, is not purged", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG }, "a.two": { body: LONG } });
    await scratch.apply();
    const { report } = await scratch.build();
    const path = scratch.state("active-index.json");
    const pointer = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...pointer, indexedSensitivities: ["x"] }));
    scratch.migrate(deprecate("a.one"));
    assert.equal((await scratch.apply()).indexPurge.reason, "index-unusable");
    Deno.writeTextFileSync(path, JSON.stringify(pointer));
    Deno.removeSync(report.indexPath);
    scratch.migrate(deprecate("a.two"));
    assert.equal((await scratch.apply()).indexPurge.reason, "index-unusable");
  });
});

Deno.test("a damaged index is marked, kept by the pointer, and cured by a build", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG }, "a.two": { body: LONG } });
    await scratch.apply();
    const { report } = await scratch.build();
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(report.indexPath);
    database.exec("DROP TABLE chunks");
    database.close();
    scratch.migrate(deprecate("a.one"));
    const { indexPurge } = await scratch.apply();
    assert.equal(indexPurge.failed, true);
    assert.match(indexPurge.reason, /^purge-failed: [a-z-]+$/);
    assert.match(indexPurge.remedy, /theurian index build/);
    const { id, failed } = published(scratch);
    assert.equal(id, report.indexBuildId);
    assert.equal(failed, true);
    assert.ok(!scratch.stateFiles().some((name) => name.endsWith(".building")));
    const status = indexStatus(scratch.project, scratch.dataDirectory);
    assert.ok(status.purgeFailed && status.stale);
    await scratch.build();
    assert.equal(published(scratch).failed, false);
    assert.equal(indexStatus(scratch.project, scratch.dataDirectory).stale, false);
  });
});

Deno.test("a purge hands the scan record over to the new build", async () => {
  await inScratchProject(async (scratch) => {
    const secret = "sk-" + "a1".repeat(12);
    scratch.add({ "a.one": { body: LONG }, "a.two": { body: `${secret} ${LONG}` } });
    await scratch.apply();
    assert.equal((await scratch.build()).exit, 6);
    scratch.migrate(deprecate("a.one"));
    await scratch.apply();
    assert.deepEqual(readScanRecord(scratch.project.paths), {
      indexBuildId: published(scratch).id,
      policy: "block",
      findings: 1,
    });
  });
});

Deno.test("a purge removes every old build that holds the withdrawn text, and no other", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const clean = (await scratch.build()).report;
    scratch.add({ "a.two": { body: `quokka ${LONG}` } });
    await scratch.apply();
    const first = (await scratch.build({ raptor: true })).report;
    const second = (await scratch.build()).report;
    scratch.migrate(deprecate("a.two"));
    await scratch.apply();
    const builds = scratch.stateFiles().filter((name) => name.startsWith("theurian-index-"));
    assert.deepEqual(builds, [
      `theurian-index-${clean.indexBuildId}.sqlite`,
      `theurian-index-${published(scratch).id}.sqlite`,
    ]);
    assert.ok(first && second);
    for (const name of builds) assert.ok(!fileHolds(scratch.state(name), "quokka"));
  });
});
