import { dataPaths, probeHealth } from "../daemon/mod.ts";
import { findServiceManager } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { endpointOf, portOf } from "./port_option.ts";
import { serviceEnvironment } from "./service_environment.ts";

/** Side-effect free; the manager is asked only when the port is silent (daemon-and-setup.md 3.4). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const port = portOf(input);
  const { dataDirectory } = context;
  const health = await probeHealth(port);
  const known = health === null
    ? await askManager(context)
    : { state: "running" as const, service: null };
  return {
    document: {
      state: known.state,
      listening: health !== null,
      version: health?.version ?? null,
      dataDir: dataDirectory,
      runningDataDir: health?.dataDir ?? null,
      implementation: health?.implementation ?? null,
      lockFile: dataPaths(dataDirectory).lock,
      endpoint: endpointOf(port),
      service: known.service,
    },
  };
}

async function askManager(context: CommandContext) {
  const manager = await findServiceManager(serviceEnvironment(context));
  if (manager === null) return { state: "unknown" as const, service: null };
  return { state: await manager.state(), service: manager.service };
}
