import type { CompiledSchema } from "./schema_faults.ts";

export const migrationSchema: CompiledSchema;
export const configurationSchema: CompiledSchema;
