import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { collectIndexGarbage } from "./collect_garbage.ts";
import { publishIndexPointer, readIndexPointer } from "./index_pointer.ts";
import { indexStatus } from "./index_status.ts";
import { openPublishedIndex } from "./published_index.ts";

const LONG = "Some words that fill a passage. ".repeat(10);
const LEVELS = ["public", "internal"] as const;
const fallback = (...args: Parameters<typeof openPublishedIndex>) => {
  const opened = openPublishedIndex(...args);
  if ("fallbackReason" in opened) return opened;
  opened.connection.close();
  return { fallbackReason: null, unrecorded: false };
};

Deno.test("a pointer that cannot be used is reported, collects nothing, and gives way to a build", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const path = scratch.state("active-index.json");
    const contents: (string | (() => void))[] = [
      '{"indexBuildId": "  "}',
      "[]",
      "{",
      "",
      "\xff",
      "null",
      '{"indexBuildId": 7}',
      () => new Deno.Command("mkfifo", { args: [path] }).outputSync(),
      () => Deno.symlinkSync("active.json", path),
    ];
    for (const content of contents) {
      if (scratch.stateFiles().includes("active-index.json")) Deno.removeSync(path);
      if (typeof content === "string") {
        Deno.writeFileSync(path, Uint8Array.from(content, (c) => c.charCodeAt(0)));
      } else content();
      const status = indexStatus(project, dataDirectory);
      assert.equal(status.indexPointerCorrupt, true);
      assert.equal(status.built, false);
      assert.equal(status.stale, true);
      assert.match(status.remedy, /active-index\.json/);
      assert.equal(
        fallback(project, dataDirectory, LEVELS, false).fallbackReason,
        "index-pointer-invalid",
      );
      for (const dryRun of [true, false]) {
        await assert.rejects(
          collectIndexGarbage(project, { dataDirectory, clock: { now: Date.now }, dryRun }),
          (error) => isFault(error, "index-pointer-corrupt") && error.exit === 1,
        );
      }
      await scratch.build();
      assert.equal(indexStatus(project, dataDirectory).stale, false);
    }
  });
});

Deno.test("a well-formed pointer of another implementation is no pointer", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const path = scratch.state("active-index.json");
    const { stamp, ...foreign } = JSON.parse(Deno.readTextFileSync(path));
    assert.equal(stamp, "theurian-deno");
    Deno.writeTextFileSync(path, JSON.stringify(foreign));
    assert.deepEqual(readIndexPointer(project.paths), { kind: "absent" });
    assert.equal(indexStatus(project, dataDirectory).built, false);
    assert.equal(fallback(project, dataDirectory, LEVELS, false).fallbackReason, "no-index");
    const options = { dataDirectory, clock: { now: Date.now }, dryRun: false };
    assert.equal((await collectIndexGarbage(project, options)).publishedIndexBuildId, null);
    await scratch.build();
    assert.equal(fallback(project, dataDirectory, LEVELS, false).fallbackReason, null);
  });
});

Deno.test("an id that leads elsewhere, or is too long, is never opened", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const path = scratch.state("active-index.json");
    const pointer = JSON.parse(Deno.readTextFileSync(path));
    for (const indexBuildId of ["../../../x", "x".repeat(240), "a\0b", "a\\b", "é".repeat(120)]) {
      Deno.writeTextFileSync(path, JSON.stringify({ ...pointer, indexBuildId }));
      const status = indexStatus(project, dataDirectory);
      assert.equal(status.indexSchemaVersion, 0);
      assert.equal(status.stale, true);
      assert.equal(status.built, true);
      assert.equal(
        fallback(project, dataDirectory, LEVELS, false).fallbackReason,
        "index-pointer-invalid",
      );
      await assert.rejects(
        collectIndexGarbage(project, { dataDirectory, clock: { now: Date.now }, dryRun: true }),
        (error) => isFault(error, "index-unusable") && error.exit === 1,
      );
    }
  });
});

Deno.test("a directory at the pointer, or a link at its temporary, stops publishing with 4", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const path = scratch.state("active-index.json");
    const refuses = () => assert.rejects(scratch.build(), (e) => isFault(e) && e.exit === 4);
    Deno.mkdirSync(path);
    await refuses();
    assert.equal(
      scratch.stateFiles().filter((name) => /^theurian-index-.*e$/.test(name)).length,
      1,
    );
    Deno.removeSync(path);
    const target = `${scratch.root}/precious`;
    Deno.writeTextFileSync(target, "keep");
    Deno.symlinkSync(target, `${path}.tmp`);
    await assert.rejects(scratch.build(), (error) => {
      assert.ok(isFault(error));
      assert.equal(error.exit, 4);
      assert.match(error.message, /active-index\.json\.tmp/);
      return true;
    });
    assert.equal(Deno.readTextFileSync(target), "keep");
    assert.equal(
      scratch.stateFiles().filter((name) => /^theurian-index-.*e$/.test(name)).length,
      2,
    );
    Deno.removeSync(`${path}.tmp`);
    await scratch.build();
  });
});

