import assert from "node:assert/strict";
import { changeFingerprint } from "./mod.ts";

const DOCUMENT = {
  apiVersion: "theurian.dev/v1",
  id: "01K0000000000000000000000A",
  createdAt: "2026-01-01T00:00:00+00:00",
  author: "ada",
  description: "d",
  operations: [{
    op: "upsertRevision",
    itemId: "a.b",
    revisionId: "01K0000000000000000000000B",
    contentFile: "../knowledge/a/b.01K0000000000000000000000B.md",
    contentSha256: "0".repeat(64),
    metadata: { title: "T", labels: ["x", "y"] },
  }],
};
const upsert = (more: Record<string, unknown>) => ({
  ...DOCUMENT,
  operations: [{ ...DOCUMENT.operations[0], ...more }],
});

Deno.test("changeFingerprint() is blind to what a draft mints, and to the order of keys", () => {
  const again = {
    operations: upsert({
      revisionId: "01K0000000000000000000000Z",
      contentFile: "../knowledge/a/b.01K0000000000000000000000Z.md",
    }).operations,
    description: "d",
    author: "ada",
    createdAt: "2027-01-01T00:00:00+00:00",
    id: "01K0000000000000000000000Y",
    apiVersion: "theurian.dev/v1",
  };
  assert.equal(changeFingerprint(again), changeFingerprint(DOCUMENT));
});

Deno.test("changeFingerprint() differs with anything that an author decides", () => {
  const others = [
    { ...DOCUMENT, author: "eve" },
    { ...DOCUMENT, description: "e" },
    { ...DOCUMENT, dependsOn: ["01K0000000000000000000000X"] },
    { ...DOCUMENT, operations: [...DOCUMENT.operations, ...DOCUMENT.operations] },
    upsert({ itemId: "a.c" }),
    upsert({ expectedRevision: "01K0000000000000000000000C" }),
    upsert({ contentSha256: "1".repeat(64) }),
    upsert({ metadata: { title: "U", labels: ["x", "y"] } }),
    upsert({ metadata: { title: "T", labels: ["y", "x"] } }),
    upsert({ op: "other" }),
  ];
  const seen = new Set([DOCUMENT, ...others].map(changeFingerprint));
  assert.equal(seen.size, others.length + 1);
});

Deno.test("changeFingerprint() keeps a content file of another operation, where it is no place of a body", () => {
  const other = (contentFile: string) =>
    changeFingerprint(upsert({ op: "addEvidence", contentFile }));
  assert.notEqual(other("a"), other("b"));
});
