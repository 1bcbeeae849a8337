import { ensureDirectory } from "../platform/files/mod.ts";
import { acquireLock } from "../platform/lock.ts";
import type { ProjectPaths } from "./project_paths.ts";

/** Longest wait for another writer of the project, in milliseconds (corpus-and-migrations.md 14.6). */
export const WRITE_LOCK_WAIT = 30_000;

/**
 * Runs `work` while holding the project's write lock, which every writer takes. Throws
 * `lock-timeout` after the wait, `lock-refused` when the lock file cannot be used.
 */
export async function withWriteLock<T>(
  paths: ProjectPaths,
  work: () => T | Promise<T>,
  options: { readonly waitMs?: number } = {},
): Promise<T> {
  ensureDirectory(paths.runtime, { label: ".theurian/runtime" });
  using _lock = await acquireLock(paths.writeLock, { waitMs: options.waitMs ?? WRITE_LOCK_WAIT });
  return await work();
}
