import { dataPaths } from "../daemon/mod.ts";
import type { ExitCode } from "../platform/errors.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { runSetup, type SetupReport, type SetupState } from "../setup/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { portOf } from "./port_option.ts";
import { setupWorld } from "./setup_world.ts";
import { stepLines } from "./step_text.ts";

/** Exit code of a setup by the state it ended in; 5 asks for consent (daemon-and-setup.md 7.4). */
export const EXIT_OF_SETUP: Readonly<Record<SetupState, ExitCode>> = {
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
  const env = dataPaths(world.dataDirectory).env;
  return { document: { ...report }, text: textOf(report, env), exit: EXIT_OF_SETUP[report.state] };
}

function textOf(report: SetupReport, env: string): string {
  const lines = [
    ...stepLines(report),
    ...report.changedPaths.map((path) => `changed: ${path}`),
    ...report.warnings.map((warning) => `warning: ${warning.replaceAll("\n", "\n  ")}`),
    `state: ${report.state}`,
  ];
  const isNew = report.steps.some(({ id, outcome }) =>
    id === "env-reference" && outcome === "changed"
  );
  if (report.succeeded && isNew) {
    lines.push("Clients read the token from your shell. Add this line to its profile, once:");
    lines.push(`  . ${shellQuote(env)}`);
  }
  if (report.state === "awaiting-consent") {
    lines.push("Nothing was written. To leave these as they are and do the rest, run:");
    lines.push("  theurian setup --approve-conflicts");
  }
  return `${lines.join("\n")}\n`;
}
