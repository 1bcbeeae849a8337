import assert from "node:assert/strict";
import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { gramDigest, LONGEST_GRAM_BYTES } from "./_gram_hash.ts";

Deno.test("gramDigest() equals BLAKE2b with a digest size of eight for every short message", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: LONGEST_GRAM_BYTES }), (message) => {
      const expected = new DataView(blake2b(message, { dkLen: 8 }).buffer);
      const digest = gramDigest(message, message.length);
      assert.equal(digest[0], expected.getUint32(0, true));
      assert.equal(digest[1], expected.getUint32(4, true));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("gramDigest() refuses a message that it would not mix in whole", () => {
  assert.throws(() => gramDigest(new Uint8Array(17), 17), RangeError);
});
