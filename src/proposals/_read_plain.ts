import { join } from "node:path";
import { isFault, type TheurianError } from "../platform/errors.ts";
import { describePath, readRegularFile } from "../platform/files/mod.ts";
import { unusable } from "./find_proposal.ts";

/**
 * Reads a file of a proposal: no link in any part below the proposal's folder, a regular file, at
 * most 8 MiB (proposals.md 6.1, step 5). `null` when it is not there. `what` names it in a refusal.
 * Throws `proposal-unusable`.
 */
export function readPlain(
  folder: string,
  parts: readonly string[],
  what: string,
): Uint8Array | null {
  let path = folder;
  for (const part of parts) {
    path = join(path, part);
    const facts = describePath(path);
    if (facts === null) return null;
    if (facts.kind === "link") {
      throw unusable(
        `${what} lies behind a symbolic link`,
        "Replace the link with the file itself, or draft the change again.",
      );
    }
  }
  try {
    return readRegularFile(path, { label: what });
  } catch (error) {
    if (!isFault(error)) throw error;
    throw asUnusable(error, what);
  }
}

/** What a door refused, as a refusal of this proposal (exit 1). */
export function asUnusable(error: TheurianError, what: string): TheurianError {
  const reason = error.message.replace(/^Cannot \w+ /, "");
  return unusable(
    reason.startsWith(what) ? reason : `${what}: ${reason}`,
    "Correct the proposal, or draft the change again.",
    error,
  );
}
