/**
 * Measures the compiled program on corpora of several sizes and, when another implementation is
 * named, that one in turns with ours. Quote ratios; a time alone says more about the machine.
 *
 * @module
 */

import { basename } from "node:path";
import { measureCommands } from "./bench_commands.ts";
import { BenchCorpus } from "./bench_corpus.ts";
import { type BenchOptions, readOptions, USAGE } from "./bench_options.ts";
import { describeMachine, type SizeResult, tableOf } from "./bench_report.ts";
import { measureProject } from "./bench_project.ts";
import type { Measure } from "./bench_samples.ts";
import { measureAnswers, measureStarts } from "./bench_serving.ts";
import { type Bench, Side } from "./bench_side.ts";
import { findProgram, type Program } from "./program.ts";

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function tell(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Repetitions that keep a run bearable. */
function roundsFor(items: number): number {
  return items > 5000 ? 3 : 5;
}

async function measureSize(
  items: number,
  work: string,
  programs: readonly Program[],
  options: BenchOptions,
): Promise<SizeResult> {
  const corpus = new BenchCorpus({ seed: options.seed, items, itemsPerMigration: 50 });
  const names = ["ours", "peer"] as const;
  const sides = programs.map((program, i) => new Side(names[i]!, program, work));
  const rounds = options.rounds ?? roundsFor(items);
  const bench: Bench = { sides, corpus, rounds, tell: (what) => tell(`${items} items: ${what}`) };
  bench.tell("writing the corpus");
  for (const side of sides) await side.create((root) => corpus.write(root));
  const measures: Measure[] = [];
  if (options.sections.includes("commands")) measures.push(...await measureCommands(bench));
  else {
    for (const side of sides) {
      await side.command("migrate", "apply");
      await side.command("index", "build");
    }
  }
  measures.push(indexSizes(bench));
  if (options.sections.includes("starts")) measures.push(...await measureStarts(bench));
  if (options.sections.includes("answers")) measures.push(...await measureAnswers(bench));
  return { items, measures };
}

function indexSizes({ sides }: Bench): Measure {
  const sizes = { ours: [] as number[], peer: [] as number[] };
  for (const side of sides) sizes[side.name].push(side.indexBytes() / 2 ** 20);
  return { name: "index file", unit: "MB", target: 2, ...sizes };
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    tell(USAGE);
    return 2;
  }
  const ours = findProgram();
  const programs = options.peer === null ? [ours] : [ours, options.peer];
  const machine = describeMachine(ours.description, options.peer?.description ?? null);
  say(`${machine.processor}, ${machine.cores} cores, load ${machine.load.toFixed(1)}`);
  say(programs.map((program) => program.description).join("; "));
  const work = await Deno.makeTempDir({ prefix: "theurian-bench-" });
  const sizes: SizeResult[] = [];
  const report = async (size: SizeResult) => {
    sizes.push(size);
    say(`\n${tableOf(size)}`);
    if (options.json === null) return;
    await Deno.writeTextFile(options.json, JSON.stringify({ machine, sizes }, null, 2));
  };
  try {
    for (const items of options.items) {
      await report(await measureSize(items, `${work}/${items}`, programs, options));
    }
    if (options.project !== null) {
      const { project, rounds } = options;
      const measures = await measureProject(project, `${work}/project`, programs, rounds ?? 5);
      await report({ items: basename(project), measures });
    }
  } finally {
    if (options.keep) tell(`The projects are in ${work}`);
    else await Deno.remove(work, { recursive: true });
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
