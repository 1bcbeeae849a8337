import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { setWritePointHook } from "../platform/files/_write_points.ts";
import { builtHere } from "../projects/mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { collectIndexGarbage, type GarbageReport } from "./collect_garbage.ts";
import { indexStatus } from "./index_status.ts";

const LONG = "Some words that fill a passage. ".repeat(10);
const file = (id: string) => `theurian-index-${id}.sqlite`;

function collect(scratch: ScratchProject, dryRun = false): Promise<GarbageReport> {
  const { project, dataDirectory } = scratch;
  return collectIndexGarbage(project, { dataDirectory, clock: { now: Date.now }, dryRun });
}

/** Builds of growing states, so that none holds withdrawn text. Returns their ids, oldest first. */
async function grow(scratch: ScratchProject, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    scratch.add({ [`a.n${n}`]: { body: LONG } });
    await scratch.apply();
    ids.push((await scratch.build()).report.indexBuildId);
  }
  return ids;
}

const builds = (scratch: ScratchProject) =>
  scratch.stateFiles().filter((name) => name.startsWith("theurian-index-"));

Deno.test("collectIndexGarbage() removes nothing without a pointer", async () => {
  await inScratchProject(async (scratch) => {
    const [id] = await grow(scratch, 1);
    Deno.removeSync(scratch.state("active-index.json"));
    Deno.writeTextFileSync(scratch.state(file("0")), "old");
    assert.deepEqual(await collect(scratch), {
      publishedIndexBuildId: null,
      reclaimed: [],
      bytesReclaimed: 0,
      strandedBuilding: [],
      dryRun: false,
    });
    assert.deepEqual(builds(scratch), [file("0"), file(id!)]);
  });
});

Deno.test("a publish and collectIndexGarbage() keep three builds and forget the rest", async () => {
  await inScratchProject(async (scratch) => {
    const ids = await grow(scratch, 5);
    assert.deepEqual(builds(scratch), ids.slice(2).map(file));
    const { project, dataDirectory } = scratch;
    assert.deepEqual(builtHere(dataDirectory, project.root, "index"), ids.slice(2));
    const report = await collect(scratch);
    assert.deepEqual(report.reclaimed, []);
    assert.equal(report.publishedIndexBuildId, ids[4]);
    assert.deepEqual(builds(scratch), ids.slice(2).map(file));
  });
});

Deno.test("collectIndexGarbage() removes builds that are not ours, side files too, and counts bytes", async () => {
  await inScratchProject(async (scratch) => {
    const [id] = await grow(scratch, 1);
    Deno.writeTextFileSync(scratch.state(file("00")), "12345");
    Deno.writeTextFileSync(scratch.state(`${file("00")}-wal`), "123");
    Deno.writeTextFileSync(scratch.state(file("zz")), "newer: about to be published");
    Deno.writeTextFileSync(scratch.state("theurian-index-.sqlite"), "no id");
    const expected = {
      publishedIndexBuildId: id,
      reclaimed: [file("00"), `${file("00")}-wal`],
      bytesReclaimed: 8,
      strandedBuilding: [],
      dryRun: true,
    };
    assert.deepEqual(await collect(scratch, true), expected);
    assert.ok(builds(scratch).includes(file("00")));
    assert.deepEqual(await collect(scratch), { ...expected, dryRun: false });
    assert.deepEqual(builds(scratch), ["theurian-index-.sqlite", file(id!), file("zz")].sort());
  });
});

