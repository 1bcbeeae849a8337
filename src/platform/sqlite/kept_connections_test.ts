import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { isFault } from "../errors.ts";
import { borrowForReading, keepConnections } from "./kept_connections.ts";
import { openForWriting } from "./open_database.ts";

function keeping(work: (folder: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-kept-" }));
    keepConnections(60_000);
    try {
      await work(folder);
    } finally {
      keepConnections(0);
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

function write(path: string, word: string): void {
  using connection = openForWriting(path, { create: true, journal: "delete" });
  connection.exec("CREATE TABLE t(a TEXT)");
  connection.run("INSERT INTO t VALUES (?)", word);
}

function read(path: string): string {
  using connection = borrowForReading(path);
  return connection.get<{ a: string }>("SELECT a FROM t")!.a;
}

/** Files below a folder that this process holds open, removed ones included. */
function openFiles(folder: string): number {
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith(`${folder}/`);
    } catch {
      return false;
    }
  }).length;
}

const linuxOnly = { ignore: Deno.build.os !== "linux" };

Deno.test(
  "borrowForReading() hands out the connection that was given back",
  linuxOnly,
  keeping((folder) => {
    write(`${folder}/a`, "one");
    read(`${folder}/a`);
    assert.equal(openFiles(folder), 1);
    for (let i = 0; i < 5; i++) assert.equal(read(`${folder}/a`), "one");
    assert.equal(openFiles(folder), 1);
    keepConnections(0);
    assert.equal(openFiles(folder), 0);
    read(`${folder}/a`);
    assert.equal(openFiles(folder), 0, "keeps none unless told to");
  }),
);

Deno.test(
  "borrowForReading() never answers from a file that was replaced, changed or removed",
  keeping((folder) => {
    const path = `${folder}/a`;
    write(path, "one");
    assert.equal(read(path), "one");
    write(`${folder}/b`, "two");
    Deno.renameSync(`${folder}/b`, path);
    assert.equal(read(path), "two");
    const other = new DatabaseSync(path);
    other.exec("UPDATE t SET a = 'six'");
    other.close();
    assert.equal(read(path), "six");
    Deno.removeSync(path);
    assert.throws(() => read(path), (error) => isFault(error, "database-missing"));
    Deno.symlinkSync(`${folder}/elsewhere`, path);
    assert.throws(() => read(path), (error) => isFault(error, "database-irregular"));
  }),
);

Deno.test(
  "borrowForReading() takes no file that was given a journal since",
  keeping((folder) => {
    const path = `${folder}/a`;
    write(path, "one");
    for (const suffix of ["-journal", "-wal"]) {
      assert.equal(read(path), "one");
      Deno.writeTextFileSync(path + suffix, "planted");
      assert.throws(() => read(path), (error) => isFault(error, "database-irregular"));
      Deno.removeSync(path + suffix);
    }
  }),
);

Deno.test(
  "borrowForReading() shows one state of the file until it is given back",
  keeping((folder) => {
    const path = `${folder}/a`;
    write(path, "one");
    const borrowed = borrowForReading(path);
    assert.equal(borrowed.get<{ a: string }>("SELECT a FROM t")!.a, "one");
    const other = new DatabaseSync(path, { timeout: 0 });
    assert.throws(() => other.exec("UPDATE t SET a = 'six'"), "a reader holds the file");
    borrowed.close();
    borrowed.close();
    other.exec("UPDATE t SET a = 'six'");
    other.close();
    assert.throws(() => borrowed.get("SELECT a FROM t"), "what was given back is not to be used");
  }),
);

Deno.test(
  "borrowForReading() serves two holders of one file at once",
  keeping((folder) => {
    write(`${folder}/a`, "one");
    using first = borrowForReading(`${folder}/a`);
    using second = borrowForReading(`${folder}/a`);
    assert.equal(first.all("SELECT a FROM t").length, 1);
    assert.deepEqual([...second.iterate("SELECT 1 AS n")].length, 1);
    assert.throws(() => first.run("DELETE FROM t"), "it only reads");
  }),
);

Deno.test(
  "borrowForReading() keeps no connection that met a fault, and few in all",
  linuxOnly,
  keeping((folder) => {
    write(`${folder}/a`, "one");
    {
      using connection = borrowForReading(`${folder}/a`);
      assert.throws(() => connection.get("SELECT nothing FROM nowhere"));
    }
    assert.equal(openFiles(folder), 0);
    for (let i = 0; i < 12; i++) {
      write(`${folder}/f${i}`, "one");
      read(`${folder}/f${i}`);
    }
    assert.ok(openFiles(folder) <= 4, `${openFiles(folder)} are open`);
  }),
);

Deno.test(
  "borrowForReading() closes what was not used for the time given",
  linuxOnly,
  keeping(async (folder) => {
    keepConnections(20);
    write(`${folder}/a`, "one");
    read(`${folder}/a`);
    const deadline = Date.now() + 5000;
    while (openFiles(folder) > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.equal(openFiles(folder), 0);
  }),
);
