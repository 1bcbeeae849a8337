/**
 * The one door to the file system: bounded reads and atomic writes that never follow a planted link
 * and never wait on a pipe (daemon-and-setup.md 9.2), and paths that never leave a project
 * (corpus-and-migrations.md 4.1, 10.2). All calls are synchronous.
 *
 * @module
 */

export * from "./contained.ts";
export * from "./copy_file.ts";
export * from "./create_tree.ts";
export * from "./decode_utf8.ts";
export * from "./describe_path.ts";
export * from "./directories.ts";
export * from "./file_signature.ts";
export * from "./limits.ts";
export * from "./move_and_remove.ts";
export * from "./open_lock_file.ts";
export * from "./random_access.ts";
export * from "./read_file.ts";
export * from "./read_many.ts";
export * from "./reread_file.ts";
export * from "./spare_descriptors.ts";
export * from "./sync_file.ts";
export * from "./read_file_end.ts";
export * from "./set_mode.ts";
export * from "./write_file.ts";
