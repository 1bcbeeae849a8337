import { purgeWithdrawn } from "../index/mod.ts";
import { applyMigrations } from "../knowledge/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Builds and publishes the state (corpus-and-migrations.md 15.3). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, ulids, progress } = context;
  const project = await locateProject(context.cwd, dataDirectory);
  try {
    const report = await applyMigrations(project, {
      dataDirectory,
      clock,
      seal: ulids,
      allowUncommitted: input.options["allowUncommitted"] === true,
      purge: purgeWithdrawn(project, { dataDirectory, clock, ulids }),
      step: (what) => progress.step(what),
    });
    return { document: { ...report } };
  } finally {
    progress.done();
  }
}
