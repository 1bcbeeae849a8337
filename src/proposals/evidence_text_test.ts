import assert from "node:assert/strict";
import { evidenceText, namedItems } from "./mod.ts";
import { ANCHOR, EVIDENCE } from "../../tests/support/proposals.ts";

const RECORD = {
  proposalId: "01K0000000000000000000000A",
  migrationId: "01K0000000000000000000000B",
  itemId: "a.b",
  evidence: EVIDENCE,
  sourceAnchors: [ANCHOR],
};

Deno.test("evidenceText() keeps its keys in their order, two blanks deep, with a final line end", () => {
  assert.equal(
    evidenceText({ ...RECORD, more: { candidate: { recordKey: "k" } } }),
    `{
  "proposalId": "01K0000000000000000000000A",
  "migrationId": "01K0000000000000000000000B",
  "itemId": "a.b",
  "agentId": "agent-1",
  "taskId": "task-1",
  "model": "test-model",
  "reasoning": "Seen in the incident.",
  "sourceAnchors": [
    {
      "provider": "git",
      "sourceUri": "git://demo/docs/a.md"
    }
  ],
  "candidate": {
    "recordKey": "k"
  }
}
`,
  );
});

Deno.test("evidenceText() is ASCII and reads back as what it was, whatever the text holds", () => {
  const reasoning = 'é 認証 😀 \u007f\u0085\u2028\ufeff "quoted" back\\slash \\u0041 tab\t line\n';
  const text = evidenceText({ ...RECORD, evidence: { ...EVIDENCE, reasoning } });
  assert.match(text, /^[\n -~]+$/);
  assert.equal(JSON.parse(text).reasoning, reasoning);
});

Deno.test("namedItems() names items and aliases once, sorted, and neither successors nor specifications", () => {
  const operations = [
    { op: "deprecateItem", itemId: "c.c", supersededBy: "not.named" },
    { op: "addRelation", sourceItemId: "b.b", targetItemId: "a.a" },
    { op: "addAlias", alias: "d.d", itemId: "c.c" },
    { op: "registerSpecification", itemId: "a.a", specId: "not.named.either" },
    { itemId: 7 },
    "a text",
    null,
    ["a list"],
  ];
  assert.deepEqual(namedItems(operations as never), ["a.a", "b.b", "c.c", "d.d"]);
  assert.deepEqual(namedItems("abc"), []);
  assert.deepEqual(namedItems(undefined), []);
});
