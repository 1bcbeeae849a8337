/**
 * A call answers from what it resolved when it began, whatever a person does meanwhile
 * (daemon-and-setup.md 10, trap 48).
 *
 * @module
 */

import assert from "node:assert/strict";
import { TOOLS } from "../../src/mcp/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { unregisterProject } from "../../src/projects/mod.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { call, codeOf, contextOf, register } from "../support/tool_calls.ts";

const CALLS: readonly (readonly [tool: string, input: JsonObject])[] = [
  ["knowledge.status", { projectId: "demo" }],
  ["knowledge.get", { projectId: "demo", itemId: "domain.tide" }],
  ["knowledge.search", { projectId: "demo", query: "tide" }],
];

for (const [name, input] of CALLS) {
  Deno.test(`${name} in flight answers after its project was unregistered; the next call is refused`, () =>
    inScratchProject(async (project) => {
      project.migrate(...project.revise("domain.tide", { body: "# Tide\n\nThe tide is high.\n" }));
      await project.apply();
      await project.build();
      const caller = register(project);
      const tool = TOOLS.find((one) => one.name === name)!;
      const context = contextOf(caller);
      const begun = structuredClone(tool.check(input, context));
      assert.equal(await unregisterProject(caller.dataDirectory, "demo"), true);
      const answer = await tool.answer(begun, context);
      assert.ok(Object.keys(answer).length > 0);
      assert.equal(codeOf(await call(caller, name, input)), "PROJECT_NOT_REGISTERED");
    }));
}
