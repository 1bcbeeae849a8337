import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../platform/json.ts";
import { parseYaml } from "../../platform/yaml/mod.ts";
import { accept, tree } from "../../../tests/support/proposals.ts";
import { inScratchProject, type ScratchProject } from "../../../tests/support/scratch_project.ts";
import {
  call,
  codeOf,
  payloadOf,
  refusalText,
  register,
} from "../../../tests/support/tool_calls.ts";

const TOOL = "knowledge.generateMigrationDraft";
const EVIDENCE = { agentId: "agent-1", taskId: "task-1", model: "m", reasoning: "r" };
const RETIRE = { op: "deprecateItem", itemId: "a.first" };

/** A registered project with a built state, and the tool over it. */
function served(
  work: (
    scratch: ScratchProject,
    draft: (document: Record<string, unknown>, more?: JsonObject) => Promise<JsonObject>,
  ) => Promise<void>,
): () => Promise<void> {
  return () =>
    inScratchProject(async (scratch) => {
      scratch.add({ "a.first": { body: "first" }, "a.second": { body: "second" } });
      await scratch.apply();
      // The tool mints its own ids: they sort behind what stands only at a later time.
      scratch.now += 1_000;
      const caller = register(scratch);
      await work(scratch, (document, more = {}) =>
        call(caller, TOOL, {
          projectId: "demo",
          document: { author: "ada@example.org", ...document },
          evidence: EVIDENCE,
          ...more,
        } as JsonObject));
    });
}

Deno.test(
  "knowledge.generateMigrationDraft stamps id, time and version, keeps the rest in the caller's order",
  served(async (scratch, draft) => {
    const payload = payloadOf(
      await draft({
        description: "Deprecate Retry: the Policy!",
        id: { any: "thing" },
        apiVersion: 7,
        createdAt: null,
        operations: [RETIRE, { ...RETIRE, itemId: "a.second" }],
      }),
    );
    assert.deepEqual(Object.keys(payload), [
      "proposalId",
      "proposalDirectory",
      "migrationId",
      "migrationFile",
      "evidenceFile",
      "operations",
      "nextSteps",
    ]);
    assert.equal(
      payload["migrationFile"],
      `${payload["migrationId"]}-deprecate-retry-the-policy.yaml`,
    );
    assert.deepEqual(payload["operations"], ["deprecateItem", "deprecateItem"]);
    const path = join(payload["proposalDirectory"] as string, payload["migrationFile"] as string);
    const document = parseYaml(Deno.readFileSync(scratch.at(path)), "it").value as JsonObject;
    assert.deepEqual(Object.keys(document), [
      "apiVersion",
      "id",
      "createdAt",
      "author",
      "description",
      "operations",
    ]);
    assert.equal(document["id"], payload["migrationId"]);
    assert.equal(document["apiVersion"], "theurian.dev/v1");
    await accept(scratch, payload["proposalId"] as string);
    assert.deepEqual((await scratch.apply()).applied, [payload["migrationId"]]);
  }),
);

Deno.test(
  "knowledge.generateMigrationDraft names its file `migration` where the description tells nothing",
  served(async (_scratch, draft) => {
    for (const words of [{}, { description: "認証" }, { description: "!!!" }]) {
      const payload = payloadOf(await draft({ ...words, operations: [RETIRE] }));
      assert.match(payload["migrationFile"] as string, /^\w{26}-migration\.yaml$/);
    }
  }),
);

