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

Deno.test("stemWord() gives a stem that the word begins with, but for its last letters", () => {
  const endings = [
    "",
    "s",
    "ed",
    "ing",
    "ation",
    "ational",
    "ibility",
    "ities",
    "ly",
    "ness",
    "ies",
  ];
  const roots = [
    "relat",
    "sens",
    "activ",
    "possib",
    "organiz",
    "happ",
    "cr",
    "hop",
    "fulfil",
    "not",
  ];
  for (const root of roots) {
    for (const ending of endings) {
      const stem = stemWord(root + ending);
      const prefix = /(?:[ei]|bl)$/.test(stem) ? stem.slice(0, -1) : stem;
      assert.ok((root + ending).startsWith(prefix), `${root}${ending} has the stem ${stem}`);
    }
  }
});
