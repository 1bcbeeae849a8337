import { TheurianError } from "../platform/errors.ts";
import { realPath } from "../platform/files/mod.ts";
import { probeHealth, refuseOther } from "../daemon/mod.ts";
import { commandFault, MANAGER, waitForDaemon } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { endpointOf, portOf } from "./port_option.ts";
import { installedService } from "./service_environment.ts";

/** Restarts the service and waits until ours answers (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const port = portOf(input);
  const manager = await installedService(context, "restart the daemon");
  const dataDirectory = realPath(context.dataDirectory) ?? context.dataDirectory;
  const before = await probeHealth(port);
  if (before !== null) refuseOther(before, { port, dataDirectory, realPath });
  const restarted = await manager.restart();
  const remedy = "Read `theurian daemon logs`, then try again";
  if (restarted.code !== 0) throw commandFault("restart the daemon", MANAGER, restarted, remedy);
  const health = await waitForDaemon(port);
  if (health === null) {
    throw new TheurianError(
      "service-unavailable",
      `Cannot restart the daemon: nothing answers on port ${port} 15 seconds after the restart`,
      { remedy },
    );
  }
  refuseOther(health, { port, dataDirectory, realPath });
  return {
    document: {
      restarted: true,
      service: manager.service,
      endpoint: endpointOf(port),
      version: health.version,
    },
  };
}
