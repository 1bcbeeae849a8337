import assert from "node:assert/strict";
import { addDemo, revise } from "../../../tests/support/demo_corpus.ts";
import { inScratchProject, type ScratchProject } from "../../../tests/support/scratch_project.ts";
import {
  call,
  type Caller,
  codeOf,
  payloadOf,
  refusalText,
  register,
} from "../../../tests/support/tool_calls.ts";
import type { JsonObject } from "../../platform/json.ts";

function get(caller: Caller, itemId: string, extra: JsonObject = {}) {
  return call(caller, "knowledge.get", { projectId: "demo", itemId, ...extra });
}

async function inDemo(
  work: (project: ScratchProject, caller: Caller) => Promise<void>,
): Promise<void> {
  await inScratchProject(async (project) => {
    project.now = Date.UTC(2026, 1, 1);
    addDemo(project);
    await project.applyWithoutPurge();
    await work(project, register(project));
  });
}

Deno.test("knowledge.get follows an alias and shows the body exactly, with visible relations only", async () => {
  await inDemo(async (_project, caller) => {
    const payload = payloadOf(await get(caller, "ops.retries"));
    assert.equal(payload["itemId"], "ops.retry");
    assert.equal(
      payload["body"],
      "# Retry budget\n\nEvery outbound call carries a retry budget of three attempts with jitter.\n",
    );
    assert.equal(payload["structured"], null);
    assert.deepEqual(payload["relations"], [
      { relationType: "depends_on", targetItemId: "ops.cache", note: "cache first" },
      { relationType: "implements", targetItemId: "dom.auth-ja", note: null },
    ]);
    assert.ok(!("projectId" in payload) && !("fusedScore" in payload));
    const other = payloadOf(await get(caller, "dom.auth-ja"));
    assert.deepEqual(other["relations"], [
      { relationType: "implemented_by", targetItemId: "ops.retry", note: null },
    ]);
    assert.deepEqual(other["sourceAnchors"], []);
    // Its own edge to `ops.retries` names an alias, which is no item of that id.
    assert.deepEqual(payloadOf(await get(caller, "ops.cache"))["relations"], [
      {
        relationType: "depends_on",
        targetItemId: "ops.cache",
        note: "cache first",
        sourceItemId: "ops.retry",
      },
    ]);
  });
});

Deno.test("knowledge.get with drafts shows their edges, first where they sort first", async () => {
  await inDemo(async (_project, caller) => {
    const payload = payloadOf(await get(caller, "ops.retry", { includeUnapproved: true }));
    assert.deepEqual((payload["relations"] as JsonObject[])[0], {
      relationType: "related_to",
      targetItemId: "ops.retry",
      note: null,
      sourceItemId: "arch.queue",
    });
    assert.equal(
      payloadOf(await get(caller, "arch.queue", { includeUnapproved: true }))["status"],
      "draft",
    );
  });
});

Deno.test("knowledge.get publishes anchors with seven keys and labels every text as untrusted", async () => {
  await inDemo(async (_project, caller) => {
    const payload = payloadOf(await get(caller, "ops.cache"));
    assert.deepEqual(payload["sourceAnchors"], [{
      provider: "git",
      sourceUri: "git://local/docs/cache.md",
      repository: null,
      commitSha: null,
      filePath: null,
      lineStart: null,
      lineEnd: null,
    }]);
    assert.deepEqual(
      [payload["contentClassification"], payload["mayContainInstructions"], payload["executable"]],
      ["untrusted-knowledge", true, false],
    );
  });
});

Deno.test("knowledge.get answers absent, hidden and aliased-hidden ids in one form", async () => {
  await inDemo(async (project, caller) => {
    project.migrate({ op: "addAlias", alias: "sec.old", itemId: "sec.keys" }, {
      op: "createItem",
      itemId: "ops.bare",
      kind: "domain",
      namespace: "n",
      owner: "ada",
    });
    await project.applyWithoutPurge();
    const ids = ["no.such", "sec.keys", "sec.old", "arch.queue", "arch.old", "ops.bare"];
    const texts = new Set<string>();
    for (const id of ids) {
      const result = await get(caller, id);
      assert.equal(codeOf(result), null);
      texts.add(refusalText(result).replace(id, "<id>"));
    }
    assert.deepEqual([...texts], ["Item <id> is not present in project demo."]);
    const flagged = refusalText(await get(caller, "arch.old", { includeUnapproved: true }));
    assert.equal(flagged.replace("arch.old", "<id>"), [...texts][0]);
    payloadOf(await get({ ...caller, ceiling: "confidential" }, "sec.old"));
  });
});

Deno.test("knowledge.get tells a malformed id apart and points to search", async () => {
  await inDemo(async (_project, caller) => {
    for (const id of ["", "Not An Id", "a.b ", "a..b", "a.b\n", "-a"]) {
      const result = await get(caller, id);
      assert.equal(codeOf(result), "INVALID_INPUT", id);
      assert.match(refusalText(result), /knowledge\.search/);
    }
  });
});

Deno.test("knowledge.get keeps the author's offset and judges freshness by the clock", async () => {
  await inScratchProject(async (project) => {
    project.migrate(
      ...revise(project, "a.b", { body: "x" }, { validFrom: "2026-05-01T00:00:00Z" }),
    );
    await project.applyWithoutPurge();
    const caller = register(project);
    const at = async (now: number) =>
      payloadOf(await get({ ...caller, now }, "a.b"))["freshness"] as JsonObject;
    assert.deepEqual(await at(Date.UTC(2026, 2, 20)), {
      revisionCreatedAt: "2026-03-10T10:30:00+01:00",
      isWithinValidity: false,
      ageDays: 9,
    });
    assert.equal((await at(Date.UTC(2020, 0, 1)))["ageDays"], 0);
    assert.equal((await at(Date.UTC(2026, 4, 1)))["isWithinValidity"], true);
  });
});
