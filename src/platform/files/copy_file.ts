import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";
import { openChecked } from "./_checked_open.ts";
import { flush } from "./_landed_bytes.ts";
import { nameOf, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";
import type { WriteOptions } from "./write_file.ts";

const CHUNK_BYTES = 1 << 20;

/** How a file is copied. */
export interface CopyOptions extends WriteOptions {
  /** False leaves the flush to the caller, who goes on writing to the copy. */
  readonly flush?: boolean;
}

/**
 * Copies a regular file of any size to a path that holds nothing yet, and flushes it. Neither side
 * is followed through a link. Throws the faults of reading for `from` and of writing for `to`; a
 * failure removes what it created.
 */
export function copyFile(from: string, to: string, options: CopyOptions): void {
  const source = openChecked(from, "read", {});
  if (source === null) {
    throw new TheurianError("file-missing", `Cannot read ${nameOf(from, {})}: it does not exist`, {
      remedy: `Check the path with: ls -l ${shellQuote(from)}`,
    });
  }
  let created = false;
  try {
    writePoint("create", to);
    const target = openSync(to, "wx", options.mode);
    created = true;
    try {
      copyChunks(source.descriptor, target, to);
      if (options.flush !== false) flush(target, to);
    } finally {
      closeSync(target);
    }
    created = false;
  } catch (error) {
    throw systemRefusal("file-not-writable", "write", to, error, options);
  } finally {
    closeSync(source.descriptor);
    if (created) unlinkSync(to);
  }
}

function copyChunks(source: number, target: number, to: string): void {
  const buffer = new Uint8Array(CHUNK_BYTES);
  while (true) {
    const count = readSync(source, buffer, 0, buffer.length, null);
    if (count === 0) return;
    writePoint("write", to);
    let written = 0;
    while (written < count) written += writeSync(target, buffer, written, count - written, null);
  }
}
