import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeAll } from "./_landed_bytes.ts";
import { type Named, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";
import { syncDirectory } from "./directories.ts";
import { syncFile } from "./sync_file.ts";

/** How a tree is created. */
export interface TreeOptions extends Named {
  /** Permission bits of the files, masked by the umask; 0644 unless given. */
  readonly mode?: number;
  /** Brings files and directories to the disk, once each, after the last one is written. */
  readonly flush?: boolean;
}

/**
 * Creates a directory that must not be there yet, with files below it by their POSIX path, in the
 * map's order. Unless `flush` is asked for it is for copies that can be made again. What a failure
 * leaves is the caller's to remove. Throws `file-not-writable`.
 */
export function createTree(
  path: string,
  files: ReadonlyMap<string, Uint8Array>,
  options: TreeOptions = {},
): void {
  const directories = [path, ...directoriesOf(files.keys()).map((name) => join(path, name))];
  try {
    for (const directory of directories) makeOne(directory);
    for (const [name, bytes] of files) createOne(join(path, name), bytes, options.mode ?? 0o644);
    if (options.flush !== true) return;
    for (const name of files.keys()) syncFile(join(path, name), options);
    for (const directory of directories) syncDirectory(directory);
  } catch (error) {
    throw systemRefusal("file-not-writable", "create", path, error, options);
  }
}

function makeOne(path: string): void {
  writePoint("make-directory", path);
  mkdirSync(path);
}

function createOne(path: string, bytes: Uint8Array, mode: number): void {
  writePoint("create", path);
  const descriptor = openSync(path, "wx", mode);
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
