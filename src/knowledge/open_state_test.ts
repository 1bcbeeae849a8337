import assert from "node:assert/strict";
import { isFault, type TheurianError } from "../platform/errors.ts";
import { openForWriting } from "../platform/sqlite/mod.ts";
import { forgetBuiltHere } from "../projects/mod.ts";
import { KnowledgeProject, migrationId } from "../../tests/support/knowledge_project.ts";
import { applyMigrations } from "./apply_migrations.ts";
import { readActivePointer } from "./active_pointer.ts";
import { migrationStatus } from "./migration_status.ts";
import { openActiveState } from "./open_state.ts";
import { stateFilename } from "./state_files.ts";
import { validateMigrations } from "./validate_migrations.ts";

const POINTER = ".theurian/state/active.json";

const fault = (name: string, exit: number) => (error: unknown) => {
  assert.ok(isFault(error), String(error));
  assert.equal(error.fault, name, error.message);
  assert.equal(error.exit, exit);
  assert.ok(error.remedy.length > 0);
  return true;
};

/** A project with one applied migration. */
async function applied(): Promise<{ at: KnowledgeProject; file: string; stateHash: string }> {
  const at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const { stateHash } = await at.apply();
  return { at, file: at.path(`.theurian/state/${stateFilename(stateHash)}`), stateHash };
}

const open = (at: KnowledgeProject) => {
  openActiveState(at.project, at.dataDirectory).reader[Symbol.dispose]();
};

function rewritePointer(at: KnowledgeProject, change: Record<string, unknown>): void {
  at.write(POINTER, JSON.stringify({ ...JSON.parse(at.read(POINTER)), ...change }));
}

Deno.test("openActiveState() refuses a project that was never applied", () => {
  using at = new KnowledgeProject();
  assert.throws(() => open(at), fault("state-unbuilt", 1));
});

Deno.test("openActiveState() refuses a missing file, a file of another shape and garbage", async () => {
  const { at, file } = await applied();
  using _ = at;
  const bytes = Deno.readFileSync(file);
  Deno.removeSync(file);
  assert.throws(() => open(at), fault("state-unbuilt", 1));
  new Deno.Command("mkfifo", { args: [file] }).outputSync();
  assert.throws(() => open(at), fault("state-unreadable", 4));
  Deno.removeSync(file);
  Deno.mkdirSync(file);
  assert.throws(() => open(at), fault("state-unreadable", 4));
  Deno.removeSync(file);
  Deno.writeTextFileSync(file, "garbage ".repeat(1000));
  assert.throws(() => open(at), fault("state-unreadable", 4));
  Deno.writeFileSync(file, bytes);
  open(at);
});

Deno.test("a state that this installation did not record is refused and then built again", async () => {
  const { at, stateHash } = await applied();
  using _ = at;
  await forgetBuiltHere(at.dataDirectory, at.root, "state", [stateHash]);
  assert.throws(() => open(at), fault("state-untrusted", 1));
  assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false);
  assert.equal((await at.apply()).databaseCreated, true);
  open(at);
});

Deno.test("a state without its data directory is refused", async () => {
  const { at } = await applied();
  using _ = at;
  Deno.removeSync(at.dataDirectory, { recursive: true });
  assert.throws(() => open(at), fault("state-untrusted", 1));
});

Deno.test("a doctored file under a recorded hash is refused: its seal is not ours", async () => {
  const { at, file, stateHash } = await applied();
  using _ = at;
  using foreign = new KnowledgeProject();
  foreign.migration(1, [foreign.upsert("a", 1)]);
  await foreign.apply();
  const theirs = foreign.path(`.theurian/state/${stateFilename(stateHash)}`);
  Deno.copyFileSync(theirs, file);
  assert.throws(() => open(at), fault("state-untrusted", 1));
  assert.equal((await at.apply()).databaseCreated, true);
  open(at);
});

Deno.test("a side file that could change what SQLite reads is never read", async () => {
  const { at, file } = await applied();
  using _ = at;
  for (const suffix of ["-wal", "-journal"]) {
    Deno.writeTextFileSync(file + suffix, "planted");
    assert.throws(() => open(at), fault("state-untrusted", 1));
    assert.equal((await at.apply()).databaseCreated, true);
    assert.equal(at.stateFiles().some((name) => name.endsWith(suffix)), false);
    open(at);
  }
});

Deno.test("a file of other tables, another schema or another layout counts as not built", async () => {
  const { at, file, stateHash } = await applied();
  using _ = at;
  const changes = [
    "PRAGMA application_id = 0",
    "PRAGMA user_version = 9",
    "UPDATE meta SET schema_version = 3",
    "UPDATE meta SET stamp = 'other'",
    "UPDATE meta SET engine_version = 2",
  ];
  for (const sql of changes) {
    {
      using connection = openForWriting(file, { create: false, journal: "delete" });
      connection.exec(sql);
    }
    assert.throws(() => open(at), fault("state-untrusted", 1), sql);
    assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false);
    const report = await at.apply();
    assert.deepEqual([report.databaseCreated, report.stateHash], [true, stateHash], sql);
  }
});

