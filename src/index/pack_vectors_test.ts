import assert from "node:assert/strict";
import fc from "fast-check";
import { embedText, sumGrams } from "./embed_text.ts";
import { forEachCosine, packVectors, queryVector, unpackVector } from "./pack_vectors.ts";
import { VECTOR_DIMENSION } from "./schema.ts";

function sumsOf(text: string): Int32Array {
  const sums = new Int32Array(VECTOR_DIMENSION);
  sumGrams(text, sums);
  return sums;
}

Deno.test("unpackVector() gives what embedText() gives, bit for bit, in one byte and in two", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { minLength: 1, maxLength: 4 }),
    fc.boolean(),
    (texts, isLarge) => {
      const all = isLarge ? [...texts, "ab ".repeat(400)] : texts;
      const packed = packVectors(all.map(sumsOf));
      assert.equal(packed.width, isLarge ? 2 : packed.width);
      all.forEach((text, ordinal) => {
        assert.deepEqual(unpackVector(packed, ordinal), embedText(text));
      });
      assert.equal(unpackVector(packed, all.length), null);
    },
  ));
});

Deno.test("forEachCosine() gives the cosine of the unpacked vectors, and skips what has no gram", () => {
  const texts = ["the cache expires", "", "数か月", "cache ".repeat(300)];
  const packed = packVectors(texts.map(sumsOf));
  const query = queryVector("cache expiry");
  const vector = embedText("cache expiry");
  const seen = new Map<number, number>();
  forEachCosine(query, packed, (ordinal, cosine) => seen.set(ordinal, cosine));
  assert.deepEqual([...seen.keys()], [0, 2, 3]);
  for (const [ordinal, cosine] of seen) {
    const other = embedText(texts[ordinal]!);
    const expected = vector.reduce((dot, value, i) => dot + value * other[i]!, 0);
    assert.ok(Math.abs(cosine - expected) < 1e-6);
  }
});

Deno.test("forEachCosine() takes damaged rows for no vectors", () => {
  const { width, data } = packVectors([sumsOf("cache")]);
  const query = queryVector("cache");
  const count = (stored: { width: number; data: unknown }, asked = query) => {
    let visits = 0;
    forEachCosine(asked, stored, () => visits++);
    return visits;
  };
  assert.equal(count({ width, data }), 1);
  assert.equal(count({ width, data: data.subarray(1) }), 0);
  assert.equal(count({ width: 3, data }), 0);
  assert.equal(count({ width: 2, data }), 0);
  assert.equal(count({ width, data: "text" }), 0);
  assert.equal(count({ width, data: null }), 0);
  assert.equal(count({ width, data }, queryVector("")), 0);
});
