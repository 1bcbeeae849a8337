import { closeSync, fstatSync, openSync, unlinkSync } from "node:fs";
import { TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";
import { type CheckedFile, lookAt, openChecked } from "./_checked_open.ts";
import { type Named, nameOf, replacedRefusal, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";
import { syncFile } from "./sync_file.ts";
import type { WriteOptions } from "./write_file.ts";

/** How a file is copied. */
export interface CopyOptions extends WriteOptions {
  /** False leaves the flush to the caller, who goes on writing to the copy. */
  readonly flush?: boolean;
}

/**
 * Copies a regular file of any size to a path that holds nothing yet, and flushes it. The system copies,
 * which shares the blocks where the file system can. Neither side is followed through a link. Throws the
 * faults of reading for `from` and of writing for `to`; a failure removes what it created.
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
    const mode = createExclusively(to, options.mode);
    created = true;
    writePoint("write", to);
    Deno.copyFileSync(from, to);
    requireCopied(source, from, to, options);
    if (Deno.build.os !== "windows") Deno.chmodSync(to, mode);
    if (options.flush !== false) syncFile(to, options);
    created = false;
  } catch (error) {
    throw systemRefusal("file-not-writable", "write", to, error, options);
  } finally {
    closeSync(source.descriptor);
    if (created) unlinkSync(to);
  }
}

/** Claims the path, so that nothing is there to be followed; answers the permissions it got. */
function createExclusively(path: string, mode: number): number {
  const descriptor = openSync(path, "wx", mode);
  try {
    return fstatSync(descriptor).mode & 0o777;
  } finally {
    closeSync(descriptor);
  }
}

/** The system opened both paths once more: they must have led to what was looked at. */
function requireCopied(source: CheckedFile, from: string, to: string, named: Named): void {
  const now = lookAt(from);
  const isSame = now !== null && now.isFile && `${now.dev}:${now.ino}` === source.identity;
  if (!isSame) throw replacedRefusal("read", from, {});
  const copy = lookAt(to);
  if (copy === null || !copy.isFile || copy.size !== now.size) {
    throw replacedRefusal("write", to, named);
  }
}
