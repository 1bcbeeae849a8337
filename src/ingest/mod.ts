/**
 * Reading authored sources: Markdown, YAML, JSON, OpenAPI (corpus-and-migrations.md sections 16, 17).
 *
 * @module
 */

export * from "./document.ts";
export * from "./external_references.ts";
export * from "./front_matter.ts";
export * from "./ingest_sources.ts";
export * from "./manifest.ts";
export * from "./markdown_lines.ts";
export * from "./openapi_index.ts";
export * from "./parse_data.ts";
export * from "./parse_markdown.ts";
export * from "./parse_source.ts";
export * from "./source_files.ts";
export * from "./text_projection.ts";
