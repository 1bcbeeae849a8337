/**
 * Prints how well the ranking answers the labelled queries of `tests/relevance`, kind by kind, with
 * the held-out third apart and what each part of the ranking is worth (decision 20).
 *
 * `deno task relevance [--misses] [--corpus=NAME] [--peer=COMMAND]`;
 * `THEURIAN_PUBLIC_CORPUS` names the archive of the public corpus. A peer, another implementation of
 * the contract, is asked the same queries. The last line is JSON for the bench report.
 *
 * @module
 */

import { availableCorpora } from "../tests/relevance/corpora.ts";
import { programOf } from "./bench_options.ts";
import { judgeProgram } from "../tests/relevance/judge_program.ts";
import { judge, type Judgement, measure, VARIANTS } from "../tests/relevance/evaluate.ts";

const showMisses = Deno.args.includes("--misses");
const onlyCorpus = Deno.args.find((word) => word.startsWith("--corpus="))?.slice(
  "--corpus=".length,
);
const peer = programOf(
  Deno.args.find((word) => word.startsWith("--peer="))?.slice("--peer=".length),
);
const ofPeer: Judgement[] = [];
const byVariant = new Map<string, Judgement[]>();
for (const corpus of availableCorpora(Deno.env.get("THEURIAN_PUBLIC_CORPUS"))) {
  if (onlyCorpus !== undefined && corpus.name !== onlyCorpus) continue;
  for (const [variant, judgements] of await judge(corpus, VARIANTS)) {
    byVariant.set(variant, [...byVariant.get(variant) ?? [], ...judgements]);
  }
  if (peer !== null) ofPeer.push(...await judgeProgram(corpus, peer));
}

const shipped = byVariant.get(VARIANTS[0]!.name)!;
const lines = [heading()];
for (const corpus of new Set(shipped.map((one) => one.corpus))) {
  const ours = shipped.filter((one) => one.corpus === corpus);
  lines.push(row(corpus, ours));
  lines.push(row("  held out", ours.filter((one) => one.heldOut)));
  const theirs = ofPeer.filter((one) => one.corpus === corpus);
  if (theirs.length > 0) lines.push(row("  peer", theirs));
}
lines.push(row("all held out", shipped.filter((one) => one.heldOut)), "");
for (const kind of [...new Set(shipped.map((one) => one.kind))].sort()) {
  lines.push(row(kind, shipped.filter((one) => one.kind === kind)));
}
lines.push("");
for (const [variant, judgements] of byVariant) lines.push(row(variant, judgements));
if (showMisses) lines.push("", ...shipped.filter((one) => one.position !== 0).map(miss));
print(lines.join("\n"));
print(JSON.stringify({
  relevance: {
    all: measure(shipped),
    heldOut: measure(shipped.filter((one) => one.heldOut)),
  },
}));

function heading(): string {
  return `${"".padEnd(26)}${["queries", "MRR@10", "hit@1", "recall@10"].map(cell).join("")}`;
}

function row(name: string, judgements: readonly Judgement[]): string {
  const { queries, mrr, hitAt1, recallAt10 } = measure(judgements);
  const numbers = [mrr, hitAt1, recallAt10].map((value) => value.toFixed(3));
  return `${name.padEnd(26)}${[String(queries), ...numbers].map(cell).join("")}`;
}

function cell(text: string): string {
  return text.padStart(11);
}

function miss({ corpus, kind, query, wanted, position, first, heldOut }: Judgement): string {
  const place = position < 0 ? "not among ten" : `place ${position + 1}`;
  const shown = heldOut ? "(held out)" : JSON.stringify(query);
  return `${corpus} ${kind} ${shown}: ${wanted[0]} at ${place}, first ${first}`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
