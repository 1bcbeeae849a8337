import assert from "node:assert/strict";
import { join } from "node:path";
import type { JsonObject } from "../../platform/json.ts";
import { parseYaml } from "../../platform/yaml/mod.ts";
import { accept, currentRevision, refusal, tree } from "../../../tests/support/proposals.ts";
import { inScratchProject, type ScratchProject } from "../../../tests/support/scratch_project.ts";
import {
  call,
  codeOf,
  payloadOf,
  refusalText,
  register,
} from "../../../tests/support/tool_calls.ts";

const TOOL = "knowledge.proposeChange";
const ITEM = "domain.foo";
const OTHER = "01K0000000000000000000000A";
const GOOD = {
  projectId: "demo",
  itemId: ITEM,
  title: "Foo",
  kind: "domain",
  owner: "team",
  author: "ada@example.org",
  description: "Write it down.",
  body: "# F\n",
  contentType: "text/markdown",
  evidence: { agentId: "agent-1", taskId: "task-1", model: "m", reasoning: "r" },
  sourceAnchors: [{ provider: "git", sourceUri: "git://demo/docs/a.md" }],
};

/** A registered project with a built state, and the tool over it. */
function served(
  work: (
    scratch: ScratchProject,
    propose: (more?: Record<string, unknown>) => Promise<JsonObject>,
  ) => Promise<void>,
): () => Promise<void> {
  return () =>
    inScratchProject(async (scratch) => {
      scratch.add({ "a.first": { body: "first" } });
      await scratch.apply();
      const caller = register(scratch);
      await work(scratch, (more = {}) => {
        // The tool mints its own ids: they sort behind what stands only at a later time.
        scratch.now += 1_000;
        return call({ ...caller, now: scratch.now }, TOOL, { ...GOOD, ...more } as JsonObject);
      });
    });
}

const proposals = (scratch: ScratchProject) => tree(scratch.at(".theurian/proposals"));

function metadataOf(scratch: ScratchProject, payload: JsonObject): Record<string, unknown> {
  const path = join(payload["proposalDirectory"] as string, payload["migrationFile"] as string);
  // deno-lint-ignore no-explicit-any
  const { operations } = parseYaml(Deno.readFileSync(scratch.at(path)), "it").value as any;
  return operations[1].metadata;
}

Deno.test(
  "knowledge.proposeChange answers the contract's twelve keys in their order and drafts nothing else",
  served(async (scratch, propose) => {
    const migrations = tree(scratch.at(".theurian/migrations"));
    const payload = payloadOf(await propose());
    assert.deepEqual(Object.keys(payload), [
      "proposalId",
      "proposalDirectory",
      "migrationId",
      "migrationFile",
      "revisionId",
      "expectedRevision",
      "bodyFile",
      "evidenceFile",
      "contentFile",
      "contentSha256",
      "bodyDestination",
      "nextSteps",
    ]);
    assert.equal(
      payload["contentSha256"],
      "sha256:e8c80e18cf25925ea93acb284adf2d0e3e080752cc61564d9f02bba1a73a82a0",
    );
    assert.equal((payload["nextSteps"] as string[]).length, 3);
    assert.deepEqual(tree(scratch.at(".theurian/migrations")), migrations);
    await accept(scratch, payload["proposalId"] as string);
  }),
);

Deno.test(
  "knowledge.proposeChange sees what was applied: accept refuses a new item that landed meanwhile",
  served(async (scratch, propose) => {
    const first = payloadOf(await propose());
    await accept(scratch, first["proposalId"] as string);
    const second = payloadOf(await propose({ body: "# G\n" }));
    const { message } = await refusal(1, () => accept(scratch, second["proposalId"] as string));
    assert.match(message, /no longer fits/);
    await scratch.apply();
    const conflict = await propose({ body: "# G\n" });
    assert.equal(codeOf(conflict), "REVISION_CONFLICT");
  }),
);

Deno.test(
  "knowledge.proposeChange takes a retired item for absent, with and without a revision",
  served(async (scratch, propose) => {
    scratch.add({ [ITEM]: { body: "one" } });
    const current = currentRevision(scratch, ITEM);
    scratch.migrate({ op: "deprecateItem", itemId: ITEM });
    await scratch.apply();
    const refused = await propose({ expectedRevision: current });
    assert.equal(codeOf(refused), "REVISION_CONFLICT");
    const absent = await propose({ itemId: "domain.bar", expectedRevision: current });
    assert.equal(
      refusalText(refused),
      refusalText(absent),
      "what is retired must answer as what is absent",
    );
    payloadOf(await propose());
  }),
);

