/**
 * The tool schemas that this build carries, with their compiled checks (daemon-and-setup.md 8.4).
 *
 * @module
 */

// @ts-types="./_schema_checks.d.ts"
import { checks } from "./_schema_checks.js";
import { SCHEMA_FILES } from "./_schema_files.ts";
import { readSchemaSet, type SchemaFile, type SchemaSet } from "./schema_set.ts";
import type { CompiledCheck } from "./validate_call.ts";

/** The checked set and a compiled check for each input schema. */
export interface ToolSchemas extends SchemaSet {
  readonly checks: Readonly<Record<string, CompiledCheck | undefined>>;
}

/** The schemas carried by this build. Throws `schema-set-invalid`; whoever serves must not start. */
export function loadToolSchemas(files: readonly SchemaFile[] = SCHEMA_FILES): ToolSchemas {
  return { ...readSchemaSet(files), checks };
}
