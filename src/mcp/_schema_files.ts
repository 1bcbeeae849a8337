// deno-lint-ignore-file
// deno-fmt-ignore-file
// Generated from schemas/ by scripts/compile_schemas.ts. Do not edit.
import type { SchemaFile } from "./schema_set.ts";
import file0 from "../../schemas/mcp/integrity.schema.json" with { type: "json" };
import file1 from "../../schemas/mcp/knowledge-generate-migration-draft-input.schema.json" with { type: "json" };
import file2 from "../../schemas/mcp/knowledge-get-input.schema.json" with { type: "json" };
import file3 from "../../schemas/mcp/knowledge-get-response.schema.json" with { type: "json" };
import file4 from "../../schemas/mcp/knowledge-propose-change-input.schema.json" with { type: "json" };
import file5 from "../../schemas/mcp/knowledge-search-input.schema.json" with { type: "json" };
import file6 from "../../schemas/mcp/knowledge-search-response.schema.json" with { type: "json" };
import file7 from "../../schemas/mcp/knowledge-status-input.schema.json" with { type: "json" };
import file8 from "../../schemas/mcp/knowledge-status-response.schema.json" with { type: "json" };
import file9 from "../../schemas/mcp/project-list-input.schema.json" with { type: "json" };
import file10 from "../../schemas/mcp/project-list-response.schema.json" with { type: "json" };
import file11 from "../../schemas/mcp/retrieval-result.schema.json" with { type: "json" };
import file12 from "../../schemas/mcp/review-findings-input.schema.json" with { type: "json" };
import file13 from "../../schemas/mcp/review-findings-response.schema.json" with { type: "json" };
import file14 from "../../schemas/mcp/review-generate-knowledge-candidate-input.schema.json" with { type: "json" };
import file15 from "../../schemas/mcp/review-search-input.schema.json" with { type: "json" };
import file16 from "../../schemas/mcp/review-search-response.schema.json" with { type: "json" };
import file17 from "../../schemas/mcp/system-capabilities-input.schema.json" with { type: "json" };
import file18 from "../../schemas/mcp/system-capabilities-response.schema.json" with { type: "json" };
import file19 from "../../schemas/mcp/tool-context.schema.json" with { type: "json" };

/** The published tool schemas, by file name. */
export const SCHEMA_FILES: readonly SchemaFile[] = [
  { name: "integrity.schema.json", content: file0 },
  { name: "knowledge-generate-migration-draft-input.schema.json", content: file1 },
  { name: "knowledge-get-input.schema.json", content: file2 },
  { name: "knowledge-get-response.schema.json", content: file3 },
  { name: "knowledge-propose-change-input.schema.json", content: file4 },
  { name: "knowledge-search-input.schema.json", content: file5 },
  { name: "knowledge-search-response.schema.json", content: file6 },
  { name: "knowledge-status-input.schema.json", content: file7 },
  { name: "knowledge-status-response.schema.json", content: file8 },
  { name: "project-list-input.schema.json", content: file9 },
  { name: "project-list-response.schema.json", content: file10 },
  { name: "retrieval-result.schema.json", content: file11 },
  { name: "review-findings-input.schema.json", content: file12 },
  { name: "review-findings-response.schema.json", content: file13 },
  { name: "review-generate-knowledge-candidate-input.schema.json", content: file14 },
  { name: "review-search-input.schema.json", content: file15 },
  { name: "review-search-response.schema.json", content: file16 },
  { name: "system-capabilities-input.schema.json", content: file17 },
  { name: "system-capabilities-response.schema.json", content: file18 },
  { name: "tool-context.schema.json", content: file19 },
];