Deno.test(
  "knowledge.proposeChange takes an item above the ceiling for absent; accept knows better",
  served(async (scratch, propose) => {
    scratch.add({ [ITEM]: { body: "one", sensitivity: "confidential" } });
    scratch.migrate({
      op: "createItem",
      itemId: "domain.bare",
      kind: "domain",
      namespace: "own",
      owner: "x",
      sensitivity: "confidential",
    });
    await scratch.apply();
    const current = currentRevision(scratch, ITEM);
    assert.equal(
      refusalText(await propose({ expectedRevision: current })),
      refusalText(await propose({ itemId: "domain.absent", expectedRevision: current })),
    );
    const first = payloadOf(await propose());
    assert.deepEqual(Object.keys(metadataOf(scratch, first)).includes("sensitivity"), false);
    const conflict = await refusal(1, () => accept(scratch, first["proposalId"] as string));
    assert.match(conflict.message, /no longer fits/);
    const second = payloadOf(await propose({ itemId: "domain.bare" }));
    const lowering = await refusal(1, () => accept(scratch, second["proposalId"] as string));
    assert.match(lowering.message, /from confidential to internal/);
  }),
);

Deno.test(
  "knowledge.proposeChange names conflicts with both revisions and its own spelling of arguments",
  served(async (scratch, propose) => {
    scratch.add({ [ITEM]: { body: "one" } });
    await scratch.apply();
    const current = currentRevision(scratch, ITEM);
    for (const expectedRevision of [null, OTHER, OTHER.toLowerCase()]) {
      const refused = await propose({ expectedRevision });
      const text = refusalText(refused);
      assert.ok(text.includes(current) && text.includes("`expectedRevision`"), text);
      assert.ok(!text.includes("--"), text);
      const expected = expectedRevision === null ? null : OTHER;
      const meta = refused["_meta"] as Record<string, JsonObject>;
      assert.deepEqual(meta["dev.theurian/error"]!["details"], {
        itemId: ITEM,
        expected,
        actual: current,
      });
    }
    const made = payloadOf(await propose({ expectedRevision: ` ${current.toLowerCase()} ` }));
    assert.equal(made["expectedRevision"], current);
  }),
);

Deno.test(
  "knowledge.proposeChange caps what a caller says of its own trust",
  served(async (scratch, propose) => {
    const made = payloadOf(await propose({ trustLevel: "authoritative" }));
    assert.equal(metadataOf(scratch, made)["trustLevel"], "inferred");
    scratch.add({ "domain.known": { body: "one", trustLevel: "reviewed" } });
    await scratch.apply();
    const update = {
      itemId: "domain.known",
      expectedRevision: currentRevision(scratch, "domain.known"),
    };
    const kept = payloadOf(await propose({ ...update, trustLevel: "authoritative" }));
    assert.equal(metadataOf(scratch, kept)["trustLevel"], "reviewed");
    const lowered = payloadOf(await propose({ ...update, trustLevel: "unverified" }));
    assert.equal(metadataOf(scratch, lowered)["trustLevel"], "unverified");
  }),
);

Deno.test(
  "knowledge.proposeChange believes the evidence and reads no context key",
  served(async (scratch, propose) => {
    const made = payloadOf(
      await propose({ agentId: "somebody-else", taskId: "other", snapshotId: "0".repeat(64) }),
    );
    const evidence = JSON.parse(Deno.readTextFileSync(scratch.at(made["evidenceFile"] as string)));
    assert.deepEqual([evidence.agentId, evidence.taskId], ["agent-1", "task-1"]);
  }),
);

const VALUES: Readonly<Record<string, Record<string, unknown>>> = {
  "a kind that is none": { kind: "essay" },
  "a content type that is none": { contentType: "text/plain" },
  "a trust level that is none": { trustLevel: "gospel" },
  "a sensitivity that is none": { sensitivity: "secret" },
  "an item id that climbs": { itemId: "../../etc" },
  "an item id with a line end": { itemId: "a.b\n" },
  "a label with a line end": { labels: ["a\nb"] },
  "an empty label": { labels: [""] },
  "a blank scope path": { scopePaths: [" "] },
  "a revision that is none": { expectedRevision: "xyz" },
  "a blank body": { body: " \n\t" },
  "a body over 8 MiB": { body: "x".repeat(9 * 1_048_576) },
  "an unpaired surrogate in the body": { body: "\ud800" },
  "an unpaired surrogate in the title": { title: "a\udc00" },
  "an unpaired surrogate in the reasoning": { evidence: { ...GOOD.evidence, reasoning: "\ud800" } },
  "an unpaired surrogate in an anchor": {
    sourceAnchors: [{ provider: "git", sourceUri: "x\ud800" }],
  },
  "a blank model": { evidence: { ...GOOD.evidence, model: " " } },
  "an agent's id of 201 characters": { evidence: { ...GOOD.evidence, agentId: "a".repeat(201) } },
  "neither source nor label": { sourceAnchors: [] },
  "a secret in the body": { body: "key AKIAIOSFODNN7EXAMPLE\n" },
};

