import assert from "node:assert/strict";
import { WordIndex } from "../../tests/support/word_index.ts";
import { visibleLexicon } from "./visible_lexicon.ts";

const ITEMS = [
  { itemId: "a", title: "Seen", body: "alpha beta" },
  { itemId: "b", title: "Draft", body: "beta gamma", status: "draft" },
  { itemId: "c", title: "Gone", body: "delta", status: "rejected" },
];

Deno.test("visibleLexicon() has the terms of admitted documents and no others", () => {
  using index = new WordIndex(ITEMS);
  const terms = (includeUnapproved: boolean) => {
    const { vocabulary } = visibleLexicon(index.connection, index.lexicon, includeUnapproved);
    return Array.from({ length: vocabulary.size }, (_, number) => vocabulary.term(number));
  };
  assert.deepEqual(terms(false), ["a", "alpha", "beta", "seen"]);
  assert.deepEqual(terms(true), ["a", "alpha", "b", "beta", "draft", "gamma", "seen"]);
});

Deno.test("visibleLexicon() is the whole one where nothing is withheld, and is made once where it is", () => {
  using all = new WordIndex(ITEMS.slice(0, 1));
  assert.equal(visibleLexicon(all.connection, all.lexicon, false), all.lexicon);
  using some = new WordIndex(ITEMS.slice(0, 2));
  assert.equal(visibleLexicon(some.connection, some.lexicon, true), some.lexicon);
  const view = visibleLexicon(some.connection, some.lexicon, false);
  assert.notEqual(view, some.lexicon);
  assert.equal(visibleLexicon(some.connection, some.lexicon, false), view);
});
