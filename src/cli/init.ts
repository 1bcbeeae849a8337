import {
  createLayout,
  KNOWLEDGE_DIRECTORY,
  locateProject,
  updateGitignore,
} from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { warnOfBrokenMigrations } from "./warn_of_broken_migrations.ts";

/**
 * Creates the layout and the `.gitignore` block; never overwrites, writes no configuration and
 * registers nothing (corpus-and-migrations.md section 5).
 */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { projectId, root, paths } = await locateProject(context.cwd, context.dataDirectory);
  const createdPaths = createLayout(paths);
  const gitignoreUpdated = updateGitignore(root);
  warnOfBrokenMigrations(paths, context);
  return {
    document: {
      projectId,
      root,
      knowledgeDirectory: KNOWLEDGE_DIRECTORY,
      createdPaths,
      gitignoreUpdated,
      changed: createdPaths.length > 0 || gitignoreUpdated,
    },
  };
}
