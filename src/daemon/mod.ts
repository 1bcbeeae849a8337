/**
 * The daemon: listener, request guard, admission, tool threads, token, lifecycle
 * (daemon-and-setup.md sections 3 to 5).
 *
 * @module
 */

export * from "./data_directory.ts";
export * from "./decide_start.ts";
export * from "./drop_rights.ts";
export * from "./health.ts";
export * from "./load_shipped_tools.ts";
export * from "./log.ts";
export * from "./probe.ts";
export * from "./serve.ts";
export * from "./serve_stdio.ts";
export * from "./token_store.ts";
export * from "./toolset.ts";
