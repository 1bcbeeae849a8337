/**
 * Searches over a real project, given as an archive of its tree.
 *
 * @module
 */

import { type Measure } from "./bench_samples.ts";
import { Side } from "./bench_side.ts";
import { measureSearches } from "./bench_serving.ts";
import type { Program } from "./program.ts";

/** Most questions; the first words and the last words of a title are one each. */
const MOST_QUESTIONS = 60;

/** Unpacks the archive for each program, indexes it and asks it what its titles say. */
export async function measureProject(
  archive: string,
  work: string,
  programs: readonly Program[],
  rounds: number,
): Promise<Measure[]> {
  const sides = programs.map((program, i) => new Side(i === 0 ? "ours" : "peer", program, work));
  for (const side of sides) {
    await side.create((root) => unpack(archive, root));
    await side.command("migrate", "apply");
    await side.command("index", "build");
  }
  const questions = questionsOf(`${sides[0]!.root}/.theurian/migrations`);
  return await measureSearches(sides, questions, rounds);
}

async function unpack(archive: string, root: string): Promise<void> {
  const { success } = await new Deno.Command("tar", { args: ["-xzf", archive, "-C", root] })
    .output();
  if (!success) throw new Error(`Cannot unpack ${archive}`);
}

/** The beginning and the end of each title, and its longest word. */
function questionsOf(migrations: string): string[] {
  const questions: string[] = [];
  for (
    const { name } of [...Deno.readDirSync(migrations)].sort((a, b) => a.name < b.name ? -1 : 1)
  ) {
    const text = Deno.readTextFileSync(`${migrations}/${name}`);
    for (const [, title] of text.matchAll(/^ +title: +["']?(.+?)["']?$/gm)) {
      const words = title!.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
      questions.push(words.slice(0, 3).join(" "), words.slice(-4).join(" "));
      questions.push(words.toSorted((a, b) => b.length - a.length)[0] ?? title!);
    }
  }
  return questions.slice(0, MOST_QUESTIONS);
}
