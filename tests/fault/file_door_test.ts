import assert from "node:assert/strict";
import { isFault } from "../../src/platform/errors.ts";
import { appendToFile, copyFile, createFile, replaceFile } from "../../src/platform/files/mod.ts";
import { openForWriting } from "../../src/platform/sqlite/mod.ts";

const SCRIPT = new URL("../support/replace_until_killed.ts", import.meta.url).pathname;

async function inFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-fault-" }));
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

/** Runs one act to its end, or until it is killed at a step; the number of steps, or `null`. */
async function run(act: string, path: string, text: string, step: number): Promise<number | null> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", SCRIPT, act, path, text, String(step)],
  }).output();
  return code === 0 ? Number(new TextDecoder().decode(stdout)) : null;
}

for (const act of ["replace", "replace-fixed", "create"]) {
  Deno.test(`a kill at any step of ${act} leaves the whole old or the whole new file`, async () => {
    const old = act === "create" ? null : "old ".repeat(1000);
    const text = "new ".repeat(2000);
    await inFolder(async (folder) => {
      const path = `${folder}/file`;
      const prepare = () => {
        for (const name of names(folder)) Deno.removeSync(`${folder}/${name}`);
        if (old !== null) Deno.writeTextFileSync(path, old);
      };
      prepare();
      const steps = await run(act, path, text, 0);
      assert.ok(steps !== null && steps >= 5);
      const seen = new Set<string | null>();
      for (let step = 1; step <= steps; step++) {
        prepare();
        assert.equal(await run(act, path, text, step), null, `step ${step} must be the last`);
        const there = names(folder).includes("file") ? Deno.readTextFileSync(path) : null;
        assert.ok(there === old || there === text, `step ${step} left a part`);
        seen.add(there);
        const beside = names(folder).filter((name) => name !== "file");
        assert.ok(beside.every((name) => /^\.theurian-[0-9a-f]{16}\.tmp$|^file\.tmp$/.test(name)));
        assert.notEqual(
          await run("replace-fixed", path, text, 0),
          null,
          "a next run must get through",
        );
        assert.equal(Deno.readTextFileSync(path), text);
      }
      assert.deepEqual(seen, new Set([old, text]), "both outcomes must have been met");
    });
  });
}

Deno.test("a kill while appending leaves what was there before", async () => {
  await inFolder(async (folder) => {
    const path = `${folder}/log`;
    for (let step = 1; step <= 3; step++) {
      Deno.writeTextFileSync(path, "old\n");
      assert.equal(await run("append", path, "new\n", step), null);
      assert.match(Deno.readTextFileSync(path), /^old\n/);
    }
  });
});

/** A file system of 256 KiB; `null` where this user may not mount one. */
function smallDisk(folder: string): string | null {
  const disk = `${folder}/disk`;
  Deno.mkdirSync(disk);
  const args = ["-t", "tmpfs", "-o", "size=256k", "tmpfs", disk];
  try {
    return new Deno.Command("mount", { args }).outputSync().code === 0 ? disk : null;
  } catch {
    return null;
  }
}

/** The system counts what was freed by processor, and may call so small a disk full for a moment. */
async function onceThereIsRoom(work: () => void): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

Deno.test("a full disk is told as such, keeps the old files and leaves nothing beside them", async (test) => {
  await inFolder(async (folder) => {
    const disk = smallDisk(folder);
    if (disk === null) {
      await test.step({ name: "no small disk can be mounted here", ignore: true, fn: () => {} });
      return;
    }
    try {
      const large = new Uint8Array(400_000);
      const options = { mode: 0o644 };
      const isFull = (error: unknown) =>
        isFault(error, "file-not-writable") && /the disk is full/.test(error.message) &&
        /Free disk space/.test(error.remedy);
      Deno.writeTextFileSync(`${disk}/file`, "old");
      Deno.writeFileSync(`${folder}/large`, large);
      assert.throws(() => replaceFile(`${disk}/file`, large, options), isFull);
      assert.throws(() => createFile(`${disk}/other`, large, options), isFull);
      assert.throws(() => copyFile(`${folder}/large`, `${disk}/copy`, options), isFull);
      assert.deepEqual(names(disk), ["file"]);
      assert.equal(Deno.readTextFileSync(`${disk}/file`), "old");
      using database = openForWriting(`${disk}/x.sqlite`, { create: true, journal: "delete" });
      await onceThereIsRoom(() => database.exec("CREATE TABLE t(a)"));
      assert.throws(
        () => database.transaction(() => database.run("INSERT INTO t VALUES (?)", large)),
        (error) =>
          isFault(error, "database-not-writable") && /the disk is full/.test(error.message),
      );
      assert.equal(database.all("SELECT * FROM t").length, 0);
      assert.throws(() => appendToFile(`${disk}/file`, large, options), isFull);
    } finally {
      new Deno.Command("umount", { args: ["-l", disk] }).outputSync();
    }
  });
});
