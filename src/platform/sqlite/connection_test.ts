import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { openForWriting, openInMemory } from "./open_database.ts";

Deno.test("run(), get() and all() bind values and give rows without a prototype", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a TEXT, b INTEGER)");
  const changes = connection.run("INSERT INTO t VALUES (?, ?), ('y', 2)", "x'; DROP TABLE t --", 1);
  assert.deepEqual(changes, { changes: 2, lastInsertRowid: 2 });
  const row = connection.get<{ a: string; b: number }>("SELECT * FROM t WHERE b = ?", 1)!;
  assert.equal(row.a, "x'; DROP TABLE t --");
  assert.equal(Object.getPrototypeOf(row), null);
  assert.equal(connection.get("SELECT * FROM t WHERE b = ?", 7), undefined);
  assert.equal(connection.all("SELECT * FROM t").length, 2);
});

Deno.test("iterate() lets the same statement run again inside the loop and ends early", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a INTEGER); INSERT INTO t VALUES (1), (2), (3)");
  const sql = "SELECT a FROM t ORDER BY a";
  const seen: number[][] = [];
  for (const row of connection.iterate<{ a: number }>(sql)) {
    seen.push([row.a, connection.all(sql).length, [...connection.iterate(sql)].length]);
    if (row.a === 2) break;
  }
  assert.deepEqual(seen, [[1, 3, 3], [2, 3, 3]]);
  connection.exec("DROP TABLE t"); // Would be locked by an unfinished statement.
});

Deno.test("transaction() keeps all or nothing and gives the result through", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a INTEGER)");
  const failure = new Error("stop");
  assert.throws(() =>
    connection.transaction(() => {
      connection.run("INSERT INTO t VALUES (1)");
      throw failure;
    }), failure);
  assert.equal(connection.all("SELECT * FROM t").length, 0);
  assert.equal(
    connection.transaction(() => connection.run("INSERT INTO t VALUES (1)").changes),
    1,
  );
  assert.equal(connection.all("SELECT * FROM t").length, 1);
});

Deno.test("transaction() refuses nesting and asynchronous work", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a INTEGER)");
  assert.throws(() => connection.transaction(() => connection.transaction(() => 1)), /inside/);
  assert.throws(
    () =>
      connection.transaction(() => {
        connection.run("INSERT INTO t VALUES (1)");
        return Promise.resolve();
      }),
    /wait inside a transaction/,
  );
  assert.equal(connection.all("SELECT * FROM t").length, 0);
});

Deno.test("a broken rule is an internal fault that holds neither SQL nor values", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE secret_name(a TEXT PRIMARY KEY)");
  connection.run("INSERT INTO secret_name VALUES (?)", "secret-cell");
  for (
    const work of [
      () => connection.run("INSERT INTO secret_name VALUES (?)", "secret-cell"),
      () => connection.exec("INSERT INTO secret_name VALUES ('secret-cell')"),
    ]
  ) {
    assert.throws(work, (error) => {
      assert.ok(isFault(error, "internal"));
      assert.doesNotMatch(error.message, /secret/);
      assert.equal(error.details?.sqlite, 19);
      return true;
    });
  }
});

Deno.test("a number beyond 2^53 is bound as bigint and read as text, never rounded", () => {
  using connection = openInMemory();
  connection.exec("CREATE TABLE t(a INTEGER)");
  connection.run("INSERT INTO t VALUES (?)", 9223372036854775807n);
  assert.throws(() => connection.get("SELECT a FROM t"), (e) => isFault(e, "database-unreadable"));
  assert.equal(
    connection.get<{ a: string }>("SELECT CAST(a AS TEXT) a FROM t")!.a,
    "9223372036854775807",
  );
});

Deno.test("a database that another connection holds is busy, in a statement and in a script", () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-sqlite-" });
  try {
    using one = openForWriting(`${folder}/x`, { create: true, journal: "delete" });
    one.exec("CREATE TABLE t(a INTEGER)");
    using two = openForWriting(`${folder}/x`, { create: false, journal: "delete" });
    two.exec("PRAGMA busy_timeout=20");
    one.transaction(() => {
      one.run("INSERT INTO t VALUES (1)");
      const busy = (error: unknown) => isFault(error, "database-busy");
      assert.throws(() => two.run("INSERT INTO t VALUES (2)"), busy);
      assert.throws(() => two.exec("INSERT INTO t VALUES (2)"), busy);
      assert.throws(() => two.transaction(() => {}), busy);
    });
    two.run("INSERT INTO t VALUES (2)");
    assert.equal(one.all("SELECT * FROM t").length, 2);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("close() can be called twice and frees the file", () => {
  const connection = openInMemory();
  connection.get("SELECT 1");
  connection.close();
  connection.close();
  assert.throws(() => connection.get("SELECT 1"));
});
