/**
 * The labelled queries put to a program: its commands apply and index the corpus, its daemon answers.
 *
 * @module
 */

import { McpConnection } from "../../scripts/bench_http.ts";
import { startDaemon, stopDaemon } from "../../scripts/bench_serving.ts";
import { Side } from "../../scripts/bench_side.ts";
import type { Program } from "../../scripts/program.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { copyTree, type Corpus } from "./corpora.ts";
import { DEPTH, type Judgement, judgementOf } from "./evaluate.ts";

/** Asks a program every query of a corpus; the corpus and all that is derived are removed again. */
export async function judgeProgram(corpus: Corpus, program: Program): Promise<Judgement[]> {
  const work = await Deno.makeTempDir({ prefix: "theurian-relevance-" });
  try {
    const side = new Side("peer", program, work);
    await inScratchProject(async (project) => {
      await corpus.fill(project);
      const from = project.at(".theurian");
      await side.create((root) => Promise.resolve(copyTree(from, `${root}/.theurian`)));
    });
    await side.command("migrate", "apply");
    await side.command("index", "build");
    const daemon = await startDaemon(side);
    try {
      const client = await McpConnection.open(daemon.port, daemon.token);
      const judgements: Judgement[] = [];
      for (const labelled of corpus.queries) {
        const input = { projectId: "bench", query: labelled.query, limit: DEPTH };
        const { results } = await client.call("knowledge.search", input);
        const ids = (results as readonly { readonly itemId: string }[]).map((one) => one.itemId);
        judgements.push(judgementOf(corpus, labelled, ids));
      }
      client.close();
      return judgements;
    } finally {
      await stopDaemon(daemon);
    }
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}
