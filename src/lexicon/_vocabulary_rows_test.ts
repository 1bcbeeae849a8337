import assert from "node:assert/strict";
import { openInMemory } from "../platform/sqlite/mod.ts";
import { changeVocabulary, readVocabulary, writeVocabulary } from "./_vocabulary_rows.ts";
import { LEXICON_DDL } from "./schema.ts";
import { Vocabulary } from "./vocabulary.ts";

/** Terms of all scripts: astral characters sort differently in the database and here. */
const TERMS = Array.from({ length: 2000 }, (_, n) => `term${(n * 7919) % 2000}`)
  .concat("\u{20000}\u{20001}", "\uf900", "\ud7a3", "金額", "a").sort();

Deno.test("changeVocabulary() leaves what writeVocabulary() writes, and no trace of what is gone", () => {
  using connection = openInMemory();
  connection.exec(LEXICON_DDL);
  const terms = new Set(TERMS.slice(0, 3));
  writeVocabulary(connection, [...terms]);
  for (let n = 0; n < 400; n++) {
    const some = TERMS.slice((n * 37) % TERMS.length).slice(0, n % 23);
    const removed = some.filter((term) => terms.has(term));
    const added = some.filter((term) => !terms.has(term));
    changeVocabulary(connection, removed, added);
    for (const term of removed) terms.delete(term);
    for (const term of added) terms.add(term);
    const lines = Vocabulary.linesOf([...terms].sort());
    if (n % 20 === 0) assert.equal(readVocabulary(connection), lines);
    const firsts = connection.all<{ first: string }>("SELECT first FROM vocabulary");
    for (const { first } of firsts) assert.ok(terms.has(first), first);
  }
  assert.equal(readVocabulary(connection), Vocabulary.linesOf([...terms].sort()));
  changeVocabulary(connection, terms, []);
  assert.equal(readVocabulary(connection), "\n");
  changeVocabulary(connection, [], ["b", "a"]);
  assert.equal(readVocabulary(connection), "\na\nb\n");
});
