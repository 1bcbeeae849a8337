import { type Kind, loadMigrationSet, openSourceCache } from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { gitUser } from "../platform/git.ts";
import { locateProject, WRITE_LOCK_WAIT } from "../projects/mod.ts";
import { adoptDocuments, commandLineSurface } from "../proposals/mod.ts";
import { adoptionText } from "./adoption_text.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Drafts proposals from documents that the repository holds (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const user = await gitUser(project.root);
  const text = (key: string) => (input.options[key] as string | undefined) ?? null;
  const author = text("author") ?? user.email ?? user.name;
  const owner = text("owner") ?? user.name ?? user.email;
  if (author === null || owner === null) throw nobody(author === null ? "--author" : "--owner");
  const landed = loadMigrationSet(project.paths, {
    cache: openSourceCache(project.paths, context.dataDirectory),
  });
  const adoption = await adoptDocuments(
    {
      cwd: context.cwd,
      paths: input.arguments["PATH"] as readonly string[],
      exclude: input.options["exclude"] as readonly string[],
      owner,
      author,
      namespace: text("namespace"),
      kind: text("kind") as Kind | null,
      local: input.options["local"] === true,
      dryRun: input.options["dryRun"] === true,
    },
    landed,
    {
      project,
      clock: context.clock,
      ulids: context.ulids,
      surface: commandLineSurface(landed),
      lockWaitMs: WRITE_LOCK_WAIT,
      nextSteps: () => [],
    },
  );
  return { document: { ...adoption }, text: adoptionText(adoption) };
}

function nobody(option: string): TheurianError {
  return new TheurianError(
    "invalid-input",
    `Cannot adopt: Git knows no user and ${option} is not given`,
    {
      remedy: `Give ${option}, or set the Git user: git config user.name, git config user.email.`,
    },
  );
}
