import type { DatabaseSync, StatementSync } from "node:sqlite";
import { databaseRefusal } from "./_database_faults.ts";

/**
 * What can be bound or stored. Text with a NUL is stored whole but reads back cut: select such
 * columns as `CAST(x AS BLOB)`. An integer beyond 2^53 is bound as a bigint and selected as text.
 */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** What a statement changed. */
export interface Changes {
  readonly changes: number;
  readonly lastInsertRowid: number;
}

/**
 * One open database. Statements are prepared once and kept by their text, so text must be constant:
 * values are bound, never pasted. Rows are objects without a prototype. Every method throws a
 * `database-*` fault that holds no SQL and no cell.
 */
export interface Connection extends Disposable {
  /** The file, or `:memory:`. */
  readonly path: string;
  /**
   * The same object for as long as a published file is known to be the very same: a key for what was
   * computed from it.
   */
  readonly content: object;
  /** Runs a script of statements without parameters; results are dropped. */
  exec(sql: string): void;
  run(sql: string, ...values: SqlValue[]): Changes;
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** Rows one by one; the same text may be run again meanwhile. */
  iterate<Row>(sql: string, ...values: SqlValue[]): IterableIterator<Row>;
  /**
   * Runs `work` in one transaction, which begins as a writing one unless the connection only reads;
   * what `work` throws rolls it back. Not to be nested and not for asynchronous work.
   */
  transaction<T>(work: () => T): T;
  /** Closes; a second call does nothing. */
  close(): void;
}

/** Wraps an open database of the runtime. */
export function wrapDatabase(
  database: DatabaseSync,
  path: string,
  access: "read" | "write",
): Connection {
  return new OpenDatabase(database, path, access);
}

class OpenDatabase implements Connection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #access: "read" | "write";
  readonly path: string;
  readonly content: object = {};
  #inTransaction = false;
  #open = true;

  constructor(database: DatabaseSync, path: string, access: "read" | "write") {
    this.#database = database;
    this.path = path;
    this.#access = access;
  }

  exec(sql: string): void {
    this.#guard(() => this.#database.exec(sql));
  }

  run(sql: string, ...values: SqlValue[]): Changes {
    return this.#guard(() => {
      const result = this.#prepare(sql).run(...values);
      return {
        changes: Number(result.changes),
        lastInsertRowid: Number(result.lastInsertRowid),
      };
    });
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#guard(() => this.#prepare(sql).get(...values)) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#guard(() => this.#prepare(sql).all(...values)) as Row[];
  }

  *iterate<Row>(sql: string, ...values: SqlValue[]): IterableIterator<Row> {
    const statement = this.#guard(() => this.#prepare(sql));
    this.#statements.delete(sql); // Taken out, so that the same text can run inside the loop.
    try {
      yield* this.#rows<Row>(statement, values);
    } finally {
      this.#statements.set(sql, statement);
    }
  }

  *#rows<Row>(statement: StatementSync, values: SqlValue[]): IterableIterator<Row> {
    const rows = this.#guard(() => statement.iterate(...values));
    try {
      for (
        let row = this.#guard(() => rows.next());
        !row.done;
        row = this.#guard(() => rows.next())
      ) {
        yield row.value as Row;
      }
    } finally {
      rows.return?.();
    }
  }

  transaction<T>(work: () => T): T {
    if (this.#inTransaction) throw new Error("Cannot begin a transaction inside another one");
    this.run(this.#access === "read" ? "BEGIN" : "BEGIN IMMEDIATE");
    this.#inTransaction = true;
    try {
      const result = work();
      if (result instanceof Promise) throw new Error("Cannot wait inside a transaction");
      this.run("COMMIT");
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  #rollBack(): void {
    try {
      this.run("ROLLBACK");
    } catch {
      // The engine has rolled back already; the first failure is the one to report.
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#statements.clear();
    this.#guard(() => this.#database.close());
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw databaseRefusal(this.#access, this.path, error);
    }
  }
}
