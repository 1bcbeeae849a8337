import { locateProject, workingTreeRoot } from "../projects/mod.ts";
import { projectPaths } from "../projects/mod.ts";
import { ingestReviews } from "../review/ingest/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { withReviewCure } from "./review_paths.ts";

/**
 * Ingests reviews (review.md 5). The document goes to stdout also when the store could not be
 * rebuilt after the records had landed; stderr then carries the error.
 */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, ulids, progress } = context;
  const root = await workingTreeRoot(context.cwd);
  withReviewCure(root, () => projectPaths(root));
  const project = await locateProject(context.cwd, dataDirectory);
  const since = input.options["since"];
  const { report, failure } = await ingestReviews({
    repository: String(input.arguments["OWNER/REPO"]),
    limit: Number(input.options["limit"]),
    since: typeof since === "number" ? BigInt(since) : null,
  }, {
    project,
    dataDirectory,
    clock,
    ulids,
    seal: () => crypto.randomUUID(),
    environment: {
      ghConfigDirectory: context.variable("GH_CONFIG_DIR"),
      xdgConfigHome: context.variable("XDG_CONFIG_HOME"),
      home: context.home,
    },
    onStep: (what, done, total) => progress.step(what, done, total),
  });
  const document = { ...report };
  if (failure === null) return { document, exit: report.clean ? 0 : 1 };
  return {
    document,
    exit: failure.exit,
    failure: { error: failure.message, remedy: failure.remedy },
  };
}
