import assert from "node:assert/strict";
import { type NamePiece, pairsOf, piecesOfText } from "./scan_words.ts";

function names(text: string): NamePiece[] {
  return piecesOfText(text).filter((piece) => piece.kind === "name");
}

function words(text: string): string[] {
  return names(text).flatMap((piece) => piece.words);
}

Deno.test("piecesOfText() finds an identifier by its words and as a whole", () => {
  for (
    const text of ["idempotencyKey", "idempotency_key", "Idempotency-Key", "idempotency.key"]
  ) {
    const [piece] = names(text);
    assert.deepEqual(piece!.words, ["idempotency", "key"], text);
    assert.equal(piece!.whole, "idempotency_key", text);
  }
  assert.deepEqual(words("pg_advisory_xact_lock"), ["pg", "advisory", "xact", "lock"]);
  assert.deepEqual(words("parseHTTPRequest"), ["parse", "http", "request"]);
  assert.deepEqual(words("std::fs->open"), ["std", "fs", "open"]);
  assert.equal(names("16:30")[0]!.whole, "16_30");
});

Deno.test("piecesOfText() keeps other spellings of a word", () => {
  assert.deepEqual(names("SQLite")[0]!.extras, ["sqlite"]);
  assert.deepEqual(names("sha256")[0]!.extras, ["sha", "256"]);
  assert.deepEqual(words("IDs API_KEYs"), ["ids", "api", "keys"]);
  assert.deepEqual(names("aBaBaB")[0]!.words, ["ababab"]);
});

Deno.test("piecesOfText() drops English endings behind an apostrophe", () => {
  assert.deepEqual(words("the client's clock, don’t"), ["the", "client", "clock", "don"]);
});

Deno.test("piecesOfText() folds case, accents and compatibility forms", () => {
  assert.deepEqual(words("Café GRÜẞE ΑΒ ＡＢＣ ﬁle İ"), [
    "cafe",
    "grusse",
    "αβ",
    "abc",
    "file",
    "i",
  ]);
});

Deno.test("piecesOfText() gives every character of a script without spaces", () => {
  assert.deepEqual(piecesOfText("認証トークン42"), [
    { kind: "run", characters: ["認", "証", "ト", "ー", "ク", "ン"] },
    { kind: "name", words: ["42"], extras: [], whole: null },
  ]);
  assert.deepEqual(pairsOf(["認", "証", "鍵"]), ["認証", "証鍵"]);
  assert.deepEqual(pairsOf(["鍵"]), []);
});

Deno.test("piecesOfText() finds nothing in marks, emoji, NUL and lone surrogates", () => {
  for (const text of ['" * ( ) :', "🚀", "\0", "\ud800", "_", "%", "、。・", "''"]) {
    assert.deepEqual(piecesOfText(text), [], JSON.stringify(text));
  }
});

Deno.test("piecesOfText() is linear in hostile text", () => {
  const started = performance.now();
  for (const part of ["a.", "aB", "a_", "'s", "日a", "1a", "A"]) piecesOfText(part.repeat(200_000));
  assert.ok(performance.now() - started < 4000);
});
