/**
 * Findings: `Review-Finding:` lines of the public history (review.md 1 to 4).
 *
 * @module
 */

export * from "./build.ts";
export * from "./filter.ts";
export * from "./git_history.ts";
export * from "./history.ts";
export * from "./serve.ts";
export * from "./store.ts";
export * from "./trailer.ts";