for (const [what, more] of Object.entries(VALUES)) {
  Deno.test(
    `knowledge.proposeChange refuses ${what} as INVALID_INPUT and leaves nothing`,
    served(async (scratch, propose) => {
      const refused = await propose(more);
      assert.equal(codeOf(refused), "INVALID_INPUT", refusalText(refused));
      const text = refusalText(refused);
      assert.ok(text.isWellFormed() && !/AKIAI|essay|gospel|--/.test(text), text);
      assert.deepEqual(proposals(scratch), {});
    }),
  );
}

Deno.test(
  "knowledge.proposeChange lists the words of each vocabulary that it refuses",
  served(async (_scratch, propose) => {
    assert.match(refusalText(await propose({ kind: "x" })), /architecture, decision, .*exception/);
    assert.match(refusalText(await propose({ contentType: "x" })), /text\/markdown, .*yaml/);
    assert.match(refusalText(await propose({ trustLevel: "x" })), /unverified, .*authoritative/);
    assert.match(refusalText(await propose({ sensitivity: "x" })), /public, .*restricted/);
  }),
);

const SHAPES: Readonly<Record<string, Record<string, unknown>>> = {
  "equal labels": { labels: ["a", "a"] },
  "an unknown key": { approve: true },
  "a key of an anchor that only people state": {
    sourceAnchors: [{ provider: "git", sourceUri: "x", lineStart: 1 }],
  },
  "evidence without a reason": { evidence: { agentId: "a", taskId: "t", model: "m" } },
  "an empty agent's id": { evidence: { ...GOOD.evidence, agentId: "" } },
  "a body that is no text": { body: 7 },
  "no project": { projectId: undefined },
};

for (const [what, more] of Object.entries(SHAPES)) {
  Deno.test(
    `knowledge.proposeChange refuses ${what} at the published schema`,
    served(async (scratch, propose) => {
      assert.equal(codeOf(await propose(more)), null);
      assert.deepEqual(proposals(scratch), {});
    }),
  );
}

Deno.test(
  "knowledge.proposeChange drafts locally where the ignore rule holds, and nowhere else",
  served(async (scratch, propose) => {
    const made = payloadOf(await propose({ local: true }));
    assert.match(made["bodyFile"] as string, /^\.theurian\/proposals-local\//);
    assert.match(Deno.readTextFileSync(scratch.at(".gitignore")), /proposals-local/);
  }),
);

Deno.test(
  "knowledge.proposeChange says where it may not go without saying where that leads",
  served(async (scratch, propose) => {
    const outside = `${scratch.root}-outside`;
    Deno.mkdirSync(outside);
    Deno.symlinkSync(outside, scratch.at(".theurian/proposals"));
    const first = refusalText(await propose());
    assert.ok(!first.includes(scratch.root), first);
    assert.equal(refusalText(await propose({ itemId: "other.item" })), first);
    assert.deepEqual([...Deno.readDirSync(outside)], []);
    Deno.removeSync(scratch.at(".theurian/proposals"));
    Deno.symlinkSync("migrations", scratch.at(".theurian/proposals"));
    assert.match(refusalText(await propose()), /symbolic link/);
    Deno.removeSync(scratch.at(".theurian/proposals"));
    Deno.writeTextFileSync(scratch.at(".theurian/proposals"), "a file");
    refusalText(await propose());
  }),
);

Deno.test("knowledge.proposeChange needs a registered project with a built state", () =>
  inScratchProject(async (scratch) => {
    const caller = register(scratch);
    const unbuilt = refusalText(await call(caller, TOOL, GOOD as unknown as JsonObject));
    assert.match(unbuilt, /theurian migrate apply/);
    const unknown = await call(
      caller,
      TOOL,
      { ...GOOD, projectId: "other" } as unknown as JsonObject,
    );
    assert.equal(codeOf(unknown), "PROJECT_NOT_REGISTERED");
    const foreign = { ...caller, tenantId: "other" };
    const refused = await call(foreign, TOOL, GOOD as unknown as JsonObject);
    assert.equal(codeOf(refused), "NOT_AUTHORIZED");
    assert.deepEqual(proposals(scratch), {});
  }));
