import { isFault, TheurianError } from "../platform/errors.ts";
import {
  createLayout,
  KNOWLEDGE_DIRECTORY,
  locateProject,
  type ProjectPaths,
  updateGitignore,
} from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { warnOfBrokenMigrations } from "./warn_of_broken_migrations.ts";

/** Whatever cannot be made is a fault of the layout, exit 1; only an escape is 4. */
function complete(root: string, paths: ProjectPaths) {
  try {
    return { createdPaths: createLayout(paths), gitignoreUpdated: updateGitignore(root) };
  } catch (cause) {
    if (!isFault(cause) || cause.fault === "path-escape") throw cause;
    throw new TheurianError(cause.fault, cause.message, { remedy: cause.remedy, exit: 1, cause });
  }
}

/**
 * Creates the layout and the `.gitignore` block; never overwrites, writes no configuration and
 * registers nothing (corpus-and-migrations.md section 5).
 */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { projectId, root, paths } = await locateProject(context.cwd, context.dataDirectory);
  const { createdPaths, gitignoreUpdated } = complete(root, paths);
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
