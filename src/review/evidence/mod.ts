/**
 * Evidence files: their names, their bytes, reading and writing (review.md 6).
 *
 * @module
 */

export * from "./document.ts";
export * from "./fault.ts";
export * from "./fields.ts";
export * from "./listing.ts";
export * from "./model.ts";
export * from "./names.ts";
export * from "./parse.ts";
export * from "./read_files.ts";
export * from "./write_files.ts";
