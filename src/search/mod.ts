/**
 * Answering questions: query, retrieval paths, fusion, gate, packing (retrieval.md).
 *
 * @module
 */

export * from "./as_of.ts";
export * from "./best_documents.ts";
export * from "./edit_distance.ts";
export * from "./everyday_words.ts";
export * from "./excerpt.ts";
export * from "./explain_search.ts";
export * from "./expand_unit.ts";
export * from "./find_phrases.ts";
export * from "./fuse_paths.ts";
export * from "./gate.ts";
export * from "./nearness.ts";
export * from "./noise_words.ts";
export * from "./notes.ts";
export * from "./pack_results.ts";
export * from "./plain_words.ts";
export * from "./query.ts";
export * from "./rank_dense.ts";
export * from "./rank_words.ts";
export * from "./ranked_index.ts";
export * from "./scan_state.ts";
export * from "./score_words.ts";
export * from "./search_knowledge.ts";
export * from "./shape_result.ts";
export * from "./summaries.ts";
export * from "./synonym_groups.ts";
export * from "./synonyms.ts";
export * from "./visible_lexicon.ts";
export * from "./weights.ts";
