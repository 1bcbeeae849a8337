import { join } from "node:path";
import { describePath } from "../../platform/files/mod.ts";
import { resolveProgram } from "../../platform/resolve_program.ts";
import { compareAgents, LABEL, launchAgentPlist } from "./launch_agent_plist.ts";
import { runOutside } from "./outside_command.ts";
import type { ServiceEnvironment, ServiceManager } from "./service_manager.ts";
import { inTurn, removeDefinition, writeDefinition } from "./definition_file.ts";

/** The user's launchd, or `null` where there is no `launchctl` or no user to serve. */
export function launchAgent(environment: ServiceEnvironment, home: string): ServiceManager | null {
  const user = environment.userId();
  if (user === null || resolveProgram("launchctl") === null) return null;
  const domain = `gui/${user}`;
  const target = `${domain}/${LABEL}`;
  const definitionPath = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const launchctl = (...args: readonly string[]) => runOutside("launchctl", args);
  return {
    platform: "launchagent",
    service: LABEL,
    definitionPath,
    define: launchAgentPlist,
    compare: compareAgents,
    async state() {
      if (describePath(definitionPath) === null) return "not-installed";
      const { code, output } = await launchctl("print", target);
      return code === 0 && /^\s*pid = \d+\s*$/m.test(output) ? "running" : "installed-stopped";
    },
    install: (definition) =>
      inTurn([
        () => writeDefinition(definitionPath, definition),
        async () => {
          await launchctl("bootout", target); // Fails where nothing was loaded.
          return await launchctl("bootstrap", domain, definitionPath);
        },
        () => launchctl("kickstart", target),
      ]),
    start: () => launchctl("kickstart", target),
    stop: () => launchctl("kill", "SIGTERM", target),
    restart: () => launchctl("kickstart", "-k", target),
    async uninstall() {
      const unloaded = await launchctl("bootout", target);
      const removed = removeDefinition(definitionPath);
      return unloaded.code === 0 ? removed : unloaded;
    },
  };
}
