/**
 * Commands, timed from process start to process end.
 *
 * @module
 */

import type { Measure } from "./bench_samples.ts";
import { type Bench, interleaved, processorOf, type Side } from "./bench_side.ts";

type Take = (side: Side, round: number) => Promise<number>;

/** Everything about commands, in the order in which a project lives through it. */
export async function measureCommands(bench: Bench): Promise<Measure[]> {
  const { sides, rounds, tell } = bench;
  const measures: Measure[] = [];
  const take = async (name: string, target: number, times: number, work: Take) => {
    tell(name);
    processorOf(sides, times);
    const samples = await interleaved(sides, times, work);
    const processor = processorOf(sides, times);
    measures.push({ name, unit: "ms", target, ...samples, processor });
  };
  const light = 2 * rounds + 3;
  await take("version", 5, light, (side) => side.time("version"));
  await take("first apply", 10, rounds, async (side) => {
    await side.forget();
    return await side.time("migrate", "apply");
  });
  await take("build without vectors", 20, rounds, fromNothing("--no-embeddings"));
  await take("forest build", 12, rounds, fromNothing("--raptor"));
  await take("plain build", 12, rounds, fromNothing());
  await take("migrate apply, nothing to do", 30, light, (side) => side.time("migrate", "apply"));
  await take("migrate status", 30, light, (side) => side.time("migrate", "status"));
  await take("index status", 30, light, (side) => side.time("index", "status"));
  await take("apply, one more migration of 50 items", 50, rounds, async (side, round) => {
    bench.corpus.addItems(side.root, round, 50);
    await side.commit("Add items");
    return await side.time("migrate", "apply");
  });
  measures.push(...await measureChange(bench, "", 0));
  measures.push(...await measureChange(bench, ", forest", rounds, "--raptor"));
  return measures;
}

function fromNothing(...flags: string[]): Take {
  return async (side) => {
    side.forgetIndexes();
    return await side.time("index", "build", ...flags);
  };
}

/**
 * One item is revised; its apply and the build behind it, over an index of the same kind. Items from
 * number `first` on have not been revised before.
 */
async function measureChange(
  { sides, corpus, rounds, tell }: Bench,
  kind: string,
  first: number,
  ...flags: string[]
): Promise<Measure[]> {
  tell(`one changed item${kind}`);
  for (const side of sides) await side.command("index", "build", ...flags);
  processorOf(sides, rounds);
  const applies = { ours: [] as number[], peer: [] as number[] };
  const builds = await interleaved(sides, rounds, async (side, round) => {
    corpus.changeItem(side.root, first + round);
    await side.commit("Change an item");
    applies[side.name].push(await side.time("migrate", "apply"));
    return await side.time("index", "build", ...flags);
  });
  const both = (name: "ours" | "peer") => applies[name].map((ms, i) => ms + builds[name][i]!);
  return [
    { name: `apply, one changed item${kind}`, unit: "ms", target: 50, ...applies },
    { name: `build after one changed item${kind}`, unit: "ms", target: 50, ...builds },
    {
      name: `one changed item, apply and build${kind}`,
      unit: "ms",
      ours: both("ours"),
      peer: both("peer"),
      processor: processorOf(sides, rounds),
    },
  ];
}
