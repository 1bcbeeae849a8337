import assert from "node:assert/strict";
import { stemWord } from "./stem_word.ts";

const PAIRS: readonly (readonly [string, string])[] = [
  ["consign", "consign"],
  ["consigned", "consign"],
  ["consignment", "consign"],
  ["consist", "consist"],
  ["consistency", "consist"],
  ["consolation", "consol"],
  ["consolingly", "consol"],
  ["conspicuously", "conspicu"],
  ["knackeries", "knackeri"],
  ["knavish", "knavish"],
  ["kneeling", "kneel"],
  ["knightly", "knight"],
  ["generate", "generat"],
  ["generic", "generic"],
  ["communication", "communic"],
  ["hopping", "hop"],
  ["hoping", "hope"],
  ["happy", "happi"],
  ["by", "by"],
  ["say", "say"],
  ["cry", "cri"],
  ["ties", "tie"],
  ["cries", "cri"],
  ["gas", "gas"],
  ["gaps", "gap"],
  ["kiwis", "kiwi"],
  ["luxuriated", "luxuri"],
  ["fluently", "fluentli"],
  ["skies", "sky"],
  ["proceeding", "proceed"],
  ["exceeded", "exceed"],
  ["rational", "ration"],
  ["analogy", "analog"],
  ["rotating", "rotat"],
  ["rotation", "rotat"],
  ["rotates", "rotat"],
  ["idempotency", "idempot"],
];

Deno.test("stemWord() gives the published stems of the English algorithm", () => {
  for (const [word, stem] of PAIRS) assert.equal(stemWord(word), stem, word);
});

Deno.test("stemWord() leaves numbers, names, short words and other scripts alone", () => {
  for (
    const word of ["", "a", "is", "sha256", "max_retry_count", "日本", "naïves", "x".repeat(41)]
  ) {
    assert.equal(stemWord(word), word);
  }
});
