import assert from "node:assert/strict";
import { sha256Hex } from "../platform/hash.ts";
import { foldedPoints } from "./_fold_points.ts";
import { embedText } from "./embed_text.ts";

function components(text: string): Record<number, number> {
  const found: Record<number, number> = {};
  embedText(text).forEach((value, index) => {
    if (value !== 0) found[index] = Math.round(value * 1e6) / 1e6;
  });
  return found;
}

const folded = (text: string) =>
  String.fromCodePoint(...[...text].flatMap((c) => foldedPoints(c.codePointAt(0)!)));

Deno.test("embedText() gives the golden components", () => {
  assert.deepEqual(components("Cache"), {
    8: -0.447214,
    49: 0.447214,
    95: -0.447214,
    103: -0.447214,
    136: 0.447214,
  });
  assert.deepEqual(components("a"), { 145: -1 });
  assert.deepEqual(components("Éa ß"), { 93: 0.5, 112: 0.5, 117: 0.5, 139: -0.5 });
});

Deno.test("embedText() gives a text without a word the zero vector", () => {
  assert.deepEqual(components(""), {});
  assert.deepEqual(components(" \u0301\u3000\u001c "), {});
});

Deno.test("embedText() does not depend on what was embedded before", () => {
  const first = embedText("Straße ｶﾞ 日本語 cache");
  embedText("zebra".repeat(100) + "é");
  assert.deepEqual(embedText("Straße ｶﾞ 日本語 cache"), first);
});

Deno.test("foldedPoints() folds fully, once, and drops marks by combining class alone", () => {
  const table: [string, string][] = [
    ["ΑΣ", "ασ"],
    ["ẞ", "ss"],
    ["İ", "i"],
    ["ı", "ı"],
    ["ꭰ", "Ꭰ"],
    ["ﬁ", "fi"],
    ["ℌ", "H"],
    ["が", "か"],
    ["กั่", "กั"],
    ["का", "का"],
    ["क्", "क"],
    ["한", "\u1112\u1161\u11ab"],
    ["\u00a0", " "],
  ];
  for (const [from, to] of table) assert.equal(folded(from), to, from);
});

Deno.test("foldedPoints() has the tables of Unicode 15.1, whatever the runtime's are", () => {
  const lines: string[] = [];
  for (let point = 0; point < 0x110000; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const to = foldedPoints(point);
    if (to.length !== 1 || to[0] !== point) lines.push(`${point}:${to.join(",")}`);
  }
  assert.equal(lines.length, TABLE_ROWS);
  assert.equal(sha256Hex(lines.join("\n")), TABLE_SHA256);
});

/** Digest of the whole table, computed from the Unicode 15.1 data by another program. */
const TABLE_ROWS = 18944;
const TABLE_SHA256 = "615dc0f51fe1bb53bfbf1738b14c7ec14ca3328f8db7d2ece184f2f6f22fe7c1";
