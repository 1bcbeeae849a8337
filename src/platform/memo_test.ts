import assert from "node:assert/strict";
import { Memo } from "./memo.ts";

Deno.test("Memo computes a value once, also when it is undefined", () => {
  const memo = new Memo<string, number | undefined>(10);
  let computed = 0;
  const compute = (value: number | undefined) => () => {
    computed++;
    return value;
  };
  assert.equal(memo.get("a", compute(1)), 1);
  assert.equal(memo.get("a", compute(2)), 1);
  assert.equal(memo.get("b", compute(undefined)), undefined);
  assert.equal(memo.get("b", compute(3)), undefined);
  assert.equal(computed, 2);
});

Deno.test("Memo holds no more values than it may, and forgets what failed", () => {
  const memo = new Memo<number, number>(2);
  const other = () => -1;
  for (const key of [1, 2]) memo.get(key, () => key);
  assert.equal(memo.get(2, other), 2);
  assert.throws(() =>
    memo.get(3, () => {
      throw new RangeError();
    }), RangeError);
  assert.equal(memo.get(3, () => 3), 3);
  assert.equal(memo.get(1, other), -1);
});
