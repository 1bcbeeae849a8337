import type { JsonObject } from "../../platform/json.ts";
import type { Tool } from "../tool.ts";
import { answerDraft, checkDraft, evidenceOf } from "./_draft_call.ts";

/** `knowledge.generateMigrationDraft` (mcp-tools.md, proposals.md 4.3): drafts, never approves. */
export const knowledgeGenerateMigrationDraft: Tool = {
  name: "knowledge.generateMigrationDraft",
  title: "Draft a migration",
  description: "Drafts relations, aliases, owners, deprecations, evidence or specifications as a " +
    "proposal that a person reviews and merges. It approves nothing and changes nothing that is served.",
  lane: "draft",
  inputSchema: "knowledge-generate-migration-draft-input.schema.json",
  outputSchema: null,
  check: checkDraft,
  answer: (call, context) =>
    answerDraft(call, context, (facade, input) =>
      facade.draftDocument({
        document: input["document"] as JsonObject,
        evidence: evidenceOf(input),
        local: input["local"] === true,
      })),
};
