import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { listDirectory, removeTree } from "../platform/files/mod.ts";
import { isUlid } from "../platform/ulid.ts";
import type { ProjectPaths } from "../projects/mod.ts";

const PREFIXES = { draft: "draft-", discard: "discard-" } as const;

/** Where a proposal lies, in the folder that Git ignores, before it appears or after it has left. */
export function asidePath(
  paths: ProjectPaths,
  why: keyof typeof PREFIXES,
  proposalId: string,
): string {
  return join(paths.runtime, PREFIXES[why] + proposalId);
}

/**
 * Removes what killed drafts and discards left aside. The caller holds the write lock, so nothing
 * that is found belongs to a run.
 */
export function removeLeftovers(paths: ProjectPaths): void {
  for (const { name, kind } of listDirectory(paths.runtime)) {
    const prefix = Object.values(PREFIXES).find((one) => name.startsWith(one));
    if (prefix === undefined || kind !== "directory" || !isUlid(name.slice(prefix.length))) {
      continue;
    }
    removeQuietly(join(paths.runtime, name));
  }
}

/** Removes what is no longer of use; what stays goes with the next draft or discard. */
export function removeQuietly(path: string): void {
  try {
    removeTree(path);
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}
