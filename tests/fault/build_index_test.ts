/**
 * A build or a purge that fails or is killed at any step of its writing leaves an index that serves,
 * and the next build succeeds (index-build.md section 11).
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  collectIndexGarbage,
  indexStatus,
  openPublishedIndex,
  readIndexPointer,
} from "../../src/index/mod.ts";
import { isFault } from "../../src/platform/errors.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { fileHolds } from "../support/index_content.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";

const LONG = "Some words that fill a passage. ".repeat(10);
const FLAVOUR = { raptor: true };

/** A project with a published index and an applied change that is not indexed yet. */
async function prepare(scratch: ScratchProject): Promise<string> {
  scratch.now = Date.now() - 60_000;
  scratch.add(
    Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`a.n${n}`, { body: `quokka${n} ${LONG}` }]),
    ),
  );
  await scratch.apply();
  const { report } = await scratch.build(FLAVOUR);
  scratch.add({ "a.new": { body: `numbat ${LONG}` } });
  await scratch.apply();
  return report.indexBuildId;
}

/** Opens what is published, reads it, and returns its id. */
function servedId(scratch: ScratchProject): string {
  const { project, dataDirectory } = scratch;
  const opened = openPublishedIndex(project, dataDirectory, ["public", "internal"], false);
  assert.ok("connection" in opened, JSON.stringify(opened));
  using connection = opened.connection;
  assert.ok(connection.all("SELECT * FROM documents JOIN chunks").length > 0);
  const [check] = connection.all<{ integrity_check: string }>("PRAGMA integrity_check");
  assert.equal(check!.integrity_check, "ok");
  return opened.metadata.buildId;
}

const leftovers = (scratch: ScratchProject) =>
  scratch.stateFiles().filter((name) => /\.building|\.tmp$|-journal|-wal/.test(name));

Deno.test("a build that meets a full disk at any step leaves an index that serves", async () => {
  let steps = 0;
  for (let failing = 1; failing <= 200; failing++) {
    let met = false;
    await inScratchProject(async (scratch) => {
      const before = await prepare(scratch);
      let count = 0;
      setWritePointHook((step) => {
        if (step === "remove" || ++count !== failing) return;
        met = true;
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      });
      let published = false;
      try {
        const { report } = await scratch.build(FLAVOUR);
        published = true;
        if (report.provenanceWarning === undefined) {
          assert.equal(servedId(scratch), report.indexBuildId, `step ${failing}`);
        }
      } catch (error) {
        assert.ok(isFault(error), String(error));
        assert.ok(met);
        assert.ok(error.exit === 1 || error.exit === 4);
      } finally {
        setWritePointHook(null);
      }
      assert.deepEqual(leftovers(scratch), [], `step ${failing}`);
      if (!published) assert.equal(servedId(scratch), before, `step ${failing}`);
      await scratch.build(FLAVOUR);
      assert.equal(indexStatus(scratch.project, scratch.dataDirectory).stale, false);
    });
    if (!met) break;
    steps++;
  }
  assert.ok(steps >= 12, `only ${steps} steps`);
});

const CHILD = fileURLToPath(new URL("../support/index_until_killed.ts", import.meta.url));

function runUntilKilled(
  scratch: ScratchProject,
  what: "build" | "purge" | "apply",
  step: number,
): number {
  const { code, stderr } = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "-A",
      CHILD,
      what,
      scratch.root,
      scratch.dataDirectory,
      String(step),
    ],
  }).outputSync();
  assert.ok(code === 0 || code === 9, new TextDecoder().decode(stderr));
  return code;
}

Deno.test("a build that is killed at any step leaves an index that serves, and gc finds its way", async () => {
  let killed = 0;
  for (let step = 1; step <= 200; step++) {
    let code = 9;
    await inScratchProject(async (scratch) => {
      const { project, dataDirectory } = scratch;
      const before = await prepare(scratch);
      code = runUntilKilled(scratch, "build", step);
      const after = servedId(scratch);
      assert.ok(after === before || code === 0 || after > before);
      const building = leftovers(scratch).filter((name) => name.endsWith(".building"));
      const options = { dataDirectory, clock: { now: Date.now }, dryRun: false };
      const { strandedBuilding } = await collectIndexGarbage(project, options);
      assert.deepEqual(strandedBuilding, building);
      assert.equal(servedId(scratch), after);
      scratch.now = Date.now();
      await scratch.build(FLAVOUR);
      assert.equal(indexStatus(project, dataDirectory).stale, false);
      assert.ok(servedId(scratch) >= after);
    });
    if (code === 0) break;
    killed++;
  }
  assert.ok(killed >= 12, `only ${killed} steps`);
});

