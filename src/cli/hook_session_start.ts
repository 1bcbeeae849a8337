/**
 * Everything a session hook asks, in one start of the process (cli-and-plugins.md 4.3): versions, the
 * daemon, this directory's project. Changes nothing unless `--resume` lets it start a service that a
 * person installed.
 *
 * @module
 */

import { CORE_VERSION, judge, PROTOCOL_VERSION } from "../compat/mod.ts";
import { IMPLEMENTATION, probePort } from "../daemon/mod.ts";
import { isFault } from "../platform/errors.ts";
import { endProgramsWithin } from "../platform/process.ts";
import { findServiceManager } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { declarationInFile } from "./compat_check.ts";
import { portOf } from "./port_option.ts";
import { run as projectStatus } from "./project_status.ts";
import { serviceEnvironment } from "./service_environment.ts";

/** The host ends a hook after five seconds; what hangs is told before that. */
const PROGRAMS_MS = 2_500;

/**
 * The document is the host's own form: nothing when all is well, else one message for the person and
 * the same for the model. Exit 0 whatever is found.
 */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  endProgramsWithin(PROGRAMS_MS);
  const warning = await firstWarning(input, context);
  if (warning === null) return { document: input.json ? {} : null };
  const message = `Theurian: ${warning}`;
  return {
    document: {
      systemMessage: message,
      hookSpecificOutput: {
        hookEventName: "SessionStart",
        additionalContext: `${message} Tell the user if it matters for their task; ` +
          "do not run setup, registration or indexing unasked.",
      },
    },
    text: message,
  };
}

async function firstWarning(input: CommandInput, context: CommandContext): Promise<string | null> {
  try {
    return await compatibilityWarning(input, context) ?? await daemonWarning(input, context) ??
      await projectWarning(input, context);
  } catch (error) {
    if (!isFault(error)) throw error;
    return `${error.message}. ${error.remedy}.`;
  }
}

async function compatibilityWarning(
  input: CommandInput,
  context: CommandContext,
): Promise<string | null> {
  const declaration = await declarationInFile(input.options["declaration"] as string, context);
  const verdict = "fault" in declaration
    ? { outcome: "invalid-declaration" as const, error: declaration.fault }
    : judge(declaration, { version: CORE_VERSION, protocol: PROTOCOL_VERSION });
  if (verdict.outcome === "invalid-declaration") {
    return `the plugin's compatibility.yaml cannot be used: ${verdict.error}. ` +
      "Reinstall the plugin; Theurian was not checked further.";
  }
  return verdict.compatible ? null : `${verdict.message} ${verdict.remedy}`;
}

async function daemonWarning(input: CommandInput, context: CommandContext): Promise<string | null> {
  const port = portOf(input);
  const probe = await probePort(port);
  if (probe.kind === "theurian") {
    return probe.health.implementation === IMPLEMENTATION
      ? null
      : `another implementation's daemon answers on port ${port}. Run /theurian:doctor.`;
  }
  if (probe.kind === "foreign") {
    return `what listens on port ${port} does not answer as a Theurian daemon. ` +
      "Run /theurian:doctor.";
  }
  const manager = await findServiceManager(serviceEnvironment(context));
  if (manager === null || await manager.state() !== "installed-stopped") {
    return "the daemon is not running. Run /theurian:setup.";
  }
  if (input.options["resume"] !== true) {
    return "the daemon is stopped. Start it with `theurian daemon start`.";
  }
  const { code } = await manager.start();
  return code === 0 ? null : "the daemon's service does not start. Run /theurian:doctor.";
}

/** Silent outside a repository, and where it cannot be known whether the project is registered. */
async function projectWarning(
  input: CommandInput,
  context: CommandContext,
): Promise<string | null> {
  const { document } = await projectStatus(input, context);
  const { root, registered, reason, remedy, indexStale, stateBuilt } = document!;
  if (registered === false && root !== undefined) {
    return "this repository is not registered. Run /theurian:register-project.";
  }
  if (registered !== true) return null;
  if (typeof reason === "string") return `${reason}. ${String(remedy)}.`;
  if (stateBuilt === false) {
    return "the migrations of this checkout are not applied. Run /theurian:migrate.";
  }
  return indexStale === true ? "the index is out of date. Run /theurian:index." : null;
}
