import { projectPaths, workingTreeRoot } from "../projects/mod.ts";
import { buildReview } from "../review/search/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { withReviewCure } from "./review_paths.ts";

/**
 * Rebuilds the review store (review.md 7). A bad record is named and left out: exit 1 with the
 * document, the rest is served.
 */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, progress } = context;
  const root = await workingTreeRoot(context.cwd);
  const paths = withReviewCure(root, () => projectPaths(root));
  const { records, storePath, skippedRecords, forkedFolders } = await buildReview(paths, {
    dataDirectory,
    clock,
    seal: () => crypto.randomUUID(),
    onStep: (what, done, total) => progress.step(what, done, total),
  });
  const skipped = skippedRecords.map(({ path, repository, error, remedy }) => ({
    path: `.theurian/review/${path}`,
    repository,
    error,
    remedy,
  }));
  return {
    document: {
      built: true,
      records,
      withheld: 0,
      storePath,
      ...(skipped.length === 0 ? {} : { skippedRecords: skipped }),
      ...(forkedFolders.length === 0 ? {} : { forkedFolders }),
    },
    exit: skipped.length === 0 ? 0 : 1,
  };
}
