/**
 * Answering questions: query, retrieval paths, fusion, gate, packing (retrieval.md).
 *
 * @module
 */

export * from "./excerpt.ts";
export * from "./shape_result.ts";
