import assert from "node:assert/strict";
import { foldWord, readableText } from "./fold_word.ts";

Deno.test("foldWord() drops case and accents, and keeps marks that make another letter", () => {
  const rows: readonly [string, string][] = [
    ["Café", "cafe"],
    ["GRÜẞE", "grusse"],
    ["ΣΟΦΟΣ", "σοφοσ"],
    ["İ", "i"],
    ["が", "が"],
    ["한", "한"],
    ["Å", "a"],
  ];
  for (const [word, folded] of rows) assert.equal(foldWord(word), folded, word);
});

Deno.test("readableText() unifies compatibility forms and blanks marks beyond ASCII", () => {
  assert.equal(readableText("plain — text… “quoted”"), "plain   text   quoted ");
  assert.equal(readableText("ＡＢＣ ﬁle ｶﾞ"), "ABC file ガ");
  assert.equal(readableText("client’s"), "client’s");
});
