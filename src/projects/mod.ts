/**
 * Projects: identity, registry, paths, configuration, what was built here, the write lock
 * (corpus-and-migrations.md sections 4 to 7, 14.4, 14.6).
 *
 * @module
 */

export * from "./built_here.ts";
export * from "./configuration.ts";
export * from "./data_directory.ts";
export * from "./gitignore_block.ts";
export * from "./layout.ts";
export * from "./locate_project.ts";
export * from "./project_id.ts";
export * from "./project_paths.ts";
export * from "./register.ts";
export * from "./registry.ts";
export * from "./repository_url.ts";
export * from "./resolve_registered.ts";
export * from "./write_lock.ts";
