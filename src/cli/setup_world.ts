import { type SetupWorld } from "../setup/mod.ts";
import { findServiceManager, START_WAIT_MS } from "../setup/service/mod.ts";
import type { CommandContext } from "./command.ts";
import { serviceEnvironment } from "./service_environment.ts";

/** What setup and doctor work on, from the command's context. */
export async function setupWorld(
  context: CommandContext,
  port: number,
  withhold: boolean,
): Promise<SetupWorld> {
  return {
    system: Deno.build.os,
    executable: Deno.build.standalone ? Deno.execPath() : null,
    home: context.home,
    cwd: context.cwd,
    dataDirectory: context.dataDirectory,
    port,
    manager: await findServiceManager(serviceEnvironment(context)),
    withhold,
    startWaitMs: START_WAIT_MS,
  };
}
