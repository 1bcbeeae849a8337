import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { derivedNamespace, type KnownItem, settleAgainstState } from "./mod.ts";
import { contentDraft } from "../../tests/support/proposals.ts";

const CURRENT = "01K0000000000000000000000A";
const OTHER = "01K0000000000000000000000B";
const ITEM: KnownItem = {
  retired: false,
  currentRevisionId: CURRENT,
  namespace: "own",
  trustLevel: "reviewed",
  sensitivity: "confidential",
};

type Words = Parameters<typeof contentDraft>[0];
const settle = (item: KnownItem | null, words: Words, speaks: "cli" | "mcp" = "cli") =>
  settleAgainstState(contentDraft(words), { speaks, item: () => item });

function refused(item: KnownItem | null, words: Words, speaks: "cli" | "mcp" = "cli") {
  let error: unknown;
  assert.throws(() => settle(item, words, speaks), (thrown) => {
    error = thrown;
    return isFault(thrown, "invalid-input") && thrown.exit === 2;
  });
  return error as { message: string; remedy: string; wireCode: string; details: unknown };
}

Deno.test("a retired item is refused before its revision is looked at", () => {
  for (const expectedRevision of [null, CURRENT, OTHER]) {
    const { wireCode, remedy } = refused({ ...ITEM, retired: true }, { expectedRevision });
    assert.equal(wireCode, "INVALID_INPUT");
    assert.match(remedy, /restoreItem/);
  }
});

Deno.test("every revision that does not match is a conflict with both sides told, in the caller's words", () => {
  const bare = { ...ITEM, currentRevisionId: null };
  const rows = [
    [ITEM, null, CURRENT],
    [ITEM, OTHER, CURRENT],
    [bare, OTHER, null],
    [null, OTHER, null],
  ] as const;
  for (const [item, expected, actual] of rows) {
    const { wireCode, details, remedy } = refused(item, { expectedRevision: expected });
    assert.equal(wireCode, "REVISION_CONFLICT");
    assert.deepEqual(details, { itemId: "domain.foo", expected, actual });
    assert.match(remedy, /--expected-revision/);
    assert.match(refused(item, { expectedRevision: expected }, "mcp").remedy, /`expectedRevision`/);
  }
});

Deno.test("a lower sensitivity is refused, an equal or higher one is kept", () => {
  for (const sensitivity of ["public", "internal"] as const) {
    const { remedy } = refused(ITEM, { expectedRevision: CURRENT, sensitivity });
    assert.match(remedy, /changeSensitivity/);
  }
  for (const sensitivity of ["confidential", "restricted"] as const) {
    assert.equal(settle(ITEM, { expectedRevision: CURRENT, sensitivity }).sensitivity, sensitivity);
  }
});

Deno.test("what a draft leaves open is the item's, and what it says stays", () => {
  const open = settle(ITEM, { expectedRevision: CURRENT });
  assert.deepEqual([open.namespace, open.trustLevel, open.sensitivity], [
    "own",
    "reviewed",
    "confidential",
  ]);
  const said = settle(ITEM, {
    expectedRevision: CURRENT,
    namespace: "",
    trustLevel: "unverified",
  });
  assert.deepEqual([said.namespace, said.trustLevel], ["", "unverified"]);
});

Deno.test("a new item gets its namespace from its id and no labels that nobody stated", () => {
  const fresh = settle(null, { itemId: "a.b.c" });
  assert.deepEqual([fresh.namespace, fresh.trustLevel, fresh.sensitivity], ["a.b", null, null]);
  assert.equal(settle(null, { itemId: "leaf" }).namespace, "");
  assert.equal(settle(null, { namespace: "" }).namespace, "");
  assert.equal(derivedNamespace("leaf"), "");
});

Deno.test("a tool's caller is trusted up to inferred, or to what the item holds; a person as they say", () => {
  const stated = (held: KnownItem["trustLevel"] | null, trustLevel: KnownItem["trustLevel"]) => {
    const item = held === null ? null : { ...ITEM, trustLevel: held };
    const words = { trustLevel, expectedRevision: held === null ? null : CURRENT };
    return [settle(item, words, "mcp").trustLevel, settle(item, words).trustLevel];
  };
  assert.deepEqual(stated(null, "authoritative"), ["inferred", "authoritative"]);
  assert.deepEqual(stated(null, "unverified"), ["unverified", "unverified"]);
  assert.deepEqual(stated("unverified", "reviewed"), ["inferred", "reviewed"]);
  assert.deepEqual(stated("reviewed", "authoritative"), ["reviewed", "authoritative"]);
  assert.deepEqual(stated("reviewed", "inferred"), ["inferred", "inferred"]);
  assert.deepEqual(stated("authoritative", "authoritative"), ["authoritative", "authoritative"]);
});
