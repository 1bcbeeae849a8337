import { readRegistry, unregisterCommands } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Every registered project as it is stored (corpus-and-migrations.md 7.5). */
export function run(_input: CommandInput, context: CommandContext): CommandResult {
  const { entries, unreadable } = readRegistry(context.dataDirectory);
  // The key stands first for a reader, and counts over what the entry itself says.
  const projects = [...entries.values()].map(({ projectId, stored }) =>
    Object.assign({ projectId }, stored, { projectId })
  );
  return {
    document: {
      count: projects.length,
      projects,
      unreadable,
      ...(unreadable.length === 0 ? {} : {
        remedy: `Entries that name no usable root are served to nobody; remove them with ${
          unregisterCommands(unreadable)
        }`,
      }),
    },
  };
}
