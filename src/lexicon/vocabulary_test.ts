import assert from "node:assert/strict";
import { Vocabulary } from "./vocabulary.ts";

const TERMS = ["advisory", "key", "lock", "lock_timeout", "pg_advisory_xact_lock"];
const vocabulary = new Vocabulary("\n" + TERMS.map((term) => term + "\n").join(""));

Deno.test("Vocabulary finds each term by its number and back", () => {
  assert.equal(vocabulary.size, TERMS.length);
  for (const [id, term] of TERMS.entries()) {
    assert.equal(vocabulary.term(id), term);
    assert.equal(vocabulary.idOf(term), id);
    assert.equal(vocabulary.termLength(id), term.length);
  }
  for (const term of ["", "a", "loc", "locks", "zzz"]) assert.equal(vocabulary.idOf(term), null);
});

Deno.test("Vocabulary.containing() finds each term once, up to the limit, and never across terms", () => {
  assert.deepEqual(vocabulary.containing("lock", 10), [2, 3, 4]);
  assert.deepEqual(vocabulary.containing("lock", 2), [2, 3]);
  assert.deepEqual(vocabulary.containing("xact_lo", 10), [4]);
  assert.deepEqual(vocabulary.containing("\nlock", 10), [2, 3]);
  assert.deepEqual(vocabulary.containing("y\nl", 10), []);
  assert.deepEqual(vocabulary.containing("\n", 10), []);
  assert.deepEqual(vocabulary.containing("", 10), []);
});
