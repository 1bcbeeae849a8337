import { runUninstall } from "../setup/mod.ts";
import { findServiceManager } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { serviceEnvironment } from "./service_environment.ts";

/** Removes the service and the client's entry; exit 1 with warnings (daemon-and-setup.md 7.8). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { home, dataDirectory } = context;
  const manager = await findServiceManager(serviceEnvironment(context));
  const executable = Deno.build.standalone ? Deno.execPath() : null;
  const world = { home, dataDirectory, executable, manager };
  const report = await runUninstall(world, input.options["dryRun"] === true);
  return { document: { ...report }, exit: report.warnings.length > 0 ? 1 : 0 };
}
