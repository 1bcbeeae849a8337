import { validateMigrations } from "../knowledge/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Refuses whatever an apply would refuse (corpus-and-migrations.md 15.2). */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const { document, relationCycles } = validateMigrations(project, context.dataDirectory);
  for (const cycle of relationCycles) {
    context.warn(`these items are related in a circle: ${cycle.join(" → ")}`);
  }
  return { document: { ...document } };
}
