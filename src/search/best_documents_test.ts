import assert from "node:assert/strict";
import fc from "fast-check";
import { WordIndex } from "../../tests/support/word_index.ts";
import { leastOfGreatest } from "./best_documents.ts";
import { rankWords } from "./rank_words.ts";
import { normaliseQuery, readQuery } from "./query.ts";
import { WORD_WEIGHTS } from "./weights.ts";

Deno.test("leastOfGreatest() is what stands at that place in order", () => {
  fc.assert(fc.property(
    fc.array(fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 1, 2)), { maxLength: 60 }),
    fc.integer({ min: 1, max: 70 }),
    (values, most) => {
      const expected = values.length <= most
        ? -Infinity
        : values.toSorted((a, b) => b - a)[most - 1];
      // Which of two zeros it is says nothing.
      assert.equal(leastOfGreatest(Float64Array.from(values), most) + 0, expected! + 0);
    },
  ));
});

const words = ["cache", "caches", "expire", "queue", "retry", "LOCK_TIMEOUT"];
const prose = fc.array(fc.constantFrom(...words, ".", "##"), { minLength: 1, maxLength: 12 })
  .map((list) => `text ${list.join(" ")}`);
const corpus = fc.array(fc.record({ title: prose, body: prose }), {
  minLength: 22,
  maxLength: 70,
}).map((list) =>
  list.map((one, i) => ({ ...one, itemId: `a.n${i}`, status: i % 7 === 0 ? "draft" : "approved" }))
);
const question = fc.array(fc.constantFrom(...words, "cach", "text", '"cache queue"'), {
  minLength: 1,
  maxLength: 4,
}).map((list) => list.join(" "));

Deno.test("rankWords() cut short gives the first of the whole ranking, and says that it is cut", () => {
  fc.assert(
    fc.property(
      corpus,
      fc.array(question, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 20, max: 40 }),
      (items, questions, most) => {
        using index = new WordIndex(items);
        for (const text of questions) {
          const query = readQuery(normaliseQuery(text));
          const rank = (limit: number) =>
            rankWords(index.connection, index.lexicon, query, true, WORD_WEIGHTS, {
              most: limit,
              raise: 1,
            });
          const whole = rank(Infinity);
          const cut = rank(most);
          assert.equal(whole.isCut, false);
          const isShorter = cut.documents.length < whole.documents.length;
          assert.equal(cut.isCut, isShorter);
          assert.deepEqual(
            cut.documents,
            isShorter ? whole.documents.slice(0, most) : whole.documents,
          );
          assert.deepEqual(cut.found, whole.found);
        }
      },
    ),
    { numRuns: 100 },
  );
});
