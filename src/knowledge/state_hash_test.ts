import assert from "node:assert/strict";
import { sha256Hex } from "../platform/hash.ts";
import { stateHash } from "./state_hash.ts";

Deno.test("stateHash() of the empty set is the published vector", () => {
  assert.equal(
    stateHash([], []),
    "d9a6a7bd8afcfe74d9a0b3236b671a809b28602494f8b094092279e89cbd1049",
  );
});

Deno.test("stateHash() of one migration and one body is the published vector", () => {
  assert.equal(
    stateHash(
      [{ id: "01K1AAAA000000000000000001", checksum: sha256Hex("x") }],
      [sha256Hex("hello\n")],
    ),
    "83369ec9d5da24114a52e6ae57c66fcb7eb3d8ccd8db8757fe88c13c96133ebc",
  );
});

Deno.test("stateHash() depends neither on the order of discovery nor on repeated bodies", () => {
  const a = { id: "01K1AAAA000000000000000001", checksum: sha256Hex("a") };
  const b = { id: "01K1AAAA000000000000000002", checksum: sha256Hex("b") };
  const bodies = [sha256Hex("1"), sha256Hex("2")];
  assert.equal(stateHash([a, b], bodies), stateHash([b, a], [...bodies.toReversed(), bodies[0]!]));
  assert.notEqual(stateHash([a, b], bodies), stateHash([a, b], bodies.slice(1)));
  assert.notEqual(
    stateHash([a, b], bodies),
    stateHash([{ ...a, checksum: b.checksum }, b], bodies),
  );
});
