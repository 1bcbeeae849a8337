import { portTaken, probePort, refuseOther } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { realPath } from "../platform/files/mod.ts";
import { commandFault, MANAGER, START_WAIT_MS, waitForDaemon } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { endpointOf, portOf } from "./port_option.ts";
import { installedService } from "./service_environment.ts";

/** Serves here, or has the service manager start what setup installed (daemon-and-setup.md 3.1). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const port = portOf(input);
  if (input.options["foreground"] === true) {
    const { serveForeground } = await import("./daemon_foreground.ts");
    return await serveForeground(port, context);
  }
  return await startService(port, context);
}

async function startService(port: number, context: CommandContext): Promise<CommandResult> {
  const dataDirectory = realPath(context.dataDirectory) ?? context.dataDirectory;
  const probe = await probePort(port);
  if (probe.kind === "theurian") {
    refuseOther(probe.health, { port, dataDirectory, realPath });
    return decided("reuse", `The daemon already serves ${endpointOf(port)}`);
  }
  const manager = await installedService(context, "start the daemon as a service");
  if (probe.kind === "foreign") throw portTaken(port);
  const started = await manager.start();
  const remedy = "Read `theurian daemon logs`, mend what they name, then start again";
  if (started.code !== 0) throw commandFault("start the daemon", MANAGER, started, remedy);
  const health = await waitForDaemon(port);
  if (health === null) {
    const said = started.output === "" ? "" : `; the service manager said: ${started.output}`;
    throw new TheurianError(
      "service-unavailable",
      `Cannot start the daemon: nothing answers on port ${port} within ` +
        `${START_WAIT_MS / 1000} seconds${said}`,
      { remedy },
    );
  }
  refuseOther(health, { port, dataDirectory, realPath });
  return decided("start", `${manager.service} serves ${endpointOf(port)}`);
}

function decided(decision: "start" | "reuse", detail: string): CommandResult {
  return { document: { decision, detail } };
}
