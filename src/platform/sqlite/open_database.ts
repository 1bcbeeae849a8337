import { DatabaseSync } from "node:sqlite";
import { basename, resolve } from "node:path";
import { TheurianError } from "../errors.ts";
import { createFile, describePath, removeFile } from "../files/mod.ts";
import { shellQuote } from "../shell_quote.ts";
import { databaseRefusal } from "./_database_faults.ts";
import { type Connection, wrapDatabase } from "./connection.ts";

/** Milliseconds that a statement waits for another process's lock (corpus-and-migrations.md 14.3). */
export const BUSY_TIMEOUT_MS = 5000;

const SIDECARS = ["-journal", "-wal", "-shm"] as const;

/**
 * `trusted_schema` keeps a planted schema from calling functions; `temp_store` keeps served text out
 * of temporary files.
 */
const SETTINGS = "PRAGMA foreign_keys=ON;PRAGMA synchronous=NORMAL;PRAGMA trusted_schema=OFF;" +
  "PRAGMA cell_size_check=ON;PRAGMA temp_store=MEMORY;";

/** How a database is opened for writing. */
export interface WriteDatabaseOptions {
  /** Creates the file when it is absent. */
  readonly create: boolean;
  /**
   * `wal` for a file that is read while it is written; reading it leaves `-wal` and `-shm` beside
   * it. `delete` for a file that is published whole. `off` for a private file that is thrown away
   * when anything fails: nothing can be rolled back, nothing is flushed.
   */
  readonly journal: "wal" | "delete" | "off";
  /** Overwrites deleted content with zeros. */
  readonly secureDelete?: boolean;
}

/**
 * Opens an existing database for reading; never creates one. The path is used as it is: `?`, `#`
 * and `%` have no meaning in it. Throws `database-missing`, `database-irregular` (a link, a pipe, a
 * directory, a file with a journal beside it: refused before opening), `database-busy` or
 * `database-unreadable`.
 *
 * What is read here was published whole and never has a journal. A planted one would be replayed
 * into what is read, and a pipe of that name would hold the reader for ever.
 */
export function openForReading(path: string): Connection {
  requireDatabase(path);
  refuseJournals(path);
  return openChecked(path, "read", `${SETTINGS}PRAGMA query_only=ON;`);
}

/**
 * Opens a database for writing, with the journal asked for. A new file appears empty and exclusive
 * first, so that a planted link is never written through; sidecars that an older file left are
 * removed, since they could be replayed into the new one. Throws as {@linkcode openForReading} and
 * `database-not-writable`.
 */
export function openForWriting(path: string, options: WriteDatabaseOptions): Connection {
  let created = false;
  if (options.create && describePath(path) === null) {
    for (const suffix of SIDECARS) removeFile(path + suffix);
    createFile(path, "", { mode: 0o644 });
    created = true;
  } else {
    requireDatabase(path);
  }
  try {
    return openChecked(path, "write", SETTINGS + writeSettings(options));
  } catch (error) {
    if (created) removeDatabase(path);
    throw error;
  }
}

/** A private database in memory, for work that leaves nothing behind. */
export function openInMemory(): Connection {
  return wrapDatabase(configured(new DatabaseSync(":memory:"), SETTINGS), ":memory:", "write");
}

/**
 * Removes a database file and its sidecars, which go first: without the file nobody would look for
 * them. False when the file was not there.
 */
export function removeDatabase(path: string): boolean {
  for (const suffix of SIDECARS) removeFile(path + suffix);
  return removeFile(path);
}

/** True when this build of SQLite has the full-text engine. */
export function hasFullTextSearch(): boolean {
  using connection = openInMemory();
  return connection.get("SELECT 1 FROM pragma_module_list WHERE name='fts5'") !== undefined;
}

function writeSettings(options: WriteDatabaseOptions): string {
  const journal = options.journal === "off"
    ? "PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;"
    : `PRAGMA journal_mode=${options.journal.toUpperCase()};`;
  return `${journal}PRAGMA secure_delete=${options.secureDelete === true ? "ON" : "OFF"};`;
}

function openChecked(path: string, access: "read" | "write", settings: string): Connection {
  try {
    const database = new DatabaseSync(resolve(path), {
      readOnly: access === "read",
      timeout: BUSY_TIMEOUT_MS,
    });
    return wrapDatabase(configured(database, settings), path, access);
  } catch (error) {
    throw databaseRefusal(access, path, error);
  }
}

/** Reading the schema version at once makes a file that is no database fail here. */
function configured(database: DatabaseSync, settings: string): DatabaseSync {
  try {
    database.exec(settings);
    database.prepare("PRAGMA schema_version").get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function refuseJournals(path: string): void {
  for (const suffix of ["-journal", "-wal"]) {
    const facts = describePath(path + suffix);
    if (facts === null) continue;
    throw new TheurianError(
      "database-irregular",
      `Cannot open ${basename(path)}: there is a journal beside it that is not ours`,
      {
        remedy: `See what is there with: ls -ld ${
          shellQuote(path + suffix)
        }; move it away, or build the file again`,
        details: { shape: facts.kind },
      },
    );
  }
}

function requireDatabase(path: string): void {
  const facts = describePath(path);
  if (facts === null) {
    throw new TheurianError(
      "database-missing",
      `Cannot open ${basename(path)}: it does not exist`,
      {
        remedy: `Check the path with: ls -l ${shellQuote(path)}, or build it again`,
      },
    );
  }
  if (facts.kind === "file") return;
  throw new TheurianError(
    "database-irregular",
    `Cannot open ${basename(path)}: it is not a regular file`,
    {
      remedy: `See what is there with: ls -ld ${
        shellQuote(path)
      }; move it away, then build it again`,
      details: { shape: facts.kind },
    },
  );
}
