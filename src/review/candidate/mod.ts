/**
 * The gate between an ingested review thread and a knowledge candidate (proposals.md 4.4).
 *
 * @module
 */

export * from "./check_gate.ts";
export * from "./gate.ts";
export * from "./resolve_thread.ts";
