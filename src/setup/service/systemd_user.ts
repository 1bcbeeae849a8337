import { dirname, isAbsolute, join } from "node:path";
import { describePath } from "../../platform/files/mod.ts";
import { resolveProgram } from "../../platform/resolve_program.ts";
import { inTurn, removeDefinition, writeDefinition } from "./definition_file.ts";
import { runOutside } from "./outside_command.ts";
import type { ServiceEnvironment, ServiceManager } from "./service_manager.ts";
import { compareUnits, systemdUnit } from "./systemd_unit.ts";

const UNIT = "theurian.service";

/** Longest wait for the answer whether the manager can be used at all, in milliseconds. */
const SUPPORT_MS = 2000;

/** What `systemctl` says where it is installed, as in a container, and no user manager runs. */
const ABSENT = /^offline$|Failed to connect to .*bus|not been booted with systemd/m;

/** The user's systemd, or `null` where there is no `systemctl` that runs. */
export async function systemdUser(
  environment: ServiceEnvironment,
  home: string,
): Promise<ServiceManager | null> {
  if (resolveProgram("systemctl") === null) return null;
  const systemctl = (args: readonly string[], timeoutMs?: number) =>
    runOutside("systemctl", ["--user", ...args], {
      env: environment.session,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  const { code, output } = await systemctl(["is-system-running"], SUPPORT_MS);
  if (code === 127 || ABSENT.test(output)) return null;
  const { configHome } = environment;
  const base = configHome !== null && isAbsolute(configHome) ? configHome : join(home, ".config");
  const definitionPath = join(base, "systemd", "user", UNIT);
  return {
    platform: "systemd-user",
    service: UNIT,
    definitionPath,
    define: systemdUnit,
    compare: compareUnits,
    async state() {
      if (describePath(definitionPath) === null) return "not-installed";
      const { output } = await systemctl(["is-active", UNIT]);
      return output === "active" ? "running" : "installed-stopped";
    },
    install: (definition) =>
      inTurn([
        () => writeDefinition(definitionPath, definition),
        () => systemctl(["daemon-reload"]),
        () => systemctl(["enable", UNIT]),
        () => systemctl(["start", UNIT]),
      ]),
    start: () => systemctl(["start", UNIT]),
    stop: () => systemctl(["stop", UNIT]),
    restart: () => systemctl(["restart", UNIT]),
    async uninstall() {
      const disabled = await systemctl(["disable", "--now", UNIT]);
      // What setup may have made on the way; a base that the user named stays in any case.
      const made = [dirname(definitionPath), join(base, "systemd")];
      if (base !== configHome) made.push(base);
      const rest = await inTurn([
        () => removeDefinition(definitionPath, made),
        () => systemctl(["daemon-reload"]),
      ]);
      return disabled.code === 0 ? rest : disabled;
    },
  };
}
