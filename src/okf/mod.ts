/**
 * Open Knowledge Format: a bundle of Markdown out of the approved state, and proposals out of a
 * bundle (okf.md).
 *
 * @module
 */

export * from "./bundle_files.ts";
export * from "./bundle_paths.ts";
export * from "./bundle_target.ts";
export * from "./collect_edges.ts";
export * from "./draft_concept.ts";
export * from "./draft_refusal.ts";
export * from "./export_bundle.ts";
export * from "./import_bundle.ts";
export * from "./import_report.ts";
export * from "./map_concepts.ts";
export * from "./markdown_escapes.ts";
export * from "./parse_concept.ts";
export * from "./parse_sources.ts";
export * from "./population.ts";
export * from "./publish_bundle.ts";
export * from "./render_bundle.ts";
export * from "./render_concept.ts";
export * from "./render_index.ts";
export * from "./verify_digest.ts";
