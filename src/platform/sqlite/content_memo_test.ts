import assert from "node:assert/strict";
import { ContentMemo } from "./content_memo.ts";
import { openInMemory } from "./open_database.ts";

Deno.test("ContentMemo computes once a key and file, absent values too, and never a failure", () => {
  const memo = new ContentMemo<number | undefined>(10);
  using one = openInMemory();
  using other = openInMemory();
  let computed = 0;
  const count = (value: number | undefined) => () => {
    computed++;
    return value;
  };
  assert.equal(memo.get(one, "a", count(1)), 1);
  assert.equal(memo.get(one, "a", count(2)), 1);
  assert.equal(memo.get(one, "b", count(undefined)), undefined);
  assert.equal(memo.get(one, "b", count(3)), undefined);
  assert.equal(memo.get(other, "a", count(4)), 4, "another file");
  assert.equal(computed, 3);
  const failing = () => memo.get(one, "c", () => assert.fail("as asked"));
  assert.throws(failing);
  assert.equal(memo.get(one, "c", count(5)), 5);
});

Deno.test("ContentMemo holds no more values of one file than it was told", () => {
  const memo = new ContentMemo<number>(3);
  using one = openInMemory();
  for (const key of [1, 2, 3]) memo.get(one, key, () => key);
  assert.equal(memo.get(one, 1, () => -1), 1);
  assert.equal(memo.get(one, 4, () => 4), 4);
  assert.equal(memo.get(one, 1, () => -1), -1);
  assert.equal(memo.get(one, 4, () => -4), 4);
});
