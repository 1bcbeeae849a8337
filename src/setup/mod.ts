/**
 * Machine setup: the service, the client's entry, the checks of doctor (daemon-and-setup.md 7).
 *
 * @module
 */

export * from "./claude_entry.ts";
export * from "./doctor.ts";
export * from "./env_block.ts";
export * from "./env_file.ts";
export * from "./executable_checksum.ts";
export * from "./journal.ts";
export * from "./probe_steps.ts";
export * from "./redact_report.ts";
export * from "./report.ts";
export * from "./run_setup.ts";
export * from "./setup_step.ts";
export * from "./setup_world.ts";
export * from "./steps.ts";
export * from "./uninstall.ts";
