import { TheurianError } from "../errors.ts";
import { kindOf } from "./_kind_of.ts";
import { lookAt } from "./_checked_open.ts";
import { errnoOf } from "./_os_reason.ts";
import { type Named, replacedRefusal, shapeRefusal, systemRefusal } from "./_refusals.ts";
import { writePoint } from "./_write_points.ts";

const ATTEMPTS = 3;

/**
 * Opens a file that is only locked, creating it empty with mode 0600: no link is followed, nothing
 * is truncated, a pipe does not make it wait (daemon-and-setup.md 3.2, 9.2). For `lock.ts` alone.
 */
export function openLockFile(path: string, named: Named = {}): Deno.FsFile {
  for (let attempt = 1;; attempt++) {
    try {
      return lookAt(path) === null ? create(path) : openExisting(path, named);
    } catch (error) {
      if (error instanceof TheurianError) throw asLockRefusal(error);
      // Another process created or removed it between the look and the open.
      const raced = errnoOf(error) === "EEXIST" || errnoOf(error) === "ENOENT";
      if (raced && attempt < ATTEMPTS) continue;
      throw systemRefusal("lock-refused", "lock", path, error, named);
    }
  }
}

function create(path: string): Deno.FsFile {
  writePoint("create", path);
  return Deno.openSync(path, { read: true, write: true, createNew: true, mode: 0o600 });
}

// Reading and writing, so that a pipe which replaced the file meanwhile opens at once.
function openExisting(path: string, named: Named): Deno.FsFile {
  const info = Deno.lstatSync(path);
  if (!info.isFile) throw shapeRefusal("lock", path, kindOf(info), named);
  const file = Deno.openSync(path, { read: true, write: true });
  const opened = file.statSync();
  if (opened.isFile && opened.dev === info.dev && opened.ino === info.ino) return file;
  file.close();
  throw replacedRefusal("lock", path, named);
}

/** Whatever stands there instead of a lock file, the lock is what is refused. */
function asLockRefusal(error: TheurianError): TheurianError {
  return new TheurianError("lock-refused", error.message, {
    remedy: error.remedy,
    ...(error.details === null ? {} : { details: error.details }),
  });
}
