import { join } from "node:path";
import { type IndexPurge, nothingPurged, type Withdrawal } from "../knowledge/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import type { Project } from "../projects/mod.ts";
import type { CommandContext } from "./command.ts";

/** Takes withdrawn content out of the published index; the outcome is only reported. */
export function purgeIndex(
  project: Project,
  _withdrawal: Withdrawal,
  _context: CommandContext,
): IndexPurge {
  if (describePath(join(project.paths.state, "active-index.json")) === null) {
    return nothingPurged("no-published-index");
  }
  return {
    ...nothingPurged("purge-failed: unavailable"),
    failed: true,
    remedy: "Run: theurian index build",
  };
}
