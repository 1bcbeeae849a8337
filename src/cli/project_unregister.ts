import { unregisterProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Removes a registry entry by its raw key, so that a broken one can go too (7.4). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const projectId = input.arguments["PROJECT_ID"] as string;
  const removed = await unregisterProject(context.dataDirectory, projectId);
  return {
    document: {
      projectId,
      removed,
      knowledgePreserved: true,
      note: removed
        ? "The project is no longer served; its repository and its .theurian/ were not touched"
        : "No project is registered under this id; nothing was changed",
    },
  };
}
