import { projectPaths, workingTreeRoot } from "../projects/mod.ts";
import { buildFindings } from "../review/findings/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Rebuilds the findings store (review.md 3); neither `init` nor registration is needed. */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, progress } = context;
  const paths = projectPaths(await workingTreeRoot(context.cwd));
  const built = await buildFindings(paths, {
    dataDirectory,
    clock,
    seal: () => crypto.randomUUID(),
    onStep: (what) => progress.step(what),
  });
  if (built.shallow) {
    context.warn(
      "this clone is shallow, so findings of older commits are missing; run " +
        "`git fetch --unshallow origin main`, then `theurian findings build` again",
    );
  }
  return {
    document: {
      built: true,
      findings: built.findings,
      rejected: built.rejected,
      parserStamp: built.parserStamp,
      storePath: built.storePath,
      ...(built.shallow ? { shallow: true } : {}),
    },
  };
}