Deno.test("a purge that is killed at any step never makes an index of its own that lacks more or less", async () => {
  let killed = 0;
  for (let step = 1; step <= 200; step++) {
    let code = 9;
    await inScratchProject(async (scratch) => {
      const { project, dataDirectory } = scratch;
      await prepare(scratch);
      const { report } = await scratch.build(FLAVOUR);
      scratch.migrate({ op: "deprecateItem", itemId: "a.n3", reason: "gone" });
      code = runUntilKilled(scratch, "purge", step);
      const after = servedId(scratch);
      const path = scratch.state(`theurian-index-${after}.sqlite`);
      assert.equal(fileHolds(path, "quokka3"), after === report.indexBuildId);
      assert.ok(fileHolds(path, "quokka4"));
      scratch.now = Date.now();
      const next = (await scratch.build(FLAVOUR)).report;
      assert.ok(!fileHolds(next.indexPath, "quokka3"));
      await collectIndexGarbage(project, {
        dataDirectory,
        clock: { now: () => Date.now() + 2 * 24 * 60 * 60 * 1000 },
        dryRun: false,
      });
      for (const name of scratch.stateFiles().filter((file) => file.startsWith("theurian-index"))) {
        assert.ok(!fileHolds(scratch.state(name), "quokka3"), name);
      }
    });
    if (code === 0) break;
    killed++;
  }
  assert.ok(killed >= 12, `only ${killed} steps`);
});

/** Names of finished builds that hold a word. */
function buildsHolding(scratch: ScratchProject, word: string): string[] {
  return scratch.stateFiles().filter((name) =>
    /^theurian-index-.*\.sqlite$/.test(name) && fileHolds(scratch.state(name), word)
  );
}

const ENDINGS = {
  apply: (scratch: ScratchProject) => scratch.apply(),
  build: async (scratch: ScratchProject) => {
    await scratch.apply();
    await scratch.build(FLAVOUR);
  },
  gc: async (scratch: ScratchProject) => {
    await scratch.applyWithoutPurge();
    const { project, dataDirectory } = scratch;
    await collectIndexGarbage(project, { dataDirectory, clock: { now: Date.now }, dryRun: false });
  },
} as const;

Deno.test("an apply that is killed at any step withdraws in the end, by whatever command comes next", async () => {
  let killed = 0;
  for (let step = 1; step <= 300; step++) {
    let code = 9;
    const names = Object.keys(ENDINGS) as (keyof typeof ENDINGS)[];
    const ending = names[step % names.length]!;
    await inScratchProject(async (scratch) => {
      await prepare(scratch);
      await scratch.build(FLAVOUR);
      scratch.migrate({ op: "deprecateItem", itemId: "a.n3", reason: "gone" });
      scratch.migrate(...scratch.revise("a.n5", { body: `wombat ${LONG}` }));
      code = runUntilKilled(scratch, "apply", step);
      servedId(scratch);
      scratch.now = Date.now();
      await ENDINGS[ending](scratch);
      for (const word of ["quokka3", "quokka5"]) {
        assert.deepEqual(buildsHolding(scratch, word), [], `${word}, ${ending} after step ${step}`);
      }
      assert.ok(buildsHolding(scratch, "quokka4").length > 0);
      servedId(scratch);
    });
    if (code === 0) break;
    killed++;
  }
  assert.ok(killed >= 30, `only ${killed} steps`);
});

