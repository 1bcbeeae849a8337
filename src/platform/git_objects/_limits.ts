/**
 * Bounds of one answer that is read out of a Git repository in process. What passes a bound cannot
 * be verified; it never stalls the caller.
 *
 * @module
 */

/** Largest object that is inflated, in bytes. */
export const OBJECT_BYTES = 32 * 1024 * 1024;
/** Deltas one object may be built from. */
export const DELTA_CHAIN = 512;
/** Object directories that are looked in: the repository's own and its alternates. */
export const OBJECT_DIRECTORIES = 32;
/** Tags that may stand before a commit. */
export const TAG_HOPS = 8;
/** Time for one answer, in milliseconds. */
export const ANSWER_MS = 5_000;

/** Thrown inside this folder only: the repository does not hold what was asked for, or a bound was met. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** Ends work that takes too long. */
export interface Deadline {
  check(): void;
}

/** A deadline `milliseconds` from now, by a monotonic clock. */
export function deadlineIn(milliseconds: number, now: () => number): Deadline {
  const end = now() + milliseconds;
  return {
    check() {
      if (now() > end) throw new Unreadable("Out of time");
    },
  };
}
