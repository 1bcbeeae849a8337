import { describePath, leadsToSomething } from "../files/mod.ts";
import type { Changes, Connection, SqlValue } from "./connection.ts";
import { openForReading } from "./open_database.ts";

/** Connections that may wait for their next use; more are closed, the longest unused first. */
const MOST_KEPT = 4;

interface Kept {
  readonly connection: Connection;
  /** What the file was when it was opened. */
  readonly signature: string;
  /** When it was given back, in milliseconds of the process' clock. */
  since: number;
}

const kept = new Map<string, Kept>();
let idleMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Lets connections of {@linkcode borrowForReading} wait for their next use for up to `milliseconds`.
 * For threads that answer one call after another; 0, which is the state at start, keeps none. What
 * waits at the moment is closed.
 */
export function keepConnections(milliseconds: number): void {
  idleMs = milliseconds;
  closeIdle(Infinity);
  clearTimeout(timer);
  timer = undefined;
}

/**
 * As {@linkcode openForReading}, for published files, which are replaced and never written. All
 * reading until `close` sees one state of the file. A connection that was given back is handed out
 * again while the path still leads to the very file that it reads: looked at every time, so a
 * replaced, changed or removed file is never answered from. A connection that met a fault is not
 * kept.
 */
export function borrowForReading(path: string): Connection {
  const signature = idleMs === 0 ? null : signatureOf(path);
  const waiting = kept.get(path);
  kept.delete(path);
  if (waiting !== undefined && waiting.signature === signature && !hasJournal(path)) {
    return new BorrowedConnection(waiting.connection, signature);
  }
  waiting?.connection.close();
  return new BorrowedConnection(openForReading(path), signature);
}

/** Device, inode, size and times; `null` when nothing is there. */
function signatureOf(path: string): string | null {
  const facts = describePath(path);
  if (facts === null || facts.kind !== "file") return null;
  const { device, inode, size, modifiedNs, changedNs } = facts;
  return `${device}:${inode}:${size}:${modifiedNs}:${changedNs}`;
}

/** A planted journal would be replayed into what is read; opening refuses it by name. */
function hasJournal(path: string): boolean {
  return leadsToSomething(`${path}-journal`) || leadsToSomething(`${path}-wal`);
}

function giveBack(connection: Connection, signature: string): void {
  const { path } = connection;
  kept.get(path)?.connection.close();
  kept.delete(path);
  kept.set(path, { connection, signature, since: performance.now() });
  for (const [oldest, { connection }] of kept) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
    connection.close();
  }
  if (timer === undefined) scheduleClosing();
}

function scheduleClosing(): void {
  timer = setTimeout(() => {
    timer = undefined;
    closeIdle(performance.now() - idleMs);
    if (kept.size > 0) scheduleClosing();
  }, idleMs);
  Deno.unrefTimer(timer);
}

function closeIdle(before: number): void {
  for (const [path, { connection, since }] of kept) {
    if (since > before) continue;
    kept.delete(path);
    connection.close();
  }
}

/** A connection in one reading transaction; closing ends that and gives the connection back. */
class BorrowedConnection implements Connection {
  readonly path: string;
  readonly content: object;
  readonly #inner: Connection;
  readonly #signature: string | null;
  #sound = true;
  #open = true;

  constructor(inner: Connection, signature: string | null) {
    this.path = inner.path;
    this.content = inner.content;
    this.#inner = inner;
    this.#signature = signature;
    try {
      inner.run("BEGIN");
    } catch (error) {
      inner.close();
      throw error;
    }
  }

  exec(sql: string): void {
    this.#watch(() => this.#inner.exec(sql));
  }

  run(sql: string, ...values: SqlValue[]): Changes {
    return this.#watch(() => this.#inner.run(sql, ...values));
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#watch(() => this.#inner.get<Row>(sql, ...values));
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#watch(() => this.#inner.all<Row>(sql, ...values));
  }

  *iterate<Row>(sql: string, ...values: SqlValue[]): IterableIterator<Row> {
    try {
      yield* this.#inner.iterate<Row>(sql, ...values);
    } catch (error) {
      this.#sound = false;
      throw error;
    }
  }

  /** What is read is one state of the file already. */
  transaction<T>(work: () => T): T {
    return work();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#inner.run("COMMIT");
    } catch {
      this.#sound = false; // Nothing was written; the connection is of no further use.
    }
    if (this.#sound && this.#signature !== null && idleMs > 0) {
      giveBack(this.#inner, this.#signature);
    } else this.#inner.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #watch<T>(work: () => T): T {
    if (!this.#open) throw new Error("Cannot use a connection that was given back");
    try {
      return work();
    } catch (error) {
      this.#sound = false;
      throw error;
    }
  }
}
