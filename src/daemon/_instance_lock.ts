import { isFault, TheurianError } from "../platform/errors.ts";
import { acquireLock, type FileLock } from "../platform/lock.ts";

/**
 * The lock that one daemon of a data directory holds for its whole life, or `null` while another
 * holds it. The breadcrumb in it is for people; nothing decides on it. Throws what keeps the file
 * from being a lock, with exit 1 (daemon-and-setup.md 3.2).
 */
export async function takeInstanceLock(path: string, pid: number): Promise<FileLock | null> {
  try {
    const lock = await acquireLock(path, { waitMs: 0 });
    lock.note(`${JSON.stringify({ pid })}\n`);
    return lock;
  } catch (error) {
    if (isFault(error, "lock-timeout")) return null;
    if (!(error instanceof TheurianError)) throw error;
    throw new TheurianError(error.fault, error.message, {
      remedy: error.remedy,
      exit: 1,
      cause: error,
    });
  }
}
