/**
 * The one door to YAML (corpus-and-migrations.md 8.1, 8.2).
 *
 * @module
 */

export * from "./parse_foreign_yaml.ts";
export * from "./parse_yaml.ts";
export * from "./write_readable_yaml.ts";
export * from "./write_yaml.ts";
