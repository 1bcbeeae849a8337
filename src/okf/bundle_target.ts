/**
 * Where a bundle may land (okf.md section 4): a directory that does not exist or is empty, never
 * through a link in its last part.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { describePath, ensureDirectory, listDirectory, realPath } from "../platform/files/mod.ts";
import { shellQuote } from "../platform/shell_quote.ts";

/** The path a target names, with links above its last part followed. `cwd` is absolute. */
export function canonicalTarget(raw: string, cwd: string): string {
  const parts = (raw.startsWith("/") ? raw : `${cwd}/${raw}`).split("/")
    .filter((part) => part !== "" && part !== ".");
  const leaf = parts.at(-1);
  if (leaf === undefined || leaf === "..") return resolveParts(parts);
  return join(resolveParts(parts.slice(0, -1)), leaf);
}

/** As the system resolves it: `..` leaves what a link leads to; what is missing stays as text. */
function resolveParts(parts: readonly string[]): string {
  let at = "/";
  for (const part of parts) {
    at = part === ".." ? dirname(at) : realPath(join(at, part)) ?? join(at, part);
  }
  return at;
}

/**
 * Refuses a target that cannot take a bundle and creates its missing parents. Answers the mode of an
 * empty directory that stands there, or `null`. Throws `bundle-target` (exit 1).
 */
export function prepareTarget(target: string): number | null {
  const facts = probe(target);
  if (facts?.kind === "link") throw refused("it is a symbolic link", target);
  if (facts !== null && facts.kind !== "directory") throw refused("it is no directory", target);
  if (facts !== null) {
    if (entriesOf(target) > 0) throw notEmpty(target);
    return facts.mode;
  }
  makeParents(dirname(target), target);
  return null;
}

/** The refusal of a target that holds something, also when it was filled meanwhile. */
export function notEmpty(target: string): TheurianError {
  return refused("it is not empty", target);
}

/** Refuses a target for what stands there. No remedy removes anything. */
export function refused(reason: string, target: string, cause?: unknown): TheurianError {
  return new TheurianError("bundle-target", `Cannot export to the target: ${reason}`, {
    remedy: `Name a directory that does not exist or is empty; see what is there with: ls -lad ${
      shellQuote(target)
    }`,
    cause,
  });
}

function probe(target: string) {
  try {
    return describePath(target);
  } catch (error) {
    if (isFault(error)) throw refused("it cannot be looked at", target, error);
    throw error;
  }
}

function entriesOf(target: string): number {
  try {
    return listDirectory(target).length;
  } catch (error) {
    if (isFault(error)) throw refused("it cannot be listed", target, error);
    throw error;
  }
}

function makeParents(parent: string, target: string): void {
  let existing = parent;
  for (; existing !== dirname(existing); existing = dirname(existing)) {
    const facts = probe(existing);
    if (facts === null) continue;
    const real = facts.kind === "link" ? realPath(existing) : existing;
    if (real === null || probe(real)?.kind !== "directory") {
      throw refused("something above it is no directory", target);
    }
    break;
  }
  try {
    ensureDirectory(parent, { label: "the directories above the target" });
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    throw new TheurianError("bundle-target", cause.message, {
      remedy: `The deepest directory that exists is ${shellQuote(existing)}: check who may write ` +
        "there, or name another target",
      cause,
    });
  }
}
