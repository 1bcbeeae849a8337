import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { type IndexStatus, indexStatus } from "./index_status.ts";
import { indexSecretScan } from "./secret_scan_facts.ts";

const LONG = "Some words that fill a passage. ".repeat(10);
const KEYS = [
  "built",
  "builtStateHash",
  "currentStateHash",
  "expectedIndexSchemaVersion",
  "indexBuildId",
  "indexPointerCorrupt",
  "indexProjectId",
  "indexSchemaVersion",
  "indexStateHash",
  "indexedSensitivities",
  "knowledgeNotApplied",
  "orphaned",
  "profileMismatch",
  "profileUnreadable",
  "profileUnrecorded",
  "projectId",
  "purgeFailed",
  "remedy",
  "servedSensitivities",
  "stale",
];

Deno.test("indexStatus() always has its twenty keys, and more once there is a build", async () => {
  await inScratchProject(async (scratch) => {
    const status = () => indexStatus(scratch.project, scratch.dataDirectory);
    scratch.add({ "a.one": { body: LONG } });
    const before = status();
    assert.deepEqual(Object.keys(before).sort(), KEYS);
    assert.equal(before.knowledgeNotApplied, true);
    assert.match(before.remedy, /migrate apply.*index build/);
    await scratch.apply();
    const unbuilt = status();
    assert.deepEqual(
      [unbuilt.built, unbuilt.stale, unbuilt.indexSchemaVersion, unbuilt.indexBuildId],
      [false, true, null, null],
    );
    assert.match(unbuilt.remedy, /theurian index build/);
    const { report } = await scratch.build({ raptor: true });
    const fresh = status();
    for (const key of KEYS) assert.ok(Object.hasOwn(fresh, key), key);
    const expected: Partial<IndexStatus> = {
      built: true,
      stale: false,
      remedy: "",
      indexBuildId: report.indexBuildId,
      indexProjectId: "demo",
      indexSchemaVersion: fresh.expectedIndexSchemaVersion,
      provenanced: true,
      raptor: true,
      chunks: 1,
      nodes: 0,
      embeddingModel: "theurian-hashed-char-ngram",
      indexesUnapproved: false,
    };
    for (const [key, value] of Object.entries(expected)) {
      assert.equal(fresh[key as keyof IndexStatus], value, key);
    }
  });
});

Deno.test("indexStatus() tells knowledge that is not applied from an index that is behind", async () => {
  await inScratchProject(async (scratch) => {
    const status = () => indexStatus(scratch.project, scratch.dataDirectory);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    scratch.add({ "a.two": { body: LONG } });
    assert.deepEqual([status().stale, status().knowledgeNotApplied], [true, true]);
    await scratch.apply();
    assert.deepEqual([status().stale, status().knowledgeNotApplied], [true, false]);
    await scratch.build();
    assert.equal(status().stale, false);
  });
});

Deno.test("raising and lowering the ceiling both make an index stale until it is built again", async () => {
  await inScratchProject(async (scratch) => {
    const status = () => indexStatus(scratch.project, scratch.dataDirectory);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    for (const ceiling of ["restricted", "public"]) {
      scratch.serve(ceiling);
      assert.deepEqual([status().profileMismatch, status().stale], [true, true]);
      await scratch.build();
      assert.deepEqual([status().profileMismatch, status().stale], [false, false]);
    }
    Deno.chmodSync(join(scratch.dataDirectory, "auth/serving-profile"), 0o644);
    const unreadable = status();
    assert.notEqual(unreadable.profileUnreadable, "");
    assert.equal(unreadable.servedSensitivities, null);
    assert.equal(unreadable.profileMismatch, false);
    assert.equal(unreadable.stale, true);
    assert.match(unreadable.remedy, /chmod/);
  });
});

Deno.test("indexStatus() says when a build was not made here, or for another project", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const other = indexStatus({ ...project, projectId: "other" }, dataDirectory);
    assert.deepEqual([other.orphaned, other.stale], [true, true]);
    const path = scratch.state("active-index.json");
    const pointer = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...pointer, indexedSensitivities: ["odd"] }));
    const unrecorded = indexStatus(project, dataDirectory);
    assert.deepEqual(
      [unrecorded.profileUnrecorded, unrecorded.profileMismatch, unrecorded.indexedSensitivities],
      [true, false, null],
    );
    Deno.writeTextFileSync(path, JSON.stringify(pointer));
    Deno.removeSync(join(dataDirectory, "built-here.json"));
    const foreign = indexStatus(project, dataDirectory);
    assert.deepEqual(
      [foreign.provenanced, foreign.stale, foreign.indexSchemaVersion],
      [false, true, 0],
    );
  });
});

Deno.test("indexStatus() answers with a broken migration, a damaged state or none", async () => {
  await inScratchProject(async (scratch) => {
    const status = () => indexStatus(scratch.project, scratch.dataDirectory);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const broken = scratch.at(".theurian/migrations/01KB0MG0000000000000000009-broken.yaml");
    Deno.writeTextFileSync(broken, "a: [");
    const withBroken = status();
    assert.deepEqual([withBroken.currentStateHash, withBroken.stale], [null, true]);
    assert.match(withBroken.remedy, /broken\.yaml/);
    await assert.rejects(scratch.build(), (error) => isFault(error) && error.exit === 4);
    Deno.removeSync(broken);
    for (const name of scratch.stateFiles().filter((n) => n.startsWith("theurian-state-"))) {
      Deno.writeTextFileSync(scratch.state(name), "damaged");
      assert.equal(status().built, true);
      Deno.removeSync(scratch.state(name));
      assert.equal(status().built, true);
    }
    const path = scratch.state("active.json");
    const pointer = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...pointer, databaseFilename: "../../x" }));
    assert.equal(status().built, true);
    Deno.writeTextFileSync(path, "{");
    assert.throws(status, (error) => isFault(error, "state-pointer-corrupt") && error.exit === 1);
  });
});

Deno.test("indexSecretScan() trusts a record only for a build that was made here", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    const facts = () => indexSecretScan(project.paths, dataDirectory);
    const none = { status: "not-applicable", policy: null, findings: 0 };
    assert.deepEqual(indexSecretScan(null, dataDirectory), none);
    assert.deepEqual(facts(), none);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    assert.deepEqual(facts(), { status: "clean", policy: "block", findings: 0 });
    const path = scratch.state("index-secret-scan.json");
    const record = JSON.parse(Deno.readTextFileSync(path));
    const put = (change: object) =>
      Deno.writeTextFileSync(path, JSON.stringify({ ...record, ...change }));
    put({ findings: 3 });
    assert.equal(facts().status, "degraded");
    assert.ok(facts().remedy);
    put({ findings: 3, policy: "warn" });
    assert.equal(facts().status, "warned");
    put({ policy: "off" });
    assert.deepEqual(facts(), { status: "unscanned", policy: "off", findings: 0 });
    const unrecorded = { status: "unrecorded", policy: null, findings: 0 };
    for (
      const change of [
        { findings: true },
        { findings: -1 },
        { findings: 0.5 },
        { findings: null },
        { policy: "Block" },
        { indexBuildId: " " },
        { indexBuildId: "other" },
      ]
    ) {
      put(change);
      assert.deepEqual(facts(), unrecorded, JSON.stringify(change));
    }
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    assert.deepEqual(facts(), unrecorded);
    Deno.removeSync(path);
    put({});
    Deno.removeSync(join(dataDirectory, "built-here.json"));
    assert.deepEqual(facts(), unrecorded);
  });
});
