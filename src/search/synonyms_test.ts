import assert from "node:assert/strict";
import { stemWord } from "../lexicon/mod.ts";
import { isNoiseWord } from "./noise_words.ts";
import { synonymsOf } from "./synonyms.ts";

Deno.test("synonymsOf() knows words for one another, in both directions and any inflection", () => {
  assert.ok(synonymsOf(stemWord("db")).includes(stemWord("database")));
  assert.ok(synonymsOf(stemWord("databases")).includes(stemWord("db")));
  assert.deepEqual(synonymsOf("qwertz"), []);
  assert.ok(!synonymsOf(stemWord("retry")).includes(stemWord("retry")));
});

Deno.test("isNoiseWord() spares words that engineering uses", () => {
  for (const word of ["the", "what", "please", "thing"]) assert.ok(isNoiseWord(word), word);
  for (const word of ["queue", "state", "lock", "key", "time"]) assert.ok(!isNoiseWord(word), word);
});
