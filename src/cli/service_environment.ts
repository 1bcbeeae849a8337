import { TheurianError } from "../platform/errors.ts";
import {
  findServiceManager,
  noServiceManager,
  type ServiceEnvironment,
  type ServiceManager,
} from "../setup/service/mod.ts";
import type { CommandContext } from "./command.ts";

/** What finding the service manager takes, from the variables a row keeps. */
export function serviceEnvironment(context: CommandContext): ServiceEnvironment {
  const session: Record<string, string> = {};
  for (const name of ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CONFIG_HOME"] as const) {
    const value = context.variable(name);
    if (value !== null) session[name] = value;
  }
  return {
    system: Deno.build.os,
    home: context.home,
    configHome: context.variable("XDG_CONFIG_HOME"),
    session,
    userId: () => Deno.uid(),
  };
}

/** The manager of an installed service. Throws `service-unavailable` without either. */
export async function installedService(
  context: CommandContext,
  what: string,
): Promise<ServiceManager> {
  const environment = serviceEnvironment(context);
  const manager = await findServiceManager(environment);
  if (manager === null) throw noServiceManager(what, environment.system);
  if (await manager.state() === "not-installed") throw serviceNotInstalled(what);
  return manager;
}

function serviceNotInstalled(what: string): Error {
  return new TheurianError(
    "service-unavailable",
    `Cannot ${what}: the service is not installed`,
    {
      remedy: "Install it with `theurian setup`, or serve in a terminal with " +
        "`theurian daemon start --foreground`",
    },
  );
}
