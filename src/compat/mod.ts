/**
 * Versions and whether two of them work together (compat.md).
 *
 * @module
 */

export * from "./compare_versions.ts";
export * from "./declaration.ts";
export * from "./verdict.ts";
export * from "./version.ts";
export * from "./versions.ts";
