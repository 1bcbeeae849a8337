/**
 * Reading Git objects in process, for those who may start no program (decision on the daemon's
 * permissions; daemon-and-setup.md 11.3). Bounded in size and time.
 *
 * @module
 */

export * from "./touched_path.ts";
