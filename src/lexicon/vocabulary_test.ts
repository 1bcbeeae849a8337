import assert from "node:assert/strict";
import { Vocabulary } from "./vocabulary.ts";

const TERMS = ["advisory", "key", "lock", "lock_timeout", "locks", "pg_advisory_xact_lock"];
const vocabulary = new Vocabulary(Vocabulary.linesOf(TERMS));

Deno.test("Vocabulary finds each term by its number and back", () => {
  assert.equal(vocabulary.size, TERMS.length);
  for (const [number, term] of TERMS.entries()) {
    assert.equal(vocabulary.term(number), term);
    assert.ok(vocabulary.has(term));
    assert.equal(vocabulary.termLength(number), term.length);
  }
  for (const term of ["", "a", "loc", "locke", "zzz"]) assert.ok(!vocabulary.has(term), term);
});

Deno.test("Vocabulary.containing() finds each term once, up to the limit, and never across terms", () => {
  assert.deepEqual(vocabulary.containing("lock", 10), TERMS.slice(2));
  assert.deepEqual(vocabulary.containing("lock", 2), ["lock", "lock_timeout"]);
  assert.deepEqual(vocabulary.containing("xact_lo", 10), ["pg_advisory_xact_lock"]);
  assert.deepEqual(vocabulary.containing("lock", 0), []);
  for (const part of ["y\nl", "\nlock", "", "\n", "zzz"]) {
    assert.deepEqual(vocabulary.containing(part, 9), []);
  }
});

Deno.test("Vocabulary.beginningWith() finds each term that begins so, up to the limit", () => {
  assert.deepEqual(vocabulary.beginningWith("lock", 10), ["lock", "lock_timeout", "locks"]);
  assert.deepEqual(vocabulary.beginningWith("lock", 2), ["lock", "lock_timeout"]);
  assert.deepEqual(vocabulary.beginningWith("ad", 10), ["advisory"]);
  assert.deepEqual(vocabulary.beginningWith("pg_advisory_xact_lock", 10), TERMS.slice(-1));
  for (const part of ["", "dvisory", "zzz", "y\nl"]) {
    assert.deepEqual(vocabulary.beginningWith(part, 9), []);
  }
});

Deno.test("Vocabulary.withStem() finds inflections, irregular ones too", () => {
  assert.deepEqual(vocabulary.withStem("lock"), ["lock", "locks"]);
  assert.deepEqual(vocabulary.withStem("pg_advisory_xact_lock"), ["pg_advisory_xact_lock"]);
  const others = new Vocabulary(
    Vocabulary.linesOf(["cried", "cries", "cry", "dying", "hop", "hope", "hoping", "skies", "sky"]),
  );
  assert.deepEqual(others.withStem("cri"), ["cried", "cries", "cry"]);
  assert.deepEqual(others.withStem("hope"), ["hope", "hoping"]);
  assert.deepEqual(others.withStem("sky"), ["skies", "sky"]);
  assert.deepEqual(others.withStem("die"), ["dying"]);
});

Deno.test("Vocabulary.resembling() leaves out nothing that lies within the errors", () => {
  const near = (word: string, errors: number) =>
    vocabulary.resembling(word, errors).map((number) => vocabulary.term(number));
  assert.deepEqual(near("advisroy", 2), ["advisory"]);
  assert.deepEqual(near("advisor", 1), ["advisory"]);
  assert.deepEqual(near("lokc", 1), ["lock", "locks"]);
  assert.deepEqual(near("zock", 1), ["lock"]);
  assert.deepEqual(near("zzzz", 1), []);
});

Deno.test("Vocabulary looks at terms of every length, however long", () => {
  const terms = ["a", "ab", "b".repeat(63), "b".repeat(64), "b".repeat(65), "b".repeat(400)];
  const lengths = new Vocabulary(Vocabulary.linesOf(terms));
  const near = (word: string, errors: number) =>
    lengths.resembling(word, errors).map((number) => lengths.term(number).length);
  assert.deepEqual(near("a", 1), [1, 2]);
  assert.deepEqual(near("b".repeat(62), 1), [63]);
  for (const length of [63, 64, 65, 66]) {
    for (const term of [63, 64, 65]) {
      const isNear = Math.abs(term - length) <= 1;
      assert.ok(!isNear || near("b".repeat(length), 1).includes(term), `${term} near ${length}`);
    }
  }
  assert.ok(near("b".repeat(399), 2).includes(400));
  assert.deepEqual(lengths.containing("b".repeat(65), 9), terms.slice(4));
  assert.deepEqual(new Vocabulary(Vocabulary.linesOf([])).resembling("a", 2), []);
});
