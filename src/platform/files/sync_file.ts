import { closeSync } from "node:fs";
import { TheurianError } from "../errors.ts";
import { openChecked } from "./_checked_open.ts";
import { flush } from "./_landed_bytes.ts";
import { type Named, nameOf, systemRefusal } from "./_refusals.ts";

/**
 * Brings a regular file's content to the disk, for a writer that works without flushing. Throws
 * `file-missing`, `file-link`, `file-irregular` or `file-not-writable`.
 */
export function syncFile(path: string, named: Named = {}): void {
  const file = openChecked(path, "append", named);
  if (file === null) {
    throw new TheurianError("file-missing", `Cannot flush ${nameOf(path, named)}: it is gone`, {
      remedy: "Run the command again",
    });
  }
  try {
    flush(file.descriptor, path);
  } catch (error) {
    throw systemRefusal("file-not-writable", "flush", path, error, named);
  } finally {
    closeSync(file.descriptor);
  }
}