Deno.test("an apply with nothing to apply purges what the last one did not come to, and only that", async () => {
  await inScratchProject(async (scratch) => {
    await prepare(scratch);
    const { report } = await scratch.build(FLAVOUR);
    scratch.migrate({ op: "deprecateItem", itemId: "a.n3", reason: "gone" });
    await scratch.applyWithoutPurge();
    assert.ok(buildsHolding(scratch, "quokka3").length > 0);
    const { indexPurge, applied } = await scratch.apply();
    assert.deepEqual(applied, []);
    assert.equal(indexPurge.published, true);
    assert.notEqual(indexPurge.indexBuildId, report.indexBuildId);
    assert.deepEqual(buildsHolding(scratch, "quokka3"), []);
    const again = (await scratch.apply()).indexPurge;
    assert.deepEqual([again.published, again.reason], [false, "no-withdrawal"]);
    assert.equal(servedId(scratch), indexPurge.indexBuildId);
  });
});

Deno.test("gc tells of the build that it purged as of one that it reclaimed", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    await prepare(scratch);
    const { report } = await scratch.build(FLAVOUR);
    scratch.migrate({ op: "deprecateItem", itemId: "a.n3", reason: "gone" });
    await scratch.applyWithoutPurge();
    const collect = (dryRun: boolean) =>
      collectIndexGarbage(project, { dataDirectory, clock: { now: Date.now }, dryRun });
    assert.equal((await collect(true)).publishedIndexBuildId, report.indexBuildId);
    const garbage = await collect(false);
    assert.equal(garbage.publishedIndexBuildId, servedId(scratch));
    assert.ok(garbage.reclaimed.includes(`theurian-index-${report.indexBuildId}.sqlite`));
    assert.deepEqual(buildsHolding(scratch, "quokka3"), []);
    assert.deepEqual((await collect(false)).reclaimed, []);
  });
});

Deno.test("two equal builds at once end in one index and one refusal", async () => {
  await inScratchProject(async (scratch) => {
    await prepare(scratch);
    const results = await Promise.allSettled([scratch.build(FLAVOUR), scratch.build(FLAVOUR)]);
    const done = results.filter((result) => result.status === "fulfilled");
    const refused = results.filter((result) => result.status === "rejected");
    assert.equal(done.length, 1);
    const [error] = refused.map((result) => result.reason);
    assert.ok(isFault(error, "build-failed") && error.exit === 1, String(error));
    assert.deepEqual(leftovers(scratch), []);
    assert.equal(servedId(scratch), done[0]!.value.report.indexBuildId);
  });
});

Deno.test("two builds of different flavours at once are both published, the later one last", async () => {
  await inScratchProject(async (scratch) => {
    await prepare(scratch);
    const both = await Promise.all([scratch.build(FLAVOUR), scratch.build({ raptor: false })]);
    const ids = both.map(({ report }) => report.indexBuildId);
    assert.equal(new Set(ids).size, 2);
    const reading = readIndexPointer(scratch.project.paths);
    assert.ok(reading.kind === "pointer");
    assert.equal(reading.pointer.indexBuildId, ids.toSorted().at(-1));
  });
});

Deno.test("a build is not published over a state that was applied while it ran", async () => {
  await inScratchProject(async (scratch) => {
    await prepare(scratch);
    scratch.migrate({ op: "deprecateItem", itemId: "a.n3", reason: "gone" });
    let applied: Promise<unknown> | null = null;
    const building = scratch.build({
      ...FLAVOUR,
      step: (what) => {
        if (what === "Waiting for the write lock") applied ??= scratch.apply();
      },
    });
    await assert.rejects(building, (error) => isFault(error, "build-failed") && error.exit === 1);
    await applied;
    assert.ok(!fileHolds(scratch.state(`theurian-index-${servedId(scratch)}.sqlite`), "quokka3"));
    await scratch.build(FLAVOUR);
  });
});

Deno.test("a build whose provenance cannot be written is published with a warning", async () => {
  await inScratchProject(async (scratch) => {
    const { project, dataDirectory } = scratch;
    await prepare(scratch);
    const path = `${dataDirectory}/built-here.json`;
    setWritePointHook((step, target) => {
      if (step === "rename" && target === path) {
        throw Object.assign(new Error("x"), { code: "EROFS" });
      }
    });
    try {
      const { report, exit } = await scratch.build(FLAVOUR);
      assert.equal(exit, 0);
      assert.match(report.provenanceWarning!, /^[^/]+$/);
    } finally {
      setWritePointHook(null);
    }
    assert.deepEqual(openPublishedIndex(project, dataDirectory, ["public", "internal"], false), {
      fallbackReason: "index-unbuilt",
      unrecorded: false,
    });
  });
});
