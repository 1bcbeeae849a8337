/**
 * Open Knowledge Format: a bundle of Markdown out of the approved state, and proposals out of a
 * bundle (okf.md).
 *
 * @module
 */

export * from "./bundle_paths.ts";
export * from "./bundle_target.ts";
export * from "./export_bundle.ts";
export * from "./markdown_escapes.ts";
export * from "./population.ts";
export * from "./publish_bundle.ts";
export * from "./render_bundle.ts";
export * from "./render_concept.ts";
export * from "./render_index.ts";
