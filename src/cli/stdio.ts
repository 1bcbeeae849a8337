import { serveStdio } from "../daemon/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { serveOptions } from "./serve_options.ts";

/** Serves until its input ends; holds no port and no token (cli-and-plugins.md 3.2). */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  await serveStdio({ ...serveOptions(context), wire: context.wire });
  return { document: null };
}
