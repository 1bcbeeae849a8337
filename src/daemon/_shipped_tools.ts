import {
  loadToolSchemas,
  refusalOf,
  resultOf,
  TOOLS,
  type ToolSchemas,
  validateCall,
} from "../mcp/mod.ts";
import type { Tool } from "../mcp/tool.ts";
import type { JsonObject } from "../platform/json.ts";
import { toolWorkerUrl } from "./_start_tool_worker.ts";
import type { Toolset } from "./toolset.ts";

/**
 * The tools of this build with their published schemas. Throws `schema-set-invalid` when one of the
 * set is at fault: no partial set is ever served (daemon-and-setup.md 8.4).
 */
export function shippedTools(): Toolset {
  const schemas = loadToolSchemas();
  return {
    tools: TOOLS,
    listing: TOOLS.map((tool) => listingOf(tool, schemas)),
    rendering: { resultOf, refusalOf },
    refusedBySchema: (name, input) => validateCall(schemas, name, input),
    workerUrl: toolWorkerUrl(),
  };
}

/** An entry of `tools/list`: the schemas that are enforced, each standing alone (decision 18). */
function listingOf(tool: Tool, schemas: ToolSchemas): JsonObject {
  const inputSchema = schemas.inputs.get(tool.name);
  if (inputSchema === undefined) throw new TypeError(`Tool ${tool.name} has no input schema`);
  const outputSchema = tool.outputSchema === null
    ? undefined
    : schemas.files.get(tool.outputSchema);
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.lane !== "draft",
      destructiveHint: false,
      idempotentHint: tool.lane !== "draft",
      openWorldHint: false,
    },
  };
}
