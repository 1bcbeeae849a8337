import { resolve } from "node:path";
import { loadMigrationSet, verifyHistory } from "../knowledge/mod.ts";
import { importBundle, type ImportReport } from "../okf/mod.ts";
import { locateProject, WRITE_LOCK_WAIT } from "../projects/mod.ts";
import { commandLineSurface } from "../proposals/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { documentText } from "./render_text.ts";

/** Drafts the concepts of a bundle as proposals (okf.md section 5). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const set = loadMigrationSet(project.paths);
  verifyHistory(project, context.dataDirectory, set);
  const option = (name: string) => input.options[name] as string;
  const report = await importBundle(
    {
      bundle: resolve(context.cwd, input.arguments["BUNDLE"] as string),
      owner: option("owner"),
      author: option("author"),
      evidence: {
        agentId: option("agentId"),
        taskId: option("taskId"),
        model: option("model"),
        reasoning: option("reasoning"),
      },
      items: input.options["item"] as readonly string[],
      dryRun: input.options["dryRun"] === true,
    },
    {
      project,
      clock: context.clock,
      ulids: context.ulids,
      surface: commandLineSurface(set),
      lockWaitMs: WRITE_LOCK_WAIT,
      nextSteps: () => [],
    },
    (done, total) => context.progress.step("Drafting", done, total),
  );
  const isEmpty = report.conceptsAdmitted === 0 && report.refusals.length > 0;
  return {
    document: { ...report },
    text: documentText({ ...report, ...linesOf(report) }),
    ...(isEmpty && input.options["strict"] === true ? { exit: 7 as const } : {}),
  };
}

/** Lists of records as one line each. */
function linesOf({ refusals, flagged }: ImportReport): Record<string, readonly string[]> {
  const lines = refusals.map(({ kind, key, literal, concept }) =>
    `${kind} ${key}: ${literal}${concept === undefined ? "" : ` (in ${concept})`}`
  );
  return {
    refusals: lines,
    ...(flagged === undefined ? {} : {
      flagged: flagged.map(({ flag, itemId, concept }) => `${flag} ${itemId} (in ${concept})`),
    }),
  };
}
