import { CORE_VERSION, PROTOCOL_VERSION } from "../../compat/mod.ts";
import { STATE_SCHEMA_VERSION } from "../../knowledge/mod.ts";
import type { Tool } from "../tool.ts";

const WRITE_TOOLS = [
  "knowledge.proposeChange",
  "knowledge.generateMigrationDraft",
  "review.generateKnowledgeCandidate",
];

/** `system.capabilities` (mcp-tools.md, retrieval.md 4.5): claims what is registered, nothing else. */
export const systemCapabilities: Tool = {
  name: "system.capabilities",
  title: "Capabilities",
  description: "Tells what this build supports, so that a client can do without what is missing.",
  lane: "read",
  inputSchema: "system-capabilities-input.schema.json",
  outputSchema: "system-capabilities-response.schema.json",
  check: () => ({}),
  answer(_call, { toolNames }) {
    const has = (name: string) => toolNames.includes(name);
    const writes = WRITE_TOOLS.some(has);
    return {
      version: CORE_VERSION,
      protocolVersion: PROTOCOL_VERSION,
      schemaVersion: STATE_SCHEMA_VERSION,
      capabilities: {
        knowledgeSearch: "hybrid",
        knowledgeGet: has("knowledge.get"),
        hybridRetrieval: has("knowledge.search"),
        raptor: has("knowledge.search"),
        sensitivityEnforcement: true,
        reviewFindings: has("review.findings"),
        reviewIngestion: has("review.search"),
        reviewIngestionScope: has("review.search") ? "public-allowlisted" : null,
        traceability: has("trace.get"),
        writeTools: writes,
      },
      note: writes
        ? "Tools that write draft proposals and nothing else: approval is a person merging a change. " +
          "An empty answer can mean that everything found is withheld."
        : "Every tool here only reads. An empty answer can mean that everything found is withheld.",
    };
  },
};
