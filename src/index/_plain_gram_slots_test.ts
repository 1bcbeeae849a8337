import assert from "node:assert/strict";
import { gramDigest } from "./_gram_hash.ts";
import { PLAIN_COMPONENTS, PLAIN_POINTS, PLAIN_SIGNS } from "./_plain_gram_slots.ts";
import { VECTOR_DIMENSION } from "./schema.ts";

Deno.test("the table of plain grams says of each what its hash says", () => {
  const components = atob(PLAIN_COMPONENTS);
  const signs = atob(PLAIN_SIGNS);
  const encoder = new TextEncoder();
  let at = 0;
  for (const a of PLAIN_POINTS) {
    for (const b of PLAIN_POINTS) {
      for (const c of PLAIN_POINTS) {
        const digest = gramDigest(encoder.encode(a + b + c), 3);
        const sign = (signs.charCodeAt(at >> 3) >> (at & 7)) & 1;
        assert.deepEqual(
          [components.charCodeAt(at), sign],
          [digest[0]! % VECTOR_DIMENSION, digest[1]! & 1],
        );
        at++;
      }
    }
  }
  assert.equal(at, components.length);
});
