import { inspectMigrationSet } from "../knowledge/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import type { CommandContext } from "./command.ts";

/**
 * One warning when the migration set cannot be loaded. Commands that do not need the set go on: one
 * bad file takes no unrelated command down. A set that leads out of the project still throws.
 */
export function warnOfBrokenMigrations(paths: ProjectPaths, context: CommandContext): void {
  const { faults } = inspectMigrationSet(paths);
  const [first] = faults;
  if (first === undefined) return;
  const more = faults.length === 1 ? "" : ` and ${faults.length - 1} more`;
  context.warn(
    `the migrations cannot be applied as they stand (${first.path}${more}): ` +
      "see `theurian migrate status`",
  );
}
