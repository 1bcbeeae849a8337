import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";
import { compareCodePoints } from "../text.ts";
import { errnoOf, isAbsent } from "./_os_reason.ts";
import { type Named, nameOf, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";

/** One name in a directory; a link is reported as one, whatever it leads to. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

/**
 * Names in a directory, in byte order; none when it is absent. A name that is not UTF-8 is left out
 * by the runtime. Throws `directory-expected` or `file-unreadable`.
 */
export function listDirectory(path: string, named: Named = {}): readonly DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  try {
    for (const entry of Deno.readDirSync(path)) {
      const kind = entry.isFile
        ? "file"
        : entry.isDirectory
        ? "directory"
        : entry.isSymlink
        ? "link"
        : "other";
      entries.push({ name: entry.name, kind });
    }
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR") throw directoryRefusal("list", path, named);
    if (isAbsent(error)) return [];
    throw systemRefusal("file-unreadable", "list", path, error, named);
  }
  return entries.sort((a, b) => compareCodePoints(a.name, b.name));
}

/**
 * Makes a directory and its missing parents, all with `mode` masked by the umask (0777 unless
 * given); true when the last one was created here. A link to a directory counts as one. Throws
 * `directory-expected` when something else is in the way, `file-not-writable` otherwise.
 */
export function ensureDirectory(path: string, options: Named & { mode?: number } = {}): boolean {
  try {
    // The runtime refuses every write at a directory that holds a program we may start, somewhere
    // below, and making one that exists counts as a write: `/` holds Git.
    return !isDirectory(path) && makeDirectory(path, options.mode ?? 0o777);
  } catch (error) {
    if (errnoOf(error) === "ENOTDIR" || errnoOf(error) === "EEXIST") {
      throw directoryRefusal("create", path, options);
    }
    throw systemRefusal("file-not-writable", "create", path, error, options);
  }
}

function makeDirectory(path: string, mode: number): boolean {
  try {
    writePoint("make-directory", path);
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EEXIST") {
      if (isDirectory(path)) return false;
      throw error;
    }
    const parent = dirname(path);
    if (errno !== "ENOENT" || parent === path) throw error;
    makeDirectory(parent, mode);
    mkdirSync(path, { mode });
    return true;
  }
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (isAbsent(error) || errnoOf(error) === "ELOOP") return false;
    throw error;
  }
}

/** Brings a directory's entries to the disk; nothing to do where directories cannot be opened. */
export function syncDirectory(path: string): void {
  if (Deno.build.os === "windows") return;
  try {
    writePoint("flush-directory", path);
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // Some file systems have no flush for directories; the rename itself has happened.
    if (errnoOf(error) === "EINVAL" || errnoOf(error) === "ENOTSUP") return;
    throw systemRefusal("file-not-writable", "flush", path, error, {});
  }
}

function directoryRefusal(action: string, path: string, named: Named): TheurianError {
  return new TheurianError(
    "directory-expected",
    `Cannot ${action} ${nameOf(path, named)}: something that is no directory is in the way`,
    {
      remedy: `See what is there with: ls -ld ${
        shellQuote(path)
      }; move it away, then run the command again`,
    },
  );
}
