import { isOurs, servesDirectory } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { decodeUtf8, readRegularFileIfPresent, realPath } from "../platform/files/mod.ts";
import { conflicting, type Finding, missing, notApplicable, satisfied } from "./report.ts";
import {
  commandFault,
  MANAGER,
  type ServiceDifference,
  type ServiceManager,
  waitForDaemon,
} from "./service/mod.ts";
import type { SetupStep } from "./setup_step.ts";
import type { SetupWorld } from "./setup_world.ts";

const DEFINITION_BYTES = 1 << 20;

export const daemonServiceStep: SetupStep = {
  id: "daemon-service",
  critical: true,
  probe(world) {
    const { manager } = world;
    if (manager === null) return byHand(world);
    const wanted = wantedDefinition(manager, world);
    const bytes = readRegularFileIfPresent(manager.definitionPath, { maxBytes: DEFINITION_BYTES });
    if (bytes === null) {
      const action = `Install ${manager.service} and start it`;
      return missing("The daemon's service is not installed", action, [manager.definitionPath]);
    }
    const installed = decodeUtf8(bytes);
    if (installed === null) return conflict("it is not UTF-8");
    const difference = manager.compare(installed, wanted);
    if (difference === null) return satisfied(`${manager.service} is installed`);
    return conflict(world.withhold ? withheld(difference) : difference.text);
  },
  async apply(world) {
    const manager = world.manager!;
    const result = await manager.install(wantedDefinition(manager, world));
    if (result.code !== 0) {
      throw commandFault(
        "install the service",
        MANAGER,
        result,
        "Mend what it names, then run setup again",
      );
    }
  },
};

function wantedDefinition(manager: ServiceManager, world: SetupWorld): string {
  const { dataDirectory, port } = world;
  return manager.define({ executable: world.executable ?? "theurian", dataDirectory, port });
}

function conflict(detail: string): Finding {
  return conflicting(
    "The installed service differs from what setup would write",
    detail,
    "Remove it with `theurian uninstall` and run setup again, or keep it as it is",
  );
}

/** Names of our own fields and a count; never a value, never a foreign name. */
export function withheld({ fields, others }: Pick<ServiceDifference, "fields" | "others">): string {
  const ours = fields.length === 0 ? "no field of ours differs" : `differing: ${fields.join(", ")}`;
  return `${ours}; ${others} other`;
}

function byHand({ port, system }: SetupWorld): Finding {
  const where = system === "windows" ? "on Windows yet" : "on this machine";
  return notApplicable(
    `There is no user service manager that Theurian can use ${where}`,
    `run it in a terminal that stays open: theurian daemon start --foreground --port ${port}; ` +
      "starting at login and after a failure is then not automatic",
  );
}

export const daemonRunningStep: SetupStep = {
  id: "daemon-running",
  probe({ manager, port }, { health }) {
    if (health !== null) return satisfied(`A daemon answers on port ${port}`);
    if (manager === null) return notApplicable("No daemon answers, and no service could start one");
    return missing(
      `No daemon answers on port ${port}`,
      "Start the service and wait until it answers",
    );
  },
  async apply({ manager, port, startWaitMs }) {
    const started = await manager!.start();
    const remedy = "Read `theurian daemon logs`, mend what they name, then run setup again";
    if (started.code !== 0) throw commandFault("start the service", MANAGER, started, remedy);
    if (await waitForDaemon(port, startWaitMs) !== null) return;
    const said = started.output === "" ? "" : `; the service manager said: ${started.output}`;
    throw new TheurianError(
      "service-unavailable",
      `Nothing answers on port ${port} within ${startWaitMs / 1000} seconds${said}`,
      { remedy },
    );
  },
};

export const singleInstanceStep: SetupStep = {
  id: "single-instance",
  probe({ dataDirectory, port, withhold }, { health }) {
    if (health === null) return notApplicable("No daemon answers");
    if (!isOurs(health)) {
      return conflicting(
        `Another implementation's daemon answers on port ${port}`,
        `its version is ${health.version ?? "unknown"}`,
        "Stop that daemon, or give this one another port with --port",
      );
    }
    const ours = realPath(dataDirectory) ?? dataDirectory;
    if (servesDirectory(health, ours, realPath)) {
      return satisfied("The daemon that answers serves this data directory");
    }
    return conflicting(
      `The daemon on port ${port} serves another data directory`,
      withhold ? "<another data directory>" : health.dataDir,
      "Set THEURIAN_DATA_DIR to it, or give this one another port with --port",
    );
  },
};
