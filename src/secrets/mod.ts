/**
 * The secret detector and what it tells.
 *
 * @module
 */

export * from "./scan_secrets.ts";
export * from "./secret_finding.ts";