Deno.test(
  "knowledge.generateMigrationDraft admits exactly the ten operations that change no content and no reader",
  served(async (_scratch, draft) => {
    const anchor = { provider: "git", sourceUri: "git://demo/x" };
    const operations = [
      RETIRE,
      {
        op: "addRelation",
        sourceItemId: "a.first",
        relationType: "related_to",
        targetItemId: "a.second",
      },
      {
        op: "removeRelation",
        sourceItemId: "a.first",
        relationType: "related_to",
        targetItemId: "a.second",
      },
      { op: "addAlias", alias: "x.y", itemId: "a.first" },
      { op: "removeAlias", alias: "x.y" },
      { op: "changeOwner", itemId: "a.first", owner: "ops" },
      {
        op: "registerSpecification",
        specId: "s.one",
        itemId: "a.first",
        sourceUri: "git://x",
        format: "application/yaml",
      },
      { op: "supersedeSpecification", specId: "s.one", supersededBy: "s.two" },
      { op: "addEvidence", itemId: "a.first", description: "Seen.", anchor },
      { op: "removeEvidence", itemId: "a.first", sourceUri: "git://demo/x" },
    ];
    const payload = payloadOf(await draft({ operations }));
    assert.deepEqual(payload["operations"], operations.map(({ op }) => op));
  }),
);

const REFUSED: Readonly<Record<string, readonly [Record<string, unknown>, RegExp]>> = {
  "a creation": [
    {
      operations: [{ op: "createItem", itemId: "x.y", kind: "domain", namespace: "", owner: "x" }],
    },
    /knowledge\.proposeChange/,
  ],
  "a revision": [{ operations: [{ op: "upsertRevision" }] }, /knowledge\.proposeChange/],
  "a change of sensitivity": [
    {
      operations: [{ op: "changeSensitivity", itemId: "a.b", sensitivity: "public", reason: "r" }],
    },
    /by hand/,
  ],
  "a return from retirement behind an admitted one": [
    { operations: [RETIRE, { op: "restoreItem", itemId: "a.first" }] },
    /operation 1 .*by hand/,
  ],
  "operations that are a text": [{ operations: "abc" }, /operations/],
  "operations that are none": [{ operations: [] }, /operations/],
  "an operation that is a text": [{ operations: ["x"] }, /operations\/0/],
  "an operation that is null": [{ operations: [null] }, /operations\/0/],
  "an unknown operation": [{ operations: [{ op: "dropItem" }] }, /operations\/0/],
  "no operations": [{}, /operations/],
  "no author": [{ author: undefined, operations: [RETIRE] }, /author/],
  "another key": [{ operations: [RETIRE], tenantId: "x" }, /tenantId/],
  "251 operations": [{ operations: Array(251).fill(RETIRE) }, /250/],
  "a number beyond what is exact": [
    { operations: [{ ...RETIRE, reason: 123456789012345678901n }] },
    /operations\/0\/reason/,
  ],
};

for (const [what, [document, words]] of Object.entries(REFUSED)) {
  Deno.test(
    `knowledge.generateMigrationDraft refuses ${what} and leaves nothing`,
    served(async (scratch, draft) => {
      const refused = await draft(document);
      assert.equal(codeOf(refused), "INVALID_INPUT");
      assert.match(refusalText(refused), words);
      assert.ok(!/--\w/.test(refusalText(refused)));
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    }),
  );
}

Deno.test(
  "knowledge.generateMigrationDraft drafts what only acceptance can judge",
  served(async (_scratch, draft) => {
    for (
      const operations of [
        [{ op: "deprecateItem", itemId: "no.such" }],
        [{ op: "addAlias", alias: "a.second", itemId: "a.first" }],
        Array.from({ length: 250 }, () => RETIRE),
      ]
    ) payloadOf(await draft({ operations, dependsOn: ["01K0000000000000000000000A"] }));
  }),
);

Deno.test(
  "knowledge.generateMigrationDraft keeps who drafted and every id that the document names",
  served(async (scratch, draft) => {
    const payload = payloadOf(
      await draft({
        operations: [
          { op: "addAlias", alias: "x.y", itemId: "a.second" },
          { op: "deprecateItem", itemId: "a.first", supersededBy: "not.named" },
        ],
      }, { agentId: "somebody-else" }),
    );
    const path = scratch.at(payload["evidenceFile"] as string);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(path)), {
      proposalId: payload["proposalId"],
      migrationId: payload["migrationId"],
      itemId: ["a.first", "a.second", "x.y"],
      ...EVIDENCE,
      sourceAnchors: [],
    });
  }),
);
