import { resolve } from "node:path";
import { loadMigrationSet, verifyHistory } from "../knowledge/mod.ts";
import { importBundle } from "../okf/mod.ts";
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
  const refusals = report.refusals.map(({ kind, key, literal }) => `${kind} ${key}: ${literal}`);
  return { document: { ...report }, text: documentText({ ...report, refusals }) };
}
