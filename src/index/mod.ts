/**
 * The retrieval index: cutting, embedding and summarising knowledge, building, publishing, purging
 * and reclaiming builds (index-build.md).
 *
 * @module
 */

export * from "./build_facts.ts";
export * from "./build_index.ts";
export * from "./chunk_text.ts";
export * from "./collect_garbage.ts";
export * from "./embed_text.ts";
export * from "./estimate_tokens.ts";
export * from "./forest.ts";
export * from "./index_files.ts";
export * from "./index_pointer.ts";
export * from "./index_status.ts";
export * from "./pack_vectors.ts";
export * from "./prune_builds.ts";
export * from "./published_index.ts";
export * from "./purge_withdrawn.ts";
export * from "./scan_record.ts";
export * from "./schema.ts";
export * from "./secret_lines.ts";
export * from "./secret_scan_facts.ts";
export * from "./split_text.ts";
export * from "./summarise_texts.ts";
