import { buildIndex } from "../index/mod.ts";
import { locateProject } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Builds and publishes the retrieval index (index-build.md 2.1); exit 6 is published with findings. */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const { dataDirectory, clock, ulids, progress } = context;
  const project = await locateProject(context.cwd, dataDirectory);
  try {
    const { report, exit } = await buildIndex(project, {
      dataDirectory,
      clock,
      ulids,
      includeUnapproved: input.options["includeUnapproved"] === true,
      embeddings: input.options["noEmbeddings"] !== true,
      raptor: input.options["raptor"] === true,
      step: (what, done, total) => progress.step(what, done, total),
    });
    return { document: { ...report }, exit };
  } finally {
    progress.done();
  }
}
