import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { acquireLock } from "../platform/lock.ts";

/** Longest wait for another process that changes the data directory, in milliseconds. */
const WAIT = 10_000;

/**
 * Runs `work` while holding `registry.lock`, which guards `projects.json` and `built-here.json`
 * (daemon-and-setup.md 9.1). The data directory must exist.
 */
export async function withRegistryLock<T>(
  dataDirectory: string,
  work: () => T | Promise<T>,
): Promise<T> {
  using _lock = await acquireRegistryLock(dataDirectory);
  return await work();
}

async function acquireRegistryLock(dataDirectory: string): Promise<Disposable> {
  try {
    return await acquireLock(join(dataDirectory, "registry.lock"), { waitMs: WAIT });
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    // The data directory is no project state: every command that meets this answers 1.
    throw new TheurianError(cause.fault, cause.message, {
      remedy: cause.remedy,
      details: cause.details ?? {},
      exit: 1,
      cause,
    });
  }
}
