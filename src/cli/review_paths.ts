import { isFault, TheurianError } from "../platform/errors.ts";
import { containedPath } from "../platform/files/mod.ts";

/**
 * Names the cure where it is `.theurian/review` itself that leads out of the project: removing a
 * link with a trailing slash would remove what it leads to (review.md 6, "Cures").
 */
export function withReviewCure<T>(root: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFault(error, "path-escape") || !leadsOut(root)) throw error;
    throw new TheurianError("path-escape", error.message, {
      remedy: "Look at it with `ls -ld .theurian/review`, then remove the link with " +
        "`rm .theurian/review` (no trailing slash: that would mean what it leads to) and put a " +
        "real folder there",
      cause: error,
    });
  }
}

function leadsOut(root: string): boolean {
  try {
    containedPath(root, ".theurian/review");
    return false;
  } catch (error) {
    return isFault(error, "path-escape");
  }
}
