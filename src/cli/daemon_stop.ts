import { commandFault, MANAGER } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { installedService } from "./service_environment.ts";

/** Asks the manager; never signals a process (daemon-and-setup.md 3.3). */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const manager = await installedService(context, "stop the daemon");
  const stopped = await manager.stop();
  if (stopped.code !== 0) {
    throw commandFault(
      "stop the daemon",
      MANAGER,
      stopped,
      "See `theurian daemon status`, then try again",
    );
  }
  return { document: { stopped: true, service: manager.service } };
}
