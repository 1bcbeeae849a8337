/**
 * Any text is a query (decision 21): thousands of ordinary, odd and hostile ones are answered or
 * refused cleanly, the same way twice, in bounded time, and every answer is what it says it is.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { openActiveState, type StateReader } from "../../src/knowledge/mod.ts";
import { foldWord, readableText } from "../../src/lexicon/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { isBlank } from "../../src/platform/text.ts";
import { explainSearch, normaliseQuery } from "../../src/search/mod.ts";
import { charging, harbour } from "../relevance/corpora.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import {
  call,
  type Caller,
  codeOf,
  payloadOf,
  refusalText,
  register,
} from "../support/tool_calls.ts";

/** Milliseconds that no query may take, on a slow machine that does other things too. */
const MOST_TIME = 2_000;
const EMPTY_REASONS = [
  ...["no-match", "not-indexed", "index-stale-scan", "all-outside-asof", "budget-too-small"],
];

const asked = [...charging().queries, ...harbour().queries].map((one) => one.query);
const ordinary = fc.constantFrom(...asked);

/** A query with something left out, doubled, exchanged or put in. */
const mangled = fc.tuple(
  ordinary,
  fc.nat(200),
  fc.constantFrom("", '"', "\0", "*", " AND ", "\ud800", "x", "-"),
)
  .map(([text, at, put]) =>
    text.slice(0, at % text.length) + put + text.slice(at % text.length + 1)
  );

const operators = fc.array(
  fc.constantFrom(
    ...[
      '"',
      "'",
      "“",
      "”",
      "「",
      "」",
      "(",
      ")",
      "*",
      ":",
      "^",
      "-",
      "+",
      "~",
      "\\",
      "%",
      "_",
      "/",
    ],
    ...[
      "AND",
      "OR",
      "NOT",
      "NEAR(",
      "NEAR/2",
      "title:",
      "text:",
      "{a b}",
      ";--",
      "<!--",
      "$1",
      "${x}",
    ],
    ...[
      "\0",
      "\n",
      "\r",
      "\t",
      "\u0085",
      "\u2028",
      "\ufeff",
      "\u200b",
      "\u202e",
      "\u200d",
      "\ufe0f",
    ],
    ...["charging", "station", "SUSPENDED_EVSE", "認証", "充电", "kWh", "é", "ß", "İ", "ﬁ"],
  ),
  { minLength: 1, maxLength: 40 },
).chain((parts) => fc.constantFrom("", " ").map((between) => parts.join(between)));

/** Any code units, so lone surrogates too. */
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 120 })
  .map((codes) => String.fromCharCode(...codes));
const points = fc.string({ unit: "binary", minLength: 1, maxLength: 120 });
const graphemes = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });

const scripts = fc.array(
  fc.constantFrom(
    ...[
      "🚗",
      "👨‍👩‍👧‍👦",
      "🇯🇵",
      "🏳️‍🌈",
      "שלום",
      "مرحبا",
      "हिन्दी",
      "ไทย",
      "한국어",
      "ー",
      "・",
      "ｶﾞ",
      "㍿",
      "𠀀",
    ],
    ...["a\u0301\u0302\u0303", "e\u0301".repeat(9), "\u0301", "Z\u0335".repeat(20), "Å", "ａｂｃ"],
  ),
  { minLength: 1, maxLength: 20 },
).map((parts) => parts.join(""));

const long = fc.tuple(
  fc.constantFrom(
    "a",
    "charge ",
    "🚗",
    "充",
    "station_id.",
    '"a b" ',
    "x-",
    "%",
    "e\u0301",
    "\0",
    "aB",
  ),
  fc.constantFrom(1_990, 2_000),
).map(([part, length]) => [...part.repeat(length)].slice(0, length).join(""));

