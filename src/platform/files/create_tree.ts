import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAll } from "./_landed_bytes.ts";
import { type Named, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";

/**
 * Creates a directory that must not be there yet, with files below it by their POSIX path. Meant for
 * copies that can be made again: nothing is flushed. What a failure leaves is the caller's to remove.
 * Throws `file-not-writable`.
 */
export function createTree(
  path: string,
  files: ReadonlyMap<string, Uint8Array>,
  named: Named = {},
): void {
  try {
    makeOne(path);
    for (const directory of directoriesOf(files.keys())) makeOne(join(path, directory));
    for (const [name, bytes] of files) createOne(join(path, name), bytes);
  } catch (error) {
    throw systemRefusal("file-not-writable", "create", path, error, named);
  }
}

function makeOne(path: string): void {
  writePoint("make-directory", path);
  mkdirSync(path);
}

function createOne(path: string, bytes: Uint8Array): void {
  writePoint("create", path);
  const descriptor = openSync(path, "wx", 0o644);
  try {
    writeAll(descriptor, bytes, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Every directory of the paths, parents first. */
function directoriesOf(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); at !== "."; at = dirname(at)) found.add(at);
  }
  return [...found].sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
}
