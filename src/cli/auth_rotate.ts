import { dataPaths, describeToken, probeHealth, writeNewToken } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { writeEnvFile } from "../setup/mod.ts";
import { findServiceManager } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { portOf } from "./port_option.ts";
import { serviceEnvironment } from "./service_environment.ts";

/** New token, env block, restart, in this order (daemon-and-setup.md 5.3). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory } = context;
  const token = rotate(dataDirectory);
  const nextSteps = [...refreshEnv(dataDirectory)];
  const restart = await restartService(portOf(input), context);
  nextSteps.push(...restart.nextSteps);
  nextSteps.push("Open a new shell, so that $THEURIAN_MCP_TOKEN is read again by new clients");
  return {
    document: {
      rotated: true,
      token: describeToken(token),
      tokenFile: dataPaths(dataDirectory).token,
      daemonRestarted: restart.daemonRestarted,
      nextSteps,
    },
  };
}

function rotate(dataDirectory: string): string {
  try {
    return writeNewToken(dataDirectory);
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    throw new TheurianError(
      "token-unusable",
      `Cannot rotate the token, nothing was changed: ${error.message}`,
      { remedy: error.remedy, cause: error },
    );
  }
}

function refreshEnv(dataDirectory: string): string[] {
  try {
    writeEnvFile(dataDirectory);
    return [];
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    const { env } = dataPaths(dataDirectory);
    return [`The shell block in ${env} was not refreshed: ${error.message}. ${error.remedy}`];
  }
}

async function restartService(port: number, context: CommandContext) {
  const manager = await findServiceManager(serviceEnvironment(context));
  if (manager !== null && await manager.state() !== "not-installed") {
    const { code } = await manager.restart();
    if (code === 0) return { daemonRestarted: true, nextSteps: [] };
    return {
      daemonRestarted: false,
      nextSteps: ["The service could not be restarted: see `theurian daemon status`"],
    };
  }
  const health = await probeHealth(port);
  return {
    daemonRestarted: false,
    nextSteps: health === null
      ? []
      : ["The running daemon takes the new token by itself; it needs no restart"],
  };
}