const single = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
const punctuation = fc.array(fc.constantFrom(..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~、。「」…—"), {
  minLength: 1,
  maxLength: 30,
}).map((marks) => marks.join(""));
const manyWords = fc.array(ordinary, { minLength: 20, maxLength: 40 })
  .map((all) => [...all.join(" ")].slice(0, 2_000).join(""));

const query = fc.oneof(
  { arbitrary: ordinary, weight: 4 },
  { arbitrary: mangled, weight: 4 },
  { arbitrary: operators, weight: 4 },
  ...[units, points, graphemes, scripts, single, punctuation].map((arbitrary) => ({
    arbitrary,
    weight: 2,
  })),
  { arbitrary: long, weight: 1 },
  { arbitrary: manyWords, weight: 1 },
);

const input = fc.record({
  query,
  limit: fc.constantFrom(1, 3, 10, 50),
  maxTokens: fc.constantFrom(1, 600, 2_000, 32_000),
  includeUnapproved: fc.boolean(),
  useDense: fc.boolean(),
  asOf: fc.constantFrom(null, null, "2026-03-10T12:00:00Z", "2020-01-01T00:00:00Z"),
});
type Input = ReturnType<typeof input.generate>["value"];

interface Hit {
  readonly itemId: string;
  readonly excerpt: string;
  readonly fusedScore?: number;
  readonly foundBy?: readonly string[];
}

interface Explained {
  readonly itemId: string;
  readonly fusedScore: number | null;
  readonly paths: readonly { path: string; rank: number; score: number; matchedTerms: string[] }[];
}

/** Both corpora, a seventh of them drafts, with a forest and vectors. */
async function inProject(
  work: (project: ScratchProject, caller: Caller) => Promise<void>,
  indexed = true,
): Promise<void> {
  await inScratchProject(async (project) => {
    await charging().fill(project);
    await harbour().fill(project);
    project.add({
      "note.draft": { title: "A draft", body: "Nobody approved this.", status: "draft" },
    });
    await project.applyWithoutPurge();
    if (indexed) await project.build({ includeUnapproved: true, raptor: true });
    await work(project, register(project));
  });
}

function checkAnswer(one: Input, payload: JsonObject): readonly Hit[] {
  const hits = payload["results"] as unknown as readonly Hit[];
  const retrieval = payload["retrieval"] as Readonly<Record<string, unknown>>;
  assert.equal(payload["query"], normaliseQuery(one.query));
  assert.equal(retrieval["fallbackReason"], null);
  assert.equal(payload["count"], hits.length);
  assert.ok(hits.length <= one.limit);
  assert.equal(new Set(hits.map((hit) => hit.itemId)).size, hits.length);
  const scores = hits.map((hit) => hit.fusedScore!);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
  for (const { foundBy, fusedScore, excerpt } of hits) {
    assert.ok(fusedScore! >= 0 && fusedScore! <= 1.5);
    assert.ok(foundBy!.length > 0);
    assert.deepEqual(foundBy, [...new Set(foundBy)].sort());
    assert.ok(one.useDense || !foundBy!.includes("dense"));
    assert.ok([...excerpt].length <= 283);
  }
  if (hits.length > 0) {
    assert.equal(retrieval["emptyReason"], null);
    assert.ok(retrieval["usedTokens"] as number > 0);
  } else {
    assert.ok(EMPTY_REASONS.includes(String(retrieval["emptyReason"])));
    assert.deepEqual([retrieval["mode"], retrieval["usedTokens"]], ["none", 0]);
    assert.equal(retrieval["droppedForBudget"], 0);
  }
  return hits;
}