Deno.test("a link at the scan record's temporary stops a build before it begins", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const path = scratch.state("index-secret-scan.json");
    Deno.symlinkSync("/nowhere", `${path}.tmp`);
    await assert.rejects(
      scratch.build(),
      (e) => isFault(e, "path-escape", "file-link") && e.exit === 4,
    );
    assert.ok(!scratch.stateFiles().some((name) => name.startsWith("theurian-index-")));
    Deno.removeSync(`${path}.tmp`);
    Deno.mkdirSync(path);
    const { report, exit } = await scratch.build();
    assert.equal(exit, 0);
    assert.match(report.recordWarning!, /^[^/]*$/);
  });
});

Deno.test("links out of the tree end build, status and gc with 4", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const outside = `${dataDirectory}/elsewhere.json`;
    Deno.writeTextFileSync(outside, "{}");
    const options = { dataDirectory, clock: { now: Date.now }, dryRun: true };
    for (const path of [project.paths.config, scratch.state("active-index.json")]) {
      const saved = path === project.paths.config ? null : Deno.readFileSync(path);
      if (saved !== null) Deno.removeSync(path);
      Deno.symlinkSync(outside, path);
      const is4 = (error: unknown) => isFault(error, "path-escape") && error.exit === 4;
      await assert.rejects(scratch.build(), is4);
      assert.throws(() => indexStatus(project, dataDirectory), is4);
      await assert.rejects(collectIndexGarbage(project, options), is4);
      Deno.removeSync(path);
      if (saved !== null) Deno.writeFileSync(path, saved);
    }
    assert.equal(
      fallback(project, dataDirectory, LEVELS, false).fallbackReason,
      null,
    );
  });
});

Deno.test("openPublishedIndex() gives the first reason in the order of the contract", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    const reason = (levels: readonly ("public" | "internal")[] = LEVELS, unapproved = false) =>
      fallback(project, dataDirectory, levels, unapproved);
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    assert.equal(reason().fallbackReason, "no-index");
    const { report } = await scratch.build();
    assert.equal(reason().fallbackReason, null);
    const path = scratch.state("active-index.json");
    const pointer = JSON.parse(Deno.readTextFileSync(path));
    const point = (change: object) =>
      Deno.writeTextFileSync(path, JSON.stringify({ ...pointer, ...change }));

    point({ indexedSensitivities: ["internal", "public", "public"] });
    assert.equal(reason().fallbackReason, null);
    assert.equal(reason(LEVELS, true).fallbackReason, "unapproved-not-indexed");
    point({ indexesUnapproved: true });
    assert.equal(reason(LEVELS, true).fallbackReason, null);
    assert.equal(reason(["public"], true).fallbackReason, "serving-profile-mismatch");
    for (const indexedSensitivities of [undefined, [], "internal", ["public", "bogus"]]) {
      point({ indexedSensitivities });
      assert.deepEqual(reason(LEVELS, true), {
        fallbackReason: "serving-profile-mismatch",
        unrecorded: true,
      });
    }
    for (const projectId of [undefined, ""]) {
      point({ projectId, indexedSensitivities: [] });
      assert.deepEqual(reason(), { fallbackReason: "index-project-mismatch", unrecorded: true });
    }
    point({ projectId: "other" });
    assert.deepEqual(reason(), { fallbackReason: "index-project-mismatch", unrecorded: false });

    point({});
    const bytes = Deno.readFileSync(report.indexPath);
    for (const content of ["", "garbage ".repeat(1000)]) {
      Deno.writeTextFileSync(report.indexPath, content);
      assert.equal(reason().fallbackReason, "index-schema-mismatch");
      assert.equal(indexStatus(project, dataDirectory).indexSchemaVersion, 0);
    }
    Deno.writeFileSync(report.indexPath, bytes.subarray(0, 3000));
    assert.equal(reason().fallbackReason, "index-schema-mismatch");
    const copy = scratch.ulids();
    Deno.writeFileSync(scratch.state(`theurian-index-${copy}.sqlite`), bytes);
    point({ indexBuildId: copy });
    assert.equal(reason().fallbackReason, "index-unbuilt");
    Deno.writeTextFileSync(scratch.state(`theurian-index-${copy}.sqlite`), "garbage");
    assert.equal(reason().fallbackReason, "index-unbuilt");

    point({});
    Deno.removeSync(report.indexPath);
    assert.equal(reason().fallbackReason, "index-file-missing");
    new Deno.Command("mkfifo", { args: [report.indexPath] }).outputSync();
    assert.equal(reason().fallbackReason, "index-file-missing");
    for (const purgeFailed of [true, "false", 1, [0]]) {
      point({ purgeFailed });
      assert.equal(reason().fallbackReason, "index-purge-failed");
    }
    Deno.writeFileSync(path, new Uint8Array([0xff]));
    assert.equal(reason().fallbackReason, "index-pointer-invalid");
  });
});

Deno.test("publishIndexPointer() and readIndexPointer() agree", async () => {
  await inScratchProject(({ project }) => {
    Deno.mkdirSync(project.paths.state);
    const pointer = {
      indexBuildId: "01KB0RV0000000000000000000",
      stateHash: "0".repeat(64),
      projectId: "demo",
      indexesUnapproved: true,
      indexedSensitivities: ["public"],
      purgeFailed: true,
    } as const;
    publishIndexPointer(project.paths, pointer);
    assert.deepEqual(readIndexPointer(project.paths), { kind: "pointer", pointer });
  });
});
