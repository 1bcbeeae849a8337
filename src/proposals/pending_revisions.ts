import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { readRegularFile } from "../platform/files/mod.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import { parseMigration } from "../knowledge/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { proposalEntries } from "./pending.ts";

/**
 * The content that waits for review: item id to the digest of its proposed body, the newest
 * proposal's last. A proposal that cannot be read is passed over; accepting it says what is wrong.
 */
export function pendingRevisions(paths: ProjectPaths): ReadonlyMap<string, string> {
  const pending = new Map<string, string>();
  for (const entry of proposalEntries(paths)) {
    for (const file of entry.migrationFiles) {
      for (const { itemId, contentSha256 } of upsertsOf(join(entry.path, file))) {
        pending.set(itemId, contentSha256);
      }
    }
  }
  return pending;
}

function upsertsOf(path: string): readonly { itemId: string; contentSha256: string }[] {
  try {
    const { migration } = parseMigration(
      parseYaml(readRegularFile(path), "the proposal's migration").value,
    );
    return migration?.operations.flatMap((one) => one.op === "upsertRevision" ? [one] : []) ?? [];
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}
