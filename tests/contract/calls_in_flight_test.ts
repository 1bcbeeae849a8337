/**
 * What happens to a call while the world around it changes (daemon-and-setup.md traps 48 and 51,
 * retrieval.md trap 44).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { toolCaller } from "../../src/daemon/_run_tool.ts";
import type { Job, Outcome } from "../../src/daemon/_worker_protocol.ts";
import { loadToolSchemas, refusalOf, resultOf, TOOLS, validateCall } from "../../src/mcp/mod.ts";
import { isFault } from "../../src/platform/errors.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { contextOf, register } from "../support/tool_calls.ts";

const READS: Readonly<Record<string, JsonObject>> = {
  "knowledge.search": { query: "cache" },
  "knowledge.get": { itemId: "a.cache" },
  "knowledge.status": {},
};

Deno.test("a call ends from the state it resolved, whatever is unregistered or applied meanwhile", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.cache": { title: "Cache", body: "Warm the cache.\n" } });
    await scratch.apply();
    await scratch.build();
    const context = contextOf(register(scratch));
    const registry = join(scratch.dataDirectory, "projects.json");
    const registered = Deno.readTextFileSync(registry);
    for (const [name, input] of Object.entries(READS)) {
      const tool = TOOLS.find((one) => one.name === name)!;
      const call = { projectId: "demo", ...input };
      const resolved = tool.check(call, context);
      const before = JSON.stringify(await tool.answer(resolved, context));
      Deno.writeTextFileSync(registry, "{}");
      assert.equal(JSON.stringify(await tool.answer(resolved, context)), before, name);
      assert.throws(
        () => tool.check(call, context),
        (error) => isFault(error, "project-unknown") && error.wireCode === "PROJECT_NOT_REGISTERED",
      );
      Deno.writeTextFileSync(registry, registered);
      scratch.add({ [`b.${name.split(".")[1]}`]: { body: "Another cache.\n" } });
      await scratch.apply();
      const after = await tool.answer(resolved, context) as JsonObject;
      assert.deepEqual(snapshotOf(after), snapshotOf(JSON.parse(before)), name);
      const next = await tool.answer(tool.check(call, context), context) as JsonObject;
      if (name !== "knowledge.get") assert.notDeepEqual(snapshotOf(next), snapshotOf(after), name);
    }
  }));

/** Which state an answer names. */
function snapshotOf(answer: JsonObject): unknown {
  return (answer["retrieval"] as JsonObject | undefined)?.["snapshotId"] ?? answer["stateHash"] ??
    answer["revisionId"];
}

Deno.test("four calls of one tool that stick leave the other tools their own four", async () => {
  const schemas = loadToolSchemas();
  const ran: string[] = [];
  const never = new Promise<Outcome>(() => {});
  const done = (job: Job): Promise<Outcome> =>
    Promise.resolve({ kind: "result", json: JSON.stringify(resultOf({ tool: job.tool })) });
  const callTool = toolCaller({
    tools: TOOLS,
    lanes: {
      read: {
        run: (job) =>
          job.step === "check" ? Promise.resolve({ kind: "checked", call: job.input }) : done(job),
      },
      gated: {
        run: (job) => {
          ran.push(job.tool);
          return job.tool === "knowledge.search" ? never : done(job);
        },
      },
      draft: { run: done },
    },
    rendering: { refusalOf, resultOf },
    refusedBySchema: (name, input) => validateCall(schemas, name, input),
    context: () => contextOf({ dataDirectory: "/nowhere" }),
    log: () => {},
  });
  const asked = async (tool: string, input: JsonObject): Promise<JsonObject> =>
    JSON.parse(await callTool(tool, { projectId: "demo", ...input }));
  const search = () => asked("knowledge.search", { query: "x" });
  for (let i = 0; i < 4; i++) void search();
  const fifth = await search();
  assert.equal(fifth["isError"], true);
  assert.match(JSON.stringify(fifth["content"]), /knowledge\.search is at its capacity of 4/);
  for (const tool of ["review.search", "review.findings", "knowledge.status"]) {
    assert.equal((await asked(tool, {}))["isError"], false, tool);
  }
  assert.deepEqual(ran.slice(4), ["review.search", "review.findings"]);
});
