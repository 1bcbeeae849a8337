import assert from "node:assert/strict";
import type { Relation, RelationType, SourceAnchor } from "../knowledge/model.ts";
import { itemSecretLines, MAX_FINDINGS, noteSecretLines } from "./secret_lines.ts";

const token = "sk-" + "a1".repeat(12);
const secretNote = `key ${token}`;
const everything = () => true;

function edge(
  sourceItemId: string,
  relationType: RelationType,
  targetItemId: string,
  note: string | null = secretNote,
): Relation {
  return { sourceItemId, relationType, targetItemId, note, createdAt: "2026-03-10T10:30:00+00:00" };
}

function anchor(facts: Partial<SourceAnchor>): SourceAnchor {
  return {
    provider: "git",
    sourceUri: "u",
    repository: null,
    commitSha: null,
    blobSha: null,
    filePath: null,
    lineStart: null,
    lineEnd: null,
    externalId: null,
    ...facts,
  };
}

Deno.test("itemSecretLines() reports the served text first, then the anchors field by field", () => {
  const revision = {
    itemId: "a.one",
    sourceAnchors: [
      anchor({ filePath: `f ${token}`, externalId: token }),
      anchor({ sourceUri: token }),
    ],
  };
  assert.deepEqual(itemSecretLines(revision, `Title\n\nbody ${token}`), [
    "a.one:3:6: openai-api-key (sk-a...)",
    "a.one:sourceAnchors[0].externalId:1:1: openai-api-key (sk-a...)",
    "a.one:sourceAnchors[0].filePath:1:3: openai-api-key (sk-a...)",
    "a.one:sourceAnchors[1].sourceUri:1:1: openai-api-key (sk-a...)",
  ]);
  const many = { itemId: "a.one", sourceAnchors: Array(30).fill(anchor({ sourceUri: token })) };
  assert.equal(itemSecretLines(many, `${token}\n`.repeat(5)).length, MAX_FINDINGS);
});

Deno.test("noteSecretLines() says nothing of a note whose other end is hidden", () => {
  const relations = [edge("a", "depends_on", "hidden")];
  const isVisible = (itemId: string) => itemId !== "hidden";
  assert.deepEqual(noteSecretLines(relations, everything, isVisible, 20), []);
});

Deno.test("noteSecretLines() reports a note once, at the first end, by its place among the visible", () => {
  const relations = [
    edge("a", "depends_on", "a.hidden"),
    edge("a", "depends_on", "b"),
    edge("b", "related_to", "a"),
    edge("b", "related_to", "c", "x " + secretNote),
  ];
  const isVisible = (itemId: string) => itemId !== "a.hidden";
  assert.deepEqual(noteSecretLines(relations, everything, isVisible, 20), [
    "a:relations[0].note:1:5: openai-api-key (sk-a...)",
    "b:relations[2].note:1:7: openai-api-key (sk-a...)",
  ]);
  assert.deepEqual(noteSecretLines(relations, (id) => id === "c", everything, 20), [
    "c:relations[0].note:1:7: openai-api-key (sk-a...)",
  ]);
});

Deno.test("noteSecretLines() counts relations in stored order, whichever way they are shown", () => {
  const relations = [
    edge("b", "related_to", "z", `outgoing ${token}`),
    edge("ba", "implements", "b", `incoming ${token}`),
  ];
  assert.deepEqual(noteSecretLines(relations, (id) => id === "b", everything, 20), [
    "b:relations[0].note:1:10: openai-api-key (sk-a...)",
    "b:relations[1].note:1:10: openai-api-key (sk-a...)",
  ]);
});

Deno.test("noteSecretLines() stops at its limit", () => {
  const relations = Array.from({ length: 30 }, (_, n) => edge("a", "depends_on", `b${n}`));
  assert.equal(noteSecretLines(relations, everything, everything, 7).length, 7);
  assert.equal(noteSecretLines(relations, everything, everything, 0).length, 0);
});
