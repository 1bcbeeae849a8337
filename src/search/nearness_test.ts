import assert from "node:assert/strict";
import { type IndexedItem, WordIndex } from "../../tests/support/word_index.ts";
import { WordedText } from "./plain_words.ts";
import { Nearness } from "./nearness.ts";
import { readQuery } from "./query.ts";
import type { FoundUnit } from "./rank_words.ts";

/** Nearness of a query whose every word and name is found just as it is written. */
function nearnessOf(text: string): Nearness {
  const query = readQuery(text);
  const found = query.units.map((unit): FoundUnit => ({
    unit,
    finding: "exact",
    terms: [unit.text],
    related: [],
    rarity: 1,
  }));
  return new Nearness(query, found);
}

Deno.test("closenessOf() tells words side by side from close ones, turned ones and far ones", () => {
  const near = nearnessOf("disk quota");
  const rows: readonly [string, number][] = [
    ["the disk quota is full", 1],
    ["a diskQuota", 1],
    ["DISK_QUOTA", 1],
    ["disk: soft quota", 0.6],
    ["disk with a quota", 0.6],
    ["disk with a larger quota", 0],
    ["quota of disk", 0.4],
    ["quota that no disk", 0],
    ["disk here, quota of disk quota there", 1],
    ["disk", 0],
    ["", 0],
  ];
  for (const [text, closeness] of rows) {
    assert.equal(near.closenessOf([new WordedText(text)]), closeness, text);
  }
});

Deno.test("closenessOf() adds up neighbours, with noise words between them or not, and none that are apart", () => {
  const near = nearnessOf("rotate the signing key yearly");
  assert.equal(near.most.closeness, 3);
  assert.equal(near.closenessOf([new WordedText("yearly we rotate each signing key")]), 0.6 + 1);
  assert.equal(near.closenessOf([new WordedText("rotate yearly")]), 0);
});

Deno.test("spellingOf() tells a name that is spelt as it was asked for", () => {
  const near = nearnessOf("LOCK_TIMEOUT");
  assert.equal(near.most.spelling, 1);
  assert.equal(near.spellingOf([new WordedText("a LOCK_TIMEOUT here")]), 1);
  assert.equal(near.spellingOf([new WordedText("a lockTimeout here")]), 0);
});

Deno.test("A query of one word, or of words that are not found as they are, shows nothing", () => {
  assert.ok(nearnessOf("quota").isEmpty);
  const query = readQuery("disk quota");
  const found = query.units.map((unit): FoundUnit => ({
    unit,
    finding: "misspelt",
    terms: [unit.text],
    related: [],
    rarity: 1,
  }));
  assert.ok(new Nearness(query, found).isEmpty);
});

const FILLER = "Some words about other things. ".repeat(6);
const ITEMS: readonly IndexedItem[] = [
  { itemId: "a", title: "One", body: `The disk is new. ${FILLER} The quota is old.` },
  { itemId: "b", title: "Two", body: `${FILLER} The disk quota is old and new.` },
  { itemId: "c", title: "Three", body: "An errorCode of another kind." },
  { itemId: "d", title: "Four", body: "An ERROR_CODE of another kind." },
];

Deno.test("rankWords() prefers words that stand together, and the spelling that was asked for", () => {
  using index = new WordIndex(ITEMS);
  assert.deepEqual(index.ask("disk quota"), ["b", "a"]);
  assert.deepEqual(index.ask("errorCode"), ["c", "d"]);
  assert.deepEqual(index.ask("ERROR_CODE"), ["d", "c"]);
});

Deno.test("rankWords() reads no text of a document that lacks one of two neighbours", () => {
  const others = Array.from({ length: 6 }, (_, n) => ({
    itemId: `other.${n}`,
    title: "Other",
    body: n % 2 === 0 ? "The disk is new." : "The quota is old.",
  }));
  using index = new WordIndex([...others, ...ITEMS.slice(0, 2)]);
  const { documents, texts } = index.rank("disk quota");
  assert.equal(documents.length, 8);
  const passages = [...texts.values()];
  assert.equal(passages.length, 2);
  assert.ok(passages.every((text) => /disk/.test(text) && /quota/.test(text)));
});

Deno.test("least tells what a document must hold before its text can show anything", () => {
  assert.equal(nearnessOf("disk quota").least, 2);
  assert.equal(nearnessOf("LOCK_TIMEOUT").least, 1);
  assert.equal(nearnessOf("quota").least, Infinity);
});
