import { closeSync, linkSync, renameSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";
import { lookAt, openChecked } from "./_checked_open.ts";
import { kindOf } from "./_kind_of.ts";
import { bytesOf, flush, landBytes, uniqueSibling, writeAll } from "./_landed_bytes.ts";
import { errnoOf } from "./_os_reason.ts";
import { type Named, nameOf, shapeRefusal, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";
import { syncDirectory } from "./directories.ts";

/** How a file is written. */
export interface WriteOptions extends Named {
  /** Permission bits of the file, masked by the process's umask. */
  readonly mode: number;
  /** Sets `mode` exactly, whatever the umask. */
  readonly exactMode?: boolean;
}

/** How a file is replaced. */
export interface ReplaceOptions extends WriteOptions {
  /** Fixed name of the temporary, in the same directory; a unique sibling unless given. */
  readonly temporary?: string;
  /**
   * False spares the flush, for content that costs time and nothing else when a power failure leaves
   * it empty or cut.
   */
  readonly flush?: boolean;
}

/**
 * Puts a whole file in place of what a regular file or nothing holds: exclusive temporary, flush,
 * rename, flush of the directory. A reader sees the old or the new bytes, never a part
 * (daemon-and-setup.md 9.2). A link or an irregular file at the target or at a fixed temporary is
 * refused: `file-link`, `file-irregular`, `file-not-writable`. A failure leaves the old file.
 */
export function replaceFile(
  path: string,
  data: Uint8Array | string,
  options: ReplaceOptions,
): void {
  const temporary = options.temporary ?? uniqueSibling(path);
  try {
    refuseUnlessRegular(path, options);
    if (options.temporary !== undefined) clearFixedTemporary(temporary);
    withTemporary(temporary, bytesOf(data), options, () => {
      writePoint("rename", path);
      renameSync(temporary, path);
      return true;
    });
    if (options.flush !== false) syncDirectory(dirname(path));
  } catch (error) {
    throw systemRefusal("file-not-writable", "write", path, error, options);
  }
}

/**
 * Creates a file that must not be there yet: the whole content appears at once or not at all.
 * Throws `file-exists` when anything stands at the path, a dangling link too.
 */
export function createFile(path: string, data: Uint8Array | string, options: WriteOptions): void {
  const temporary = uniqueSibling(path);
  try {
    if (lookAt(path) !== null) throw existsRefusal(path, options);
    withTemporary(temporary, bytesOf(data), options, () => landExclusively(temporary, path));
    syncDirectory(dirname(path));
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw existsRefusal(path, options);
    throw systemRefusal("file-not-writable", "write", path, error, options);
  }
}

/**
 * Appends to a regular file, creating it when absent, and flushes. A link or irregular file is
 * refused as in {@linkcode replaceFile}.
 */
export function appendToFile(path: string, data: Uint8Array | string, options: WriteOptions): void {
  const bytes = bytesOf(data);
  try {
    const file = openChecked(path, "append", options);
    if (file === null) {
      landBytes(path, bytes, options, () => {});
      syncDirectory(dirname(path));
      return;
    }
    try {
      writeAll(file.descriptor, bytes, path);
      flush(file.descriptor, path);
    } finally {
      closeSync(file.descriptor);
    }
  } catch (error) {
    throw systemRefusal("file-not-writable", "write", path, error, options);
  }
}

/** Refuses anything but a regular file or nothing at a path that is to be replaced. */
export function refuseUnlessRegular(path: string, named: Named): void {
  const info = lookAt(path);
  if (info !== null && !info.isFile) throw shapeRefusal("write", path, kindOf(info), named);
}

/** A regular leftover of a run that was killed is ours to remove: the name is reserved. */
function clearFixedTemporary(temporary: string): void {
  const info = lookAt(temporary);
  if (info === null) return;
  if (!info.isFile) throw shapeRefusal("write", temporary, kindOf(info), {});
  writePoint("remove", temporary);
  unlinkSync(temporary);
}

/** `place` returns true when it consumed the temporary. Only what was created here is removed. */
function withTemporary(
  temporary: string,
  bytes: Uint8Array,
  options: WriteOptions & Pick<ReplaceOptions, "flush">,
  place: () => boolean,
): void {
  let mine = false;
  try {
    landBytes(temporary, bytes, options, () => mine = true);
    if (place()) mine = false;
  } finally {
    if (mine) removeQuietly(temporary);
  }
}

// A hard link never replaces anything. Where the file system has none, look and rename: every
// writer holds the project's write lock.
function landExclusively(temporary: string, path: string): boolean {
  writePoint("link", path);
  try {
    linkSync(temporary, path);
    return false;
  } catch (error) {
    if (errnoOf(error) === "EEXIST" || errnoOf(error) === "ENOSPC") throw error;
    if (lookAt(path) !== null) throw error;
    renameSync(temporary, path);
    return true;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The first failure is the one to report.
  }
}

function existsRefusal(path: string, named: Named): TheurianError {
  return new TheurianError(
    "file-exists",
    `Cannot create ${nameOf(path, named)}: something is there already`,
    { remedy: `See what is there with: ls -ld ${shellQuote(path)}; move it away first` },
  );
}
