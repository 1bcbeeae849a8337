/**
 * Ingestion: reviews of allowed public repositories, fetched through `gh` and written as evidence
 * (review.md 5).
 *
 * @module
 */

export * from "./allowlist.ts";
export * from "./answer.ts";
export * from "./existing.ts";
export * from "./fetch.ts";
export * from "./gh.ts";
export * from "./gh_version.ts";
export * from "./grades.ts";
export * from "./land.ts";
export * from "./provider_fields.ts";
export * from "./queries.ts";
export * from "./read_nodes.ts";
export * from "./redact.ts";
export * from "./report.ts";
export * from "./run.ts";
export * from "./scan_record.ts";
export * from "./transport_guard.ts";
