import { isAbsolute, join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { gitBranch, gitOriginUrl } from "../platform/git.ts";
import {
  checkedProjectId,
  deriveProjectId,
  projectPaths,
  publicRepositoryUrl,
  readRegistry,
  registeredIdOf,
  registerProject,
  workingTreeRoot,
} from "../projects/mod.ts";
import { isDirectory } from "./_is_directory.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { warnOfBrokenMigrations } from "./warn_of_broken_migrations.ts";

/** Registers a working tree (corpus-and-migrations.md 7.3). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const root = await workingTreeRoot(namedDirectory(input, context));
  const paths = projectPaths(root);
  const registration = {
    projectId: chosenId(input, context, root),
    root,
    repositoryUrl: publicRepositoryUrl(await gitOriginUrl(root)),
    defaultBranch: await gitBranch(root) ?? "main",
  };
  const changed = await registerProject(context.dataDirectory, registration, context.clock);
  warnOfBrokenMigrations(paths, context);
  return {
    document: {
      projectId: registration.projectId,
      root,
      repositoryUrl: registration.repositoryUrl === "" ? null : registration.repositoryUrl,
      defaultBranch: registration.defaultBranch,
      initialized: isDirectory(paths.theurian),
      changed,
    },
  };
}

function namedDirectory(input: CommandInput, context: CommandContext): string {
  const given = input.arguments["PATH"] as string | undefined;
  if (given === undefined) return context.cwd;
  const path = isAbsolute(given) ? given : join(context.cwd, given);
  if (isDirectory(path)) return path;
  throw new TheurianError(
    "not-a-repository",
    "Cannot register the project: the path that was given is no directory",
    { remedy: "Give the path of a Git working tree, or run the command inside it" },
  );
}

function chosenId(input: CommandInput, context: CommandContext, root: string): string {
  const given = (input.options["projectId"] as string | undefined) ?? "";
  if (given !== "") return checkedProjectId(given);
  return registeredIdOf(root, readRegistry(context.dataDirectory)) ?? deriveProjectId(root);
}
