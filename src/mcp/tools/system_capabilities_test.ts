import assert from "node:assert/strict";
import { contextOf } from "../../../tests/support/tool_calls.ts";
import { systemCapabilities } from "./system_capabilities.ts";

async function capabilities(toolNames: readonly string[]) {
  const context = { ...contextOf({ dataDirectory: "/nowhere" }), toolNames };
  return await systemCapabilities.answer({}, context);
}

Deno.test("system.capabilities claims everything when all ten tools are registered", async () => {
  const context = contextOf({ dataDirectory: "/nowhere" });
  const all = [...context.toolNames, "review.generateKnowledgeCandidate"];
  const answer = await capabilities(all);
  assert.deepEqual(answer["capabilities"], {
    knowledgeSearch: "hybrid",
    knowledgeGet: true,
    hybridRetrieval: true,
    raptor: true,
    sensitivityEnforcement: true,
    reviewFindings: true,
    reviewIngestion: true,
    reviewIngestionScope: "public-allowlisted",
    traceability: false,
    writeTools: true,
  });
  assert.deepEqual(Object.keys(answer).sort(), [
    "capabilities",
    "note",
    "protocolVersion",
    "schemaVersion",
    "version",
  ]);
});

Deno.test("system.capabilities claims nothing of what is not registered", async () => {
  const answer = await capabilities(["knowledge.search", "knowledge.get"]);
  const claimed = answer["capabilities"] as Record<string, unknown>;
  assert.equal(claimed["writeTools"], false);
  assert.equal(claimed["reviewFindings"], false);
  assert.equal(claimed["reviewIngestion"], false);
  assert.equal(claimed["reviewIngestionScope"], null);
});