Deno.test("readActivePointer() refuses a malformed pointer with exit 1", async () => {
  const { at } = await applied();
  using _ = at;
  const good = at.read(POINTER);
  const malformed = [
    "",
    "{",
    "[]",
    "null",
    `{"stateHash": 5}`,
    good.replace(/"stateHash": "[0-9a-f]/, `"stateHash": "G`),
    good.replace(/"migrationCount": 1/, `"migrationCount": -1`),
    good.replace(/"migrationCount": 1/, `"migrationCount": 1.5`),
    good.replace(/"migrationCount": 1/, `"migrationCount": "1"`),
    good.replace(`"databaseFilename"`, `"other"`),
    good.replace(`"updatedAt"`, `"other"`),
  ];
  for (const text of malformed) {
    at.write(POINTER, text);
    assert.throws(
      () => readActivePointer(at.project.paths),
      fault("state-pointer-corrupt", 1),
      text,
    );
    await assert.rejects(at.apply(), fault("state-pointer-corrupt", 1), text);
  }
  at.write(POINTER, new Uint8Array([0xff, 0xfe]));
  assert.throws(() => readActivePointer(at.project.paths), fault("state-pointer-corrupt", 1));
});

Deno.test("readActivePointer() refuses a pipe, a link and a directory at once", async () => {
  const { at } = await applied();
  using _ = at;
  const path = at.path(POINTER);
  const refusesIt = () => {
    const refused = fault("state-pointer-corrupt", 1);
    assert.throws(
      () => readActivePointer(at.project.paths),
      (error) => refused(error) && /Delete .*active\.json/.test((error as TheurianError).remedy),
    );
  };
  Deno.removeSync(path);
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
  refusesIt();
  Deno.removeSync(path);
  Deno.symlinkSync("elsewhere.json", path);
  refusesIt();
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  refusesIt();
});

Deno.test("a pointer of another implementation is absent, and replaced by the next apply", async () => {
  const { at } = await applied();
  using _ = at;
  const { stamp: _stamp, ...rest } = JSON.parse(at.read(POINTER));
  for (const pointer of [rest, { ...rest, stamp: "other" }]) {
    at.write(POINTER, JSON.stringify(pointer));
    assert.equal(readActivePointer(at.project.paths), null);
    assert.throws(() => open(at), fault("state-unbuilt", 1));
    const report = await at.apply();
    assert.equal(report.databaseCreated, false);
    open(at);
  }
});

Deno.test("a pointer that leads out of its directory is an escape, also to a file that exists", async () => {
  const { at, file } = await applied();
  using _ = at;
  Deno.copyFileSync(file, at.path("x.sqlite"));
  at.migration(2, [at.upsert("b", 2)]);
  for (
    const name of ["../../x.sqlite", "../state/x", "/etc/passwd", "", ".", "..", "a/b", "a\\b"]
  ) {
    rewritePointer(at, { databaseFilename: name });
    assert.throws(() => open(at), fault("path-escape", 4), name);
    await assert.rejects(at.apply(), fault("path-escape", 4), name);
    assert.throws(
      () => migrationStatus(at.project, at.dataDirectory),
      fault("path-escape", 4),
      name,
    );
  }
});

Deno.test("an unreadable history is never taken for a clean one", async () => {
  const { at, file } = await applied();
  using _ = at;
  at.migration(2, [at.upsert("b", 2)]);
  Deno.writeTextFileSync(file, "garbage ".repeat(1000));
  await assert.rejects(at.apply(), fault("state-unreadable", 4));
  assert.throws(
    () => validateMigrations(at.project, at.dataDirectory),
    fault("state-unreadable", 4),
  );
  assert.throws(
    () => migrationStatus(at.project, at.dataDirectory),
    fault("state-unreadable", 4),
  );
  Deno.removeSync(file);
  assert.deepEqual((await at.apply()).applied, [migrationId(1), migrationId(2)]);
});

Deno.test("a link at a write target is refused and what it leads to stays as it is", async () => {
  for (const name of ["state/active.json.tmp", "runtime/write.lock"]) {
    for (const target of ["../../victim", "../../not-there"]) {
      using at = new KnowledgeProject();
      at.migration(1, [at.upsert("a", 1)]);
      at.write("victim", "mine");
      const path = at.path(`.theurian/${name}`);
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      Deno.symlinkSync(target, path);
      await assert.rejects(at.apply(), (error) => {
        assert.ok(isFault(error), String(error));
        assert.equal(error.exit, 4, `${name}: ${error.message}`);
        return true;
      });
      assert.equal(at.read("victim"), "mine");
      assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false, name);
      assert.deepEqual(at.stateFiles().filter((file) => file.endsWith(".sqlite")), []);
    }
  }
});

Deno.test("a link, pipe or directory where the state belongs is refused by its shape", async () => {
  for (const plant of ["link", "pipe", "directory"]) {
    const { at, file } = await applied();
    using _ = at;
    const name = file.slice(file.lastIndexOf("/") + 1);
    Deno.removeSync(at.dataDirectory, { recursive: true });
    Deno.removeSync(file);
    if (plant === "link") Deno.symlinkSync("../../victim", file);
    else if (plant === "pipe") new Deno.Command("mkfifo", { args: [file] }).outputSync();
    else Deno.mkdirSync(file);
    await assert.rejects(at.apply(), fault("state-unreadable", 4), plant);
    assert.ok(at.stateFiles().includes(name));
  }
});

Deno.test("a state directory that leads out of the project is an escape", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const { project } = at;
  Deno.mkdirSync(`${at.folder}/outside`);
  Deno.symlinkSync("../../outside", at.path(".theurian/state"));
  assert.throws(() => at.project, fault("path-escape", 4));
  await assert.rejects(applyMigrations(project, at.options()), fault("path-escape", 4));
  assert.deepEqual([...Deno.readDirSync(`${at.folder}/outside`)], []);
});
