/**
 * The published schemas as checks that are compiled ahead of time (`scripts/compile_schemas.ts`).
 *
 * @module
 */

// @ts-types="./_schema_validators.d.ts"
import { configurationSchema, migrationSchema } from "./_schema_validators.js";
import { type SchemaFault, schemaFaults } from "./schema_faults.ts";

/** Faults of a parsed migration document under its schema (corpus-and-migrations.md 9). */
export function migrationSchemaFaults(document: unknown): readonly SchemaFault[] {
  return schemaFaults(migrationSchema, document);
}

/** Faults of a parsed `config.yaml` under its schema (corpus-and-migrations.md 6); for reports only. */
export function configurationSchemaFaults(document: unknown): readonly SchemaFault[] {
  return schemaFaults(configurationSchema, document);
}
