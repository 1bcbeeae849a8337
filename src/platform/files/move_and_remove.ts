import { renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { errnoOf, isAbsent } from "./_os_reason.ts";
import { type Named, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";

/** Removes a file, or a link itself; false when nothing was there. Throws `file-not-writable`. */
export function removeFile(path: string, named: Named = {}): boolean {
  try {
    writePoint("remove", path);
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw systemRefusal("file-not-writable", "remove", path, error, named);
  }
}

/** Removes a directory with all it holds; links inside are removed, never followed. */
export function removeTree(path: string, named: Named = {}): void {
  try {
    writePoint("remove", path);
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (isAbsent(error)) return;
    throw systemRefusal("file-not-writable", "remove", path, error, named);
  }
}

/** Removes a directory that holds nothing; false when it holds something or is none. */
export function removeEmptyDirectory(path: string, named: Named = {}): boolean {
  try {
    writePoint("remove", path);
    rmdirSync(path);
    return true;
  } catch (error) {
    if (isAbsent(error) || ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errnoOf(error) ?? "")) {
      return false;
    }
    throw systemRefusal("file-not-writable", "remove", path, error, named);
  }
}

/** Renames within one file system, replacing a file at the target. The caller flushes directories. */
export function renamePath(from: string, to: string, named: Named = {}): void {
  try {
    writePoint("rename", to);
    renameSync(from, to);
  } catch (error) {
    throw systemRefusal("file-not-writable", "write", to, error, named);
  }
}
