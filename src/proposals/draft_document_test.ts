import assert from "node:assert/strict";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { draftOperations, refusal, tree } from "../../tests/support/proposals.ts";

Deno.test("draftDocument() stamps id, time and version over the caller's and names the ids it touches", () =>
  inScratchProject(async (scratch) => {
    const made = await draftOperations(scratch, [
      { op: "deprecateItem", itemId: "architecture.retry-policy", supersededBy: "not.named" },
      {
        op: "addRelation",
        sourceItemId: "domain.b",
        relationType: "related_to",
        targetItemId: "domain.a",
      },
    ], {
      description: "Deprecate Retry: the Policy!",
      id: "01K0000000000000000000000A",
      apiVersion: "nope",
      createdAt: "x",
    });
    assert.equal(made.migrationFile, `${made.migrationId}-deprecate-retry-the-policy.yaml`);
    assert.deepEqual(made.operations, ["deprecateItem", "addRelation"]);
    const files = tree(scratch.at(made.proposalDirectory));
    assert.match(
      files[made.migrationFile]!,
      new RegExp(`^apiVersion: theurian.dev/v1\nid: ${made.migrationId}\ncreatedAt: '2026-03-10`),
    );
    assert.deepEqual(JSON.parse(files["evidence.json"]!).itemId, [
      "architecture.retry-policy",
      "domain.a",
      "domain.b",
    ]);
    assert.deepEqual(Object.keys(made), [
      "proposalId",
      "proposalDirectory",
      "migrationId",
      "migrationFile",
      "evidenceFile",
      "operations",
      "nextSteps",
    ]);
  }));

Deno.test("draftDocument() drafts what only acceptance can judge", () =>
  inScratchProject(async (scratch) => {
    await draftOperations(scratch, [{ op: "deprecateItem", itemId: "no.such" }], {
      dependsOn: ["01K0000000000000000000000A"],
    });
  }));

const REFUSED: Readonly<Record<string, readonly [unknown, Record<string, unknown>?]>> = {
  "operations that are a text": ["abc"],
  "no operations": [[]],
  "an operation that is a text": [["x"]],
  "an unknown operation": [[{ op: "dropItem", itemId: "a.b" }]],
  "a revision": [[{ op: "upsertRevision", itemId: "a.b" }]],
  "a creation": [[{ op: "createItem", itemId: "a.b", kind: "domain", namespace: "", owner: "x" }]],
  "a change of sensitivity": [[
    { op: "changeSensitivity", itemId: "a.b", sensitivity: "public", reason: "r" },
  ]],
  "a return behind an admitted one": [[
    { op: "deprecateItem", itemId: "a.b" },
    { op: "restoreItem", itemId: "a.b" },
  ]],
  "an unknown key of an operation": [[{ op: "deprecateItem", itemId: "a.b", more: 1 }]],
  "an unknown key of the document": [[{ op: "deprecateItem", itemId: "a.b" }], { more: 1 }],
  "no author": [[{ op: "deprecateItem", itemId: "a.b" }], { author: undefined }],
  "251 operations": [Array(251).fill({ op: "deprecateItem", itemId: "a.b" })],
  "an unpaired surrogate": [[{ op: "deprecateItem", itemId: "a.b", reason: "\udc00" }]],
};

for (const [what, [operations, more]] of Object.entries(REFUSED)) {
  Deno.test(`draftDocument() refuses ${what} and leaves nothing`, () =>
    inScratchProject(async (scratch) => {
      await refusal(2, () => draftOperations(scratch, operations, more));
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    }));
}
