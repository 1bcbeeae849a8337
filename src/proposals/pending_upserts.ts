import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { readRegularFile } from "../platform/files/mod.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import { parseMigration, type UpsertRevision } from "../knowledge/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { proposalEntries } from "./pending.ts";

/**
 * The content that waits for review, the oldest proposal's first. A proposal that cannot be read is
 * passed over; accepting it says what is wrong.
 */
export function pendingUpserts(paths: ProjectPaths): readonly UpsertRevision[] {
  return proposalEntries(paths).flatMap((entry) =>
    entry.migrationFiles.flatMap((file) => upsertsOf(join(entry.path, file)))
  );
}

function upsertsOf(path: string): readonly UpsertRevision[] {
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
