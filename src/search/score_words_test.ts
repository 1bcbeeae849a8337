import assert from "node:assert/strict";
import fc from "fast-check";
import { readLexicon } from "../lexicon/mod.ts";
import { type IndexedItem, WordIndex } from "../../tests/support/word_index.ts";
import { rankWords } from "./rank_words.ts";
import { normaliseQuery, readQuery } from "./query.ts";
import { WORD_WEIGHTS } from "./weights.ts";

const words = [
  "cache",
  "caches",
  "expire",
  "queue",
  "queues",
  "retry",
  "budget",
  "LOCK_TIMEOUT",
  "backlog",
  "reattempt",
];
const prose = (most: number) =>
  fc.array(fc.constantFrom(...words, "##", "\n\n"), { minLength: 1, maxLength: most })
    .map((list) => `text ${list.join(" ")}`);
const items = fc.array(
  fc.record({
    title: prose(3),
    body: prose(60),
    status: fc.constantFrom("approved", "approved", "draft"),
  }),
  { minLength: 1, maxLength: 8 },
).map((list): IndexedItem[] => list.map((one, i) => ({ ...one, itemId: `a.${i}` })));
const queries = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom(...words, "cach", "retri", "nothing"), {
      minLength: 1,
      maxLength: 4,
    }).map((list) => list.join(" ")),
    includeUnapproved: fc.boolean(),
    weights: fc.constantFrom(
      WORD_WEIGHTS,
      { ...WORD_WEIGHTS, partial: 0, wholeName: 0 },
      { ...WORD_WEIGHTS, passage: 0, synonym: 0 },
      { ...WORD_WEIGHTS, related: 0, synonym: 0 },
    ),
  }),
  { minLength: 2, maxLength: 6 },
);

Deno.test("WordScorer leaves nothing of a query to the next one", () => {
  fc.assert(
    fc.property(items, queries, (corpus, asked) => {
      using index = new WordIndex(corpus);
      for (const { text, includeUnapproved, weights } of asked) {
        const query = readQuery(normaliseQuery(text));
        const used = rankWords(index.connection, index.lexicon, query, includeUnapproved, weights);
        const unused = readLexicon(index.connection);
        const fresh = rankWords(index.connection, unused, query, includeUnapproved, weights);
        assert.deepEqual(used, fresh);
      }
    }),
    { numRuns: 150 },
  );
});
