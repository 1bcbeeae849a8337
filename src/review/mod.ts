/**
 * Review knowledge: findings from commit messages, evidence from pull requests, and what is built and
 * served from both (review.md).
 *
 * @module
 */

export * from "./damaged_store.ts";
export * from "./filter_checks.ts";
export * from "./instant.ts";
export * from "./like_pattern.ts";
export * from "./publish_store.ts";
export * from "./shortened.ts";
