import { loadMigrationSet, verifyHistory } from "../knowledge/mod.ts";
import { exportBundle, requireOwnStateFile } from "../okf/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Exports the active state (okf.md section 2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const set = loadMigrationSet(project.paths);
  requireOwnStateFile(project);
  verifyHistory(project, context.dataDirectory, set);
  context.progress.step("Exporting");
  const directory = input.arguments["DIRECTORY"] as string;
  const report = exportBundle(project, context.dataDirectory, directory, context.cwd);
  return { document: { ...report } };
}
