import { chmodSync } from "node:fs";
import { lookAt } from "./_checked_open.ts";
import { kindOf } from "./_kind_of.ts";
import { type Named, shapeRefusal, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";

/**
 * Sets the permission bits of a file or directory, whatever the umask. Throws `file-link` on a link
 * and `file-not-writable` otherwise (daemon-and-setup.md 9.1).
 */
export function setMode(path: string, mode: number, named: Named = {}): void {
  try {
    const info = lookAt(path);
    if (info?.isSymlink) throw shapeRefusal("write", path, kindOf(info), named);
    writePoint("set-mode", path);
    chmodSync(path, mode);
  } catch (error) {
    throw systemRefusal("file-not-writable", "set the mode of", path, error, named);
  }
}
