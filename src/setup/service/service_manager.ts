/**
 * What a user's service manager can do for the daemon, on every system alike
 * (daemon-and-setup.md 7.5).
 *
 * @module
 */

import { TheurianError } from "../../platform/errors.ts";
import { launchAgent } from "./launch_agent.ts";
import type { OutsideResult } from "./outside_command.ts";
import { systemdUser } from "./systemd_user.ts";

/** What the installed definition runs. */
export interface ServiceFacts {
  /** Absolute path of this executable. */
  readonly executable: string;
  /** Absolute data directory. */
  readonly dataDirectory: string;
  readonly port: number;
}

/** What a manager says of the service. */
export type ServiceState = "not-installed" | "installed-stopped" | "running";

/** How an installed definition differs from the wanted one. */
export interface ServiceDifference {
  /** For a person: shows both sides. */
  readonly text: string;
  /** Names of fields that we author and that differ. */
  readonly fields: readonly string[];
  /** Number of lines or keys that are not ours; they are never named. */
  readonly others: number;
}

/** One user's service manager. Every operation answers the manager's own words, and never throws. */
export interface ServiceManager {
  readonly platform: "systemd-user" | "launchagent";
  /** The manager's name of the service. */
  readonly service: string;
  readonly definitionPath: string;
  /** Text of the definition. Throws `service-unavailable` for a path it cannot hold. */
  define(facts: ServiceFacts): string;
  /** `null` when both say the same. */
  compare(installed: string, wanted: string): ServiceDifference | null;
  state(): Promise<ServiceState>;
  install(definition: string): Promise<OutsideResult>;
  start(): Promise<OutsideResult>;
  stop(): Promise<OutsideResult>;
  restart(): Promise<OutsideResult>;
  /** Stops, disables and removes the definition. */
  uninstall(): Promise<OutsideResult>;
}

/** What finding a manager takes from outside. */
export interface ServiceEnvironment {
  readonly system: typeof Deno.build.os;
  readonly home: string | null;
  /** Base of user configuration, where it is set to something else than `~/.config`. */
  readonly configHome: string | null;
  /** Variables a manager's command needs to find the user's session. */
  readonly session: Readonly<Record<string, string>>;
  readonly userId: () => number | null;
}

/** This user's service manager, or `null` where there is none. */
export async function findServiceManager(
  environment: ServiceEnvironment,
): Promise<ServiceManager | null> {
  if (environment.home === null) return null;
  if (environment.system === "linux") return await systemdUser(environment, environment.home);
  if (environment.system === "darwin") return launchAgent(environment, environment.home);
  return null;
}

/** Refuses what a manager is needed for, where there is none. */
export function noServiceManager(what: string, system: string): TheurianError {
  const where = system === "windows" ? "on Windows yet" : "on this machine";
  return new TheurianError(
    "service-unavailable",
    `Cannot ${what}: there is no user service manager that Theurian can use ${where}`,
    {
      remedy: what.startsWith("stop")
        ? "Press Ctrl-C in the terminal that runs `theurian daemon start --foreground`"
        : "Run it in a terminal that stays open: theurian daemon start --foreground",
    },
  );
}
