import type { ExitCode } from "../platform/errors.ts";
import { runSetup, type SetupReport, type SetupState } from "../setup/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { portOf } from "./port_option.ts";
import { setupWorld } from "./setup_world.ts";
import { stepLines } from "./step_text.ts";

const EXIT_OF: Readonly<Record<SetupState, ExitCode>> = {
  "plan-built": 0,
  "converged": 0,
  "degraded": 0,
  "awaiting-consent": 5,
  "halted": 1,
  "aborted": 1,
};

/** Prepares this machine; what differs from ours is never replaced (daemon-and-setup.md 7). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const world = await setupWorld(context, portOf(input), false);
  const report = await runSetup(world, {
    dryRun: input.options["dryRun"] === true,
    approveConflicts: input.options["approveConflicts"] === true,
  });
  return { document: { ...report }, text: textOf(report), exit: EXIT_OF[report.state] };
}

function textOf(report: SetupReport): string {
  const lines = [
    ...stepLines(report),
    ...report.changedPaths.map((path) => `changed: ${path}`),
    ...report.warnings.map((warning) => `warning: ${warning.replaceAll("\n", "\n  ")}`),
    `state: ${report.state}`,
  ];
  if (report.state === "awaiting-consent") {
    lines.push("Nothing was written. To leave these as they are and do the rest, run:");
    lines.push("  theurian setup --approve-conflicts");
  }
  return `${lines.join("\n")}\n`;
}