Deno.test("collectIndexGarbage() keeps no old build that holds withdrawn text, or that it cannot judge", async () => {
  await inScratchProject(async (scratch) => {
    const ids = await grow(scratch, 3);
    scratch.add({ "a.n0": { body: `other ${LONG}` } });
    await scratch.applyWithoutPurge();
    const report = await collect(scratch);
    assert.deepEqual(report.reclaimed, ids.map(file));
    assert.deepEqual(builds(scratch), [file(report.publishedIndexBuildId!)]);
  });
  await inScratchProject(async (scratch) => {
    const ids = await grow(scratch, 2);
    const [state] = scratch.stateFiles().filter((name) => name.startsWith("theurian-state-"));
    for (const name of scratch.stateFiles().filter((n) => n.startsWith("theurian-state-"))) {
      Deno.writeTextFileSync(scratch.state(name), "damaged");
    }
    assert.ok(state);
    assert.equal(indexStatus(scratch.project, scratch.dataDirectory).built, true);
    assert.deepEqual((await collect(scratch)).reclaimed, [file(ids[0]!)]);
  });
});

Deno.test("collectIndexGarbage() lists an unfinished build, and removes it a day later", async () => {
  await inScratchProject(async (scratch) => {
    await grow(scratch, 1);
    const name = `${file("01KB0RV0000000000000000000")}.building`;
    Deno.writeTextFileSync(scratch.state(name), "half");
    const hour = 60 * 60 * 1000;
    const age = (hours: number) => {
      const then = new Date(Date.now() - hours * hour);
      Deno.utimeSync(scratch.state(name), then, then);
    };
    for (const hours of [0, 23.5]) {
      age(hours);
      const young = await collect(scratch);
      assert.deepEqual([young.strandedBuilding, young.reclaimed], [[name], []]);
    }
    age(24.5);
    const old = await collect(scratch);
    assert.deepEqual(old.strandedBuilding, []);
    assert.deepEqual(old.reclaimed, [name]);
    assert.ok(!scratch.stateFiles().includes(name));
  });
});

Deno.test("collectIndexGarbage() refuses a pointer to a missing build, also when it only looks", async () => {
  await inScratchProject(async (scratch) => {
    const [id] = await grow(scratch, 1);
    Deno.removeSync(scratch.state(file(id!)));
    Deno.writeTextFileSync(scratch.state(file("00")), "old");
    for (const dryRun of [true, false]) {
      await assert.rejects(
        collect(scratch, dryRun),
        (error) => isFault(error, "index-unusable") && error.exit === 1,
      );
    }
    assert.ok(builds(scratch).includes(file("00")));
  });
});

Deno.test("a build about to be published survives collectIndexGarbage() after a crash", async () => {
  await inScratchProject(async (scratch) => {
    const [id] = await grow(scratch, 1);
    const pointer = Deno.readFileSync(scratch.state("active-index.json"));
    const { report } = await scratch.build();
    Deno.writeFileSync(scratch.state("active-index.json"), pointer);
    assert.deepEqual((await collect(scratch)).reclaimed, []);
    assert.deepEqual(builds(scratch), [file(id!), file(report.indexBuildId)]);
  });
});

Deno.test("collectIndexGarbage() names the file that the system would not remove, exit 1", async () => {
  await inScratchProject(async (scratch) => {
    await grow(scratch, 1);
    Deno.writeTextFileSync(scratch.state(file("00")), "old");
    setWritePointHook((step) => {
      if (step === "remove") throw Object.assign(new Error("no"), { code: "EACCES" });
    });
    try {
      await assert.rejects(collect(scratch), (error) => {
        assert.ok(isFault(error, "file-not-writable"));
        assert.equal(error.exit, 1);
        assert.match(error.message, /theurian-index-00/);
        return true;
      });
    } finally {
      setWritePointHook(null);
    }
  });
});

Deno.test("collectIndexGarbage() takes old states as well", async () => {
  await inScratchProject(async (scratch) => {
    await grow(scratch, 1);
    const states = () => scratch.stateFiles().filter((name) => name.startsWith("theurian-state-"));
    for (let n = 0; n < 7; n++) {
      scratch.add({ [`b.n${n}`]: { body: LONG } });
      await scratch.applyWithoutPurge();
    }
    await collect(scratch);
    assert.equal(states().length, 5);
  });
});
