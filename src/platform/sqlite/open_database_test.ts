import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type FaultCode, isFault } from "../errors.ts";
import { blobText } from "./blob_text.ts";
import {
  hasFullTextSearch,
  openForReading,
  openForWriting,
  openInMemory,
  removeDatabase,
} from "./open_database.ts";

function inFolder(work: (folder: string) => void): () => void {
  return () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-sqlite-" }));
    try {
      work(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();

function makeDatabase(path: string): void {
  using connection = openForWriting(path, { create: true, journal: "delete" });
  connection.exec("CREATE TABLE t(a TEXT PRIMARY KEY); INSERT INTO t VALUES ('secret-cell')");
}

function fails(fault: FaultCode, work: () => unknown): void {
  assert.throws(work, (error) => {
    assert.ok(isFault(error, fault), `${(error as Error).message} is not ${fault}`);
    assert.doesNotMatch(error.message + error.remedy, /secret-cell|SELECT|INSERT/i);
    return true;
  });
}

Deno.test(
  "openForReading() never creates a file",
  inFolder((folder) => {
    fails("database-missing", () => openForReading(`${folder}/none.sqlite`));
    assert.deepEqual(names(folder), []);
  }),
);

Deno.test(
  "openForReading() and openForWriting() take ?, # and % in a path as they are",
  inFolder((folder) => {
    for (const name of ["a?mode=memory", "b#c", "d%20e", "file:x?immutable=1"]) {
      Deno.mkdirSync(`${folder}/${name}`);
      const path = `${folder}/${name}/x?y#z%41.sqlite`;
      makeDatabase(path);
      using connection = openForReading(path);
      assert.deepEqual(connection.get<{ a: string }>("SELECT a FROM t")?.a, "secret-cell");
      assert.deepEqual(names(`${folder}/${name}`), ["x?y#z%41.sqlite"]);
    }
    assert.equal(names(folder).length, 4);
  }),
);

Deno.test(
  "openForReading() and openForWriting() refuse links, directories and pipes before opening",
  inFolder((folder) => {
    makeDatabase(`${folder}/real.sqlite`);
    Deno.symlinkSync(`${folder}/real.sqlite`, `${folder}/link`);
    Deno.symlinkSync(`${folder}/elsewhere`, `${folder}/dangling`);
    Deno.mkdirSync(`${folder}/directory`);
    new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
    for (const name of ["link", "dangling", "directory", "pipe"]) {
      fails("database-irregular", () => openForReading(`${folder}/${name}`));
      fails(
        "database-irregular",
        () => openForWriting(`${folder}/${name}`, { create: true, journal: "wal" }),
      );
    }
    assert.deepEqual(names(folder), ["dangling", "directory", "link", "pipe", "real.sqlite"]);
  }),
);

Deno.test(
  "openForReading() takes no file with a journal beside it, whatever that is",
  inFolder((folder) => {
    const path = `${folder}/real.sqlite`;
    makeDatabase(path);
    plantLog(path);
    const { n } = naivelyRead(path, "SELECT count(*) AS n FROM t WHERE a = 'planted'");
    assert.equal(n, 1, "a planted log is replayed where nobody looks");
    for (const suffix of ["-wal", "-journal"]) {
      for (const [kind, plant] of Object.entries(PLANTED)) {
        for (const leftover of ["-wal", "-shm", "-journal"]) removeAny(path + leftover);
        plant(path + suffix);
        fails("database-irregular", () => openForReading(path));
        assert.ok(Deno.lstatSync(path + suffix), `${kind} stays`);
      }
    }
  }),
);

const PLANTED: Readonly<Record<string, (path: string) => void>> = {
  "a file": (path) => Deno.writeTextFileSync(path, "old"),
  "a pipe": (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
  "a link to nowhere": (path) => Deno.symlinkSync("/nowhere", path),
  "a directory": (path) => Deno.mkdirSync(path),
};

/** The log of a twin that went on, put beside the original. */
function plantLog(path: string): void {
  Deno.copyFileSync(path, `${path}.twin`);
  const twin = new DatabaseSync(`${path}.twin`);
  twin.exec("PRAGMA journal_mode=WAL; INSERT INTO t VALUES ('planted');");
  Deno.copyFileSync(`${path}.twin-wal`, `${path}-wal`);
  twin.close();
}

function naivelyRead(path: string, sql: string): Record<string, unknown> {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).get() as Record<string, unknown>;
  } finally {
    database.close();
  }
}

function removeAny(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

Deno.test(
  "openForWriting() creates only when told and sets what the contract asks",
  inFolder((folder) => {
    fails(
      "database-missing",
      () => openForWriting(`${folder}/x`, { create: false, journal: "wal" }),
    );
    for (const journal of ["wal", "delete", "off"] as const) {
      using connection = openForWriting(`${folder}/${journal}`, {
        create: true,
        journal,
        secureDelete: true,
      });
      const pragma = (name: string) =>
        Object.values(connection.get<Record<string, unknown>>(`PRAGMA ${name}`)!)[0];
      assert.equal(pragma("busy_timeout"), 5000);
      assert.equal(pragma("foreign_keys"), 1);
      assert.equal(pragma("synchronous"), journal === "off" ? 0 : 1);
      assert.equal(pragma("journal_mode"), journal);
      assert.equal(pragma("secure_delete"), 1);
    }
  }),
);

Deno.test(
  "openForWriting() drops the journal that an older file of that name left",
  inFolder((folder) => {
    const path = `${folder}/x.sqlite`;
    for (const suffix of ["-journal", "-wal", "-shm"]) Deno.writeTextFileSync(path + suffix, "old");
    makeDatabase(path);
    assert.deepEqual(names(folder), ["x.sqlite"]);
    assert.equal(removeDatabase(path), true);
    assert.equal(removeDatabase(path), false);
  }),
);

Deno.test(
  "a file that is no database, or is damaged, is unreadable and is not told apart by its cells",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/text`, "secret-cell ".repeat(500));
    fails("database-unreadable", () => openForReading(`${folder}/text`));
    fails("database-unreadable", () => {
      openForWriting(`${folder}/text`, { create: true, journal: "delete" });
    });
    assert.ok(names(folder).includes("text"));
    makeDatabase(`${folder}/dropped`);
    using connection = openForReading(`${folder}/dropped`);
    fails("database-unreadable", () => connection.all("SELECT a FROM no_such_table"));
  }),
);

Deno.test(
  "a connection for reading cannot write",
  inFolder((folder) => {
    makeDatabase(`${folder}/x`);
    using connection = openForReading(`${folder}/x`);
    fails("database-not-writable", () => connection.run("INSERT INTO t VALUES ('b')"));
  }),
);

Deno.test("hasFullTextSearch() is true for the SQLite we ship with", () => {
  assert.equal(hasFullTextSearch(), true);
});

Deno.test("blobText() reads a text past its NUL, which a text column does not", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a TEXT)");
  connection.run("INSERT INTO t VALUES (?)", "abc\0zebra");
  assert.equal(connection.get<{ a: string }>("SELECT a FROM t")!.a, "abc");
  const row = connection.get<{ a: Uint8Array }>("SELECT CAST(a AS BLOB) a FROM t")!;
  assert.equal(blobText(row.a), "abc\0zebra");
  assert.throws(() => blobText(new Uint8Array([0xff])), /not valid UTF-8/);
});
