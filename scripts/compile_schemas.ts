/**
 * Compiles the published schemas that every command needs into plain checking code, so that no
 * command pays for a schema compiler at start-up (corpus-and-migrations.md 8 and 6).
 *
 * `deno run -A scripts/compile_schemas.ts` writes the file; a test compares it with a fresh run.
 *
 * @module
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";

const ROOT = new URL("../", import.meta.url);

/** Where the generated code lives. */
export const VALIDATORS_FILE = new URL("src/knowledge/_schema_validators.js", ROOT);

const SCHEMAS = {
  migrationSchema: "schemas/migrations/knowledge-migration.schema.json",
  configurationSchema: "schemas/config/config.schema.json",
} as const;

const HEADER = `// deno-lint-ignore-file
// deno-fmt-ignore-file
// Generated from schemas/ by scripts/compile_schemas.ts. Do not edit.
import { codePointLength } from "../platform/text.ts";
`;

/** Text of the generated module: one boolean function a schema, which leaves its `errors` behind. */
export function compileSchemas(): string {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    discriminator: true,
    inlineRefs: false,
    messages: false,
    validateFormats: false,
    code: { source: true, esm: true, lines: false },
  });
  const exported: Record<string, string> = {};
  for (const [name, path] of Object.entries(SCHEMAS)) {
    const schema = JSON.parse(Deno.readTextFileSync(new URL(path, ROOT)));
    ajv.addSchema(schema);
    exported[name] = schema.$id;
  }
  const write = standalone as unknown as (ajv: Ajv2020, names: Record<string, string>) => string;
  return HEADER + inlineHelpers(write(ajv, exported)) + "\n";
}

/** The compiler reaches for its own helpers; ours say the same and are in the binary already. */
function inlineHelpers(code: string): string {
  const inlined = code
    .replace(/^"use strict";/, "")
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "codePointLength");
  if (inlined.includes("require(")) throw new Error("Cannot inline a helper of the schema compiler");
  return inlined;
}

if (import.meta.main) Deno.writeTextFileSync(VALIDATORS_FILE, compileSchemas());
