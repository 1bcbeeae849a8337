/**
 * The tools, their published schemas and how their answers look (mcp-tools.md).
 *
 * @module
 */

export * from "./escape_fragment.ts";
export * from "./integrity.ts";
export * from "./measure_arguments.ts";
export * from "./registry.ts";
export * from "./resolve_schema.ts";
export * from "./results.ts";
export * from "./schema_set.ts";
export * from "./schemas.ts";
export * from "./tool.ts";
export * from "./validate_call.ts";
export * from "./wire_refusal.ts";
