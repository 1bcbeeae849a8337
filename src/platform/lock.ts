import { basename } from "node:path";
import { errorKind, TheurianError } from "./errors.ts";
import { describePath, openLockFile } from "./files/mod.ts";
import { shellQuote } from "./shell_quote.ts";

/** How long a lock is waited for. */
export interface LockOptions {
  /** Milliseconds; 0 asks whether it is free now. */
  readonly waitMs: number;
}

/** A held lock; disposing, or the end of the process in any way, frees it. */
export interface FileLock extends Disposable {
  readonly path: string;
  /**
   * Puts a line for people into the lock file; false where the disk takes none. Nothing ever decides
   * on it, so nothing fails for want of it.
   */
  note(text: string): boolean;
}

/**
 * The runtime can only wait for a lock, not try it, so even the shortest question needs a moment in
 * which a free lock is certainly granted.
 */
const LEAST_PATIENCE_MS = 150;

/** One question to the system, which cannot be taken back. */
interface Attempt {
  readonly file: Deno.FsFile;
  readonly granted: Promise<void>;
  /** The system has answered. */
  settled: boolean;
  /** Somebody waits for the answer; one that nobody waits for is freed at once. */
  wanted: boolean;
}

/** Given-up questions, one a path, for the next caller: they must not pile up. */
const abandoned = new Map<string, Attempt>();

/**
 * Takes an exclusive advisory lock (`flock`) on a file, creating it empty with mode 0600
 * (corpus-and-migrations.md 14.6, daemon-and-setup.md 3.2). Throws `lock-timeout` when another
 * process or caller holds it for longer, `lock-refused` when the file is no regular file or cannot
 * be locked. A given-up question that is granted late frees the lock at once.
 */
export async function acquireLock(path: string, options: LockOptions): Promise<FileLock> {
  const attempt = takeAbandoned(path) ?? begin(path);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(options.waitMs, LEAST_PATIENCE_MS));
  });
  try {
    await Promise.race([attempt.granted, patience]);
  } catch (error) {
    throw lockRefused(path, error);
  } finally {
    clearTimeout(timer);
  }
  if (attempt.settled) return heldLock(path, attempt.file);
  abandon(path, attempt);
  throw new TheurianError(
    "lock-timeout",
    `Cannot lock ${basename(path)}: another process holds it`,
    { remedy: "Wait until the other theurian command has ended, then run the command again" },
  );
}

function begin(path: string): Attempt {
  const file = openLockFile(path);
  const attempt: Attempt = { file, granted: file.lock(true), settled: false, wanted: true };
  attempt.granted.then(
    () => {
      attempt.settled = true;
      if (!attempt.wanted) forget(path, attempt);
    },
    () => forget(path, attempt),
  );
  return attempt;
}

function forget(path: string, attempt: Attempt): void {
  if (abandoned.get(path) === attempt) abandoned.delete(path);
  attempt.file.close();
}

function abandon(path: string, attempt: Attempt): void {
  attempt.wanted = false;
  if (!abandoned.has(path)) abandoned.set(path, attempt);
}

/** A question still open for the file that stands at the path now. */
function takeAbandoned(path: string): Attempt | null {
  const attempt = abandoned.get(path);
  if (attempt === undefined) return null;
  const there = describePath(path);
  const open = attempt.file.statSync();
  if (there === null || Number(there.inode) !== open.ino || Number(there.device) !== open.dev) {
    return null;
  }
  abandoned.delete(path);
  attempt.wanted = true;
  return attempt;
}

function heldLock(path: string, file: Deno.FsFile): FileLock {
  let open = true;
  return {
    path,
    note(text) {
      const bytes = new TextEncoder().encode(text);
      try {
        file.seekSync(0, Deno.SeekMode.Start);
        for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
        file.truncateSync(bytes.length); // After the write: a longer old line leaves no tail.
        return true;
      } catch (error) {
        if (/^E[A-Z0-9]+$/.test(errorKind(error))) return false;
        throw error;
      }
    },
    [Symbol.dispose]() {
      if (open) file.close();
      open = false;
    },
  };
}

function lockRefused(path: string, error: unknown): TheurianError {
  return new TheurianError(
    "lock-refused",
    `Cannot lock ${basename(path)}: its file system refuses locks`,
    {
      remedy:
        `Put the folder of ${shellQuote(path)} on a local file system; network file systems ` +
        "often have no locks",
      details: { errno: errorKind(error) },
      cause: error,
    },
  );
}
