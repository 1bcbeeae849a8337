/** The ranking keeps what it is judged by (decision 20). `deno task relevance` prints the numbers. */

import assert from "node:assert/strict";
import { availableCorpora } from "./corpora.ts";
import { isHeldOut, judge, type Judgement, measure, VARIANTS } from "./evaluate.ts";

const PUBLIC_ARCHIVE = Deno.env.get("THEURIAN_PUBLIC_CORPUS");
const corpora = availableCorpora(PUBLIC_ARCHIVE);
const SHIPPED = VARIANTS[0]!;

async function judged(name: string): Promise<readonly Judgement[]> {
  const corpus = corpora.find((one) => one.name === name)!;
  return (await judge(corpus, [SHIPPED])).get(SHIPPED.name)!;
}

Deno.test("The labelled queries are many, of ten kinds, over several corpora, a third of them held out", () => {
  const queries = corpora.flatMap((corpus) => corpus.queries);
  assert.ok(queries.length >= 100);
  assert.ok(corpora.length >= 2);
  assert.deepEqual([...new Set(queries.map((one) => one.kind))].sort(), [
    ...["cjk", "identifier", "inflection", "noise", "paraphrase", "partial-identifier"],
    ...["phrase", "question", "symbol", "typo"],
  ]);
  const heldOut = queries.filter(isHeldOut).length;
  assert.ok(heldOut * 4 >= queries.length, `${heldOut} of ${queries.length}`);
  for (const { name, queries } of corpora) {
    const asked = queries.map((one) => one.query);
    assert.equal(new Set(asked).size, asked.length, `${name} asks a query twice`);
  }
});

Deno.test("Queries that were held out find what they want: first, or at least among ten", async () => {
  const judgements = [
    ...await judged("harbour"),
    ...await judged("charging"),
    ...await judged("ledger"),
  ];
  const { mrr, hitAt1, recallAt10 } = measure(judgements.filter((one) => one.heldOut));
  assert.ok(mrr >= 0.9, `MRR@10 ${mrr}`);
  assert.ok(hitAt1 >= 0.85, `hit@1 ${hitAt1}`);
  assert.ok(recallAt10 >= 0.98, `recall@10 ${recallAt10}`);
});

Deno.test("Every kind of query but the paraphrase is answered first nearly always", async () => {
  const judgements = [
    ...await judged("harbour"),
    ...await judged("charging"),
    ...await judged("ledger"),
  ];
  for (const kind of new Set(judgements.map((one) => one.kind))) {
    const { hitAt1 } = measure(judgements.filter((one) => one.kind === kind));
    assert.ok(hitAt1 >= (kind === "paraphrase" ? 0.6 : 0.9), `${kind}: ${hitAt1}`);
  }
});

Deno.test("Queries that were written before a change and asked once after it find what they want", async () => {
  const judgements = [...await judged("harbour afresh"), ...await judged("charging afresh")];
  const { mrr, hitAt1, recallAt10 } = measure(judgements);
  assert.ok(mrr >= 0.8, `MRR@10 ${mrr}`);
  assert.ok(hitAt1 >= 0.75, `hit@1 ${hitAt1}`);
  assert.ok(recallAt10 >= 0.92, `recall@10 ${recallAt10}`);
});

Deno.test({
  name: "The public corpus is answered first nearly always, plain questions too",
  ignore: PUBLIC_ARCHIVE === undefined,
  fn: async () => {
    const judgements = await judged("public");
    const { mrr, recallAt10 } = measure(judgements);
    assert.ok(mrr >= 0.95, `MRR@10 ${mrr}`);
    assert.ok(recallAt10 >= 0.98, `recall@10 ${recallAt10}`);
    const questions = measure(judgements.filter((one) => one.kind === "question"));
    assert.ok(questions.hitAt1 >= 0.8, `questions: hit@1 ${questions.hitAt1}`);
  },
});
