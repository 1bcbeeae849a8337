/**
 * The file that a build is written to before it gets its final name.
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { copyFile, describePath, syncFile } from "../platform/files/mod.ts";
import { type Connection, openForWriting, removeDatabase } from "../platform/sqlite/mod.ts";
import { INDEX_DDL } from "./schema.ts";

/** Kibibytes of pages that are held in memory while a build is written. */
const PAGE_CACHE_KIB = 32_768;

/** Bytes of a page: rows of vectors and passages fill it better than the usual half of it. */
const PAGE_BYTES = 8192;

/**
 * Makes a build file at `path`, empty or as a copy of `base`, lets `work` fill it and brings it to
 * the disk. Whatever fails, only what was made here is removed again. Throws `build-failed` when
 * something is there already.
 */
export function writeBuildingFile<T>(
  path: string,
  base: string | null,
  work: (connection: Connection) => T,
): T {
  if (describePath(path) !== null) throw occupied();
  let finished = false;
  try {
    if (base !== null) copyFile(base, path, { mode: 0o644, flush: false });
    const result = fill(path, base === null, work);
    syncFile(path);
    finished = true;
    return result;
  } finally {
    if (!finished) removeDatabase(path);
  }
}

/** Nothing in a file that is thrown away on failure needs a journal. */
function fill<T>(path: string, isNew: boolean, work: (connection: Connection) => T): T {
  using connection = openForWriting(path, {
    create: isNew,
    journal: "off",
    secureDelete: !isNew,
  });
  connection.exec(`PRAGMA cache_size = -${PAGE_CACHE_KIB}`);
  if (isNew) connection.exec(`PRAGMA page_size = ${PAGE_BYTES};\n${INDEX_DDL}`);
  return work(connection);
}

function occupied(): TheurianError {
  return new TheurianError(
    "build-failed",
    "Cannot build the index: a file of the new build's name is there already",
    { remedy: "Run again: theurian index build" },
  );
}
