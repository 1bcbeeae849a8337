import assert from "node:assert/strict";
import { fusePaths } from "./fuse_paths.ts";
import type { RankedDocument } from "./best_documents.ts";

const word = (document: number, score: number, extra: Partial<RankedDocument> = {}) => ({
  document,
  score,
  ordinal: 0,
  byWord: true,
  byPart: false,
  holdsAll: false,
  ...extra,
});

Deno.test("fusePaths() lets words lead: the best of a weak path comes behind a clear match", () => {
  const fused = fusePaths({
    words: [word(3, 0.6), word(1, 0.3)],
    isCut: false,
    similar: new Map([[2, { similarity: 1, ordinal: 4 }], [1, { similarity: 0.9, ordinal: 0 }]]),
    summarised: new Set([5, 3]),
  });
  assert.deepEqual(fused.map((one) => one.document), [3, 1, 2, 5]);
  assert.deepEqual(fused.map((one) => one.foundBy), [
    ["lexical", "summary"],
    ["dense", "lexical"],
    ["dense"],
    ["summary"],
  ]);
  assert.equal(fused[2]!.ordinal, 4);
});

Deno.test("fusePaths() orders by its own score and equal scores by document", () => {
  const fused = fusePaths({
    words: [word(9, 0.5), word(2, 0.5, { byWord: false, byPart: true })],
    isCut: false,
    similar: new Map(),
    summarised: new Set(),
  });
  assert.deepEqual(fused.map((one) => [one.document, one.foundBy[0]]), [
    [2, "substring"],
    [9, "lexical"],
  ]);
  const scores = fused.map((one) => one.score);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
});

Deno.test("fusePaths() of nothing is nothing", () => {
  const none = { words: [], isCut: false, similar: new Map(), summarised: new Set<number>() };
  assert.deepEqual(fusePaths(none), []);
});

Deno.test("fusePaths() adds nothing behind words that found more than is given", () => {
  const fused = fusePaths({
    words: [word(3, 0.6), word(1, 0.3)],
    isCut: true,
    similar: new Map(),
    summarised: new Set([5, 3]),
  });
  assert.deepEqual(fused.map((one) => [one.document, one.foundBy]), [
    [3, ["lexical", "summary"]],
    [1, ["lexical"]],
  ]);
});
