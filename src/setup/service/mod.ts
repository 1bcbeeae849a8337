/**
 * The daemon as a service of the user's own manager (daemon-and-setup.md 7.5). Apart from the rest
 * of setup, so that `daemon status` starts without it.
 *
 * @module
 */

export * from "./command_fault.ts";
export * from "./definition_file.ts";
export * from "./launch_agent.ts";
export * from "./launch_agent_plist.ts";
export * from "./outside_command.ts";
export * from "./service_manager.ts";
export * from "./systemd_unit.ts";
export * from "./systemd_user.ts";
export * from "./unified_diff.ts";
export * from "./wait_for_daemon.ts";