/** What is told about a hit is what `explain` finds: the same order, scores and ways, with terms. */
function checkExplained(project: ScratchProject, one: Input, hits: readonly Hit[]): void {
  const { dataDirectory } = project;
  const { pointer, reader } = openActiveState(project.project, dataDirectory);
  using _closing = reader;
  const explained = explainSearch(
    {
      project: project.project,
      dataDirectory,
      pointer,
      reader,
      sensitivities: ["public", "internal"],
      now: BigInt(project.now) * 1000n,
    },
    {
      ...one,
      query: normaliseQuery(one.query),
      asOf: one.asOf === null ? null : BigInt(Date.parse(one.asOf)) * 1000n,
    },
    null,
  )["results"] as unknown as readonly Explained[];
  assert.deepEqual(
    explained.map(({ itemId, fusedScore }) => [itemId, fusedScore]),
    hits.map(({ itemId, fusedScore }) => [itemId, fusedScore]),
  );
  explained.forEach(({ paths }, place) => {
    assert.deepEqual(paths.map(({ path }) => path).sort(), hits[place]!.foundBy);
    for (const { path, rank, matchedTerms } of paths) {
      assert.ok(rank >= 1);
      const byTerms = path === "lexical" || path === "substring";
      assert.equal(matchedTerms.length > 0, byTerms, `${path} of ${JSON.stringify(one.query)}`);
      assertHolds(reader, hits[place]!.itemId, matchedTerms);
    }
  });
}

/** Every term that is said to have matched stands in the item, and not merely in the index. */
function assertHolds(reader: StateReader, itemId: string, terms: readonly string[]): void {
  const { title, body } = reader.currentRevision(reader.item(itemId)!)!;
  const text = foldWord(readableText(`${title}\n${body}\n${itemId}\nauthored-in-theurian`));
  for (const word of terms.flatMap((term) => term.split("_"))) {
    assert.ok(text.includes(word), `${itemId} does not hold ${word}`);
  }
}

Deno.test("knowledge.search answers 2,000 odd and hostile queries cleanly, twice the same, in time", async () => {
  await inProject(async (_project, caller) => {
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        const from = performance.now();
        const ask = () => call(caller, "knowledge.search", { projectId: "demo", ...one });
        const first = await ask();
        assert.ok(performance.now() - from < MOST_TIME, "took too long");
        if (one.query === "") {
          refusalText(first);
        } else if (isBlank(normaliseQuery(one.query))) {
          assert.equal(codeOf(first), "INVALID_INPUT");
        } else if ([...one.query].length > 2_000) {
          refusalText(first);
        } else {
          checkAnswer(one, payloadOf(first));
        }
        assert.deepEqual(await ask(), first);
      }),
      { numRuns: 2_000 },
    );
  });
});

Deno.test("knowledge.search says of each hit what explain says of it", async () => {
  await inProject(async (project, caller) => {
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        if (isBlank(normaliseQuery(one.query))) return;
        const result = await call(caller, "knowledge.search", { projectId: "demo", ...one });
        checkExplained(
          project,
          one,
          checkAnswer(one, payloadOf(result)),
        );
      }),
      { numRuns: 400 },
    );
  });
});

Deno.test("knowledge.search without an index takes any query for one piece of text", async () => {
  await inProject(async (_project, caller) => {
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        if (isBlank(normaliseQuery(one.query))) return;
        const ask = () => call(caller, "knowledge.search", { projectId: "demo", ...one });
        const from = performance.now();
        const first = await ask();
        assert.ok(performance.now() - from < MOST_TIME, "took too long");
        const { results, count, retrieval } = payloadOf(first) as unknown as {
          results: readonly Hit[];
          count: number;
          retrieval: Readonly<Record<string, unknown>>;
        };
        assert.equal(count, results.length);
        assert.ok(count <= one.limit);
        const ids = results.map((hit) => hit.itemId);
        assert.deepEqual(ids, [...new Set(ids)].sort());
        assert.ok(results.every((hit) => hit.fusedScore === undefined));
        const reasons = count > 0 ? ["null"] : ["not-indexed", "all-outside-asof"];
        assert.ok(reasons.includes(String(retrieval["emptyReason"])));
        assert.deepEqual(await ask(), first);
      }),
      { numRuns: 300 },
    );
  }, false);
});
