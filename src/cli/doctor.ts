import { CORE_VERSION } from "../compat/versions.ts";
import { type DoctorReport, runDoctor, runSharedDoctor } from "../setup/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { portOf } from "./port_option.ts";
import { setupWorld } from "./setup_world.ts";
import { stepLines } from "./step_text.ts";

/** Looks and repairs nothing; exit 1 with problems (daemon-and-setup.md 7.7). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const share = input.options["report"] === true;
  const world = await setupWorld(context, portOf(input), share);
  const report = share
    ? await runSharedDoctor(world, { platform: platform(), version: CORE_VERSION })
    : await runDoctor(world);
  return { document: { ...report }, text: textOf(report), exit: report.healthy ? 0 : 1 };
}

function platform(): string {
  return `${Deno.build.os} ${Deno.build.arch} deno ${Deno.version.deno}`;
}

function textOf(report: DoctorReport): string {
  const { status, policy, findings, remedy } = report.indexSecretScan;
  const scan = `secret scan of the index: ${status}` +
    (policy === null ? "" : ` (policy ${policy}, ${findings} findings)`);
  const lines = [
    ...stepLines(report),
    scan,
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
    report.healthy ? "healthy" : `problems: ${report.problemCount}`,
  ];
  return `${lines.join("\n")}\n`;
}
