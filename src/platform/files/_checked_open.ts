import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { kindOf } from "./_kind_of.ts";
import { isAbsent } from "./_os_reason.ts";
import { type Named, replacedRefusal, shapeRefusal, systemRefusal } from "./_refusals.ts";

/** A descriptor that is known to be the regular file which the path itself names. */
export interface CheckedFile {
  readonly descriptor: number;
  readonly size: number;
  /** `device:inode`. */
  readonly identity: string;
  /** Last change of the content when it was opened, in nanoseconds since the epoch. */
  readonly modifiedNs: bigint;
  /** Last change of content or entry when it was opened; nobody can set it. */
  readonly changedNs: bigint;
}

// A pipe must never hang an open; Windows has no such flag.
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/** `lstat` of the runtime, or `null` when nothing is there. */
export function lookAt(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Times that a file may be replaced between the look and the open before it is given up. */
const MOST_ATTEMPTS = 8;

/**
 * Opens an existing regular file without following a link in the last part and without ever
 * waiting; `null` when nothing is there. `O_NOFOLLOW` is useless under a restricted grant, so the
 * shape is read first and the descriptor must be that same file (daemon-and-setup.md 9.2). A file that
 * was replaced in between, as every writer of ours does, is looked at anew.
 */
export function openChecked(
  path: string,
  access: "read" | "append",
  named: Named,
): CheckedFile | null {
  for (let attempt = 1;; attempt++) {
    const file = openAsSeen(path, access, named);
    if (file !== "replaced") return file;
    if (attempt === MOST_ATTEMPTS) {
      throw replacedRefusal(access === "read" ? "read" : "write", path, named);
    }
  }
}

function openAsSeen(
  path: string,
  access: "read" | "append",
  named: Named,
): CheckedFile | null | "replaced" {
  const action = access === "read" ? "read" : "write";
  const fault = access === "read" ? "file-unreadable" : "file-not-writable";
  let info: Deno.FileInfo | null;
  let descriptor: number;
  try {
    info = lookAt(path);
    if (info === null) return null;
    const kind = kindOf(info);
    if (kind !== "file") throw shapeRefusal(action, path, kind, named);
    const flags = access === "read" ? constants.O_RDONLY : constants.O_WRONLY | constants.O_APPEND;
    descriptor = openSync(path, flags | NON_BLOCKING);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw systemRefusal(fault, action, path, error, named);
  }
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    const same = opened.isFile() && Number(opened.dev) === info.dev &&
      Number(opened.ino) === (info.ino ?? 0);
    if (!same) {
      closeSync(descriptor);
      return "replaced";
    }
    return {
      descriptor,
      size: Number(opened.size),
      identity: `${opened.dev}:${opened.ino}`,
      modifiedNs: opened.mtimeNs,
      changedNs: opened.ctimeNs,
    };
  } catch (error) {
    closeSync(descriptor);
    throw systemRefusal(fault, action, path, error, named);
  }
}
