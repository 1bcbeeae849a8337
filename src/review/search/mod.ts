/**
 * The review store: built from evidence, read by `review.search` (review.md 7 and 8).
 *
 * @module
 */

export * from "./build.ts";
export * from "./candidates.ts";
export * from "./filter.ts";
export * from "./forks.ts";
export * from "./gram_writer.ts";
export * from "./grams.ts";
export * from "./project_record.ts";
export * from "./select_records.ts";
export * from "./serve.ts";
export * from "./store_schema.ts";
export * from "./store_writer.ts";
