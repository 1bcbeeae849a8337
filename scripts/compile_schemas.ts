/**
 * Compiles the published schemas that every command needs into plain checking code, so that no
 * command pays for a schema compiler at start-up (corpus-and-migrations.md 8 and 6,
 * daemon-and-setup.md 8).
 *
 * `deno run -A scripts/compile_schemas.ts` writes the files; tests compare them with a fresh run.
 *
 * @module
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { parseSchemaFile, readSchemaSet, type SchemaFile } from "../src/mcp/schema_set.ts";

const ROOT = new URL("../", import.meta.url);

/** Text of every generated file by its path; running the script writes them. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const published = readPublished("schemas/mcp");
  return new Map([
    ["src/knowledge/_schema_validators.js", compileSchemas()],
    ["src/mcp/_schema_checks.js", compileToolSchemas(published)],
    ["src/mcp/_schema_files.ts", schemaFilesModule(published)],
  ]);
}

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

const write = standalone as unknown as (ajv: Ajv2020, names: Record<string, string>) => string;

function newCompiler(): Ajv2020 {
  return new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    discriminator: true,
    inlineRefs: false,
    messages: false,
    validateFormats: false,
    code: { source: true, esm: true, lines: false },
  });
}

/** Text of the generated module: one boolean function a schema, which leaves its `errors` behind. */
export function compileSchemas(): string {
  const ajv = newCompiler();
  const exported: Record<string, string> = {};
  for (const [name, path] of Object.entries(SCHEMAS)) {
    const schema = JSON.parse(Deno.readTextFileSync(new URL(path, ROOT)));
    ajv.addSchema(schema);
    exported[name] = schema.$id;
  }
  return HEADER + dropUnused(inlineHelpers(write(ajv, exported))) + "\n";
}

/**
 * Checks of the tools' input schemas, by tool (daemon-and-setup.md 8.4). What is compiled is the
 * stand-alone schema that `tools/list` shows.
 */
export function compileToolSchemas(published: readonly SchemaFile[]): string {
  const ajv = newCompiler();
  ajv.addKeyword("x-theurian-tool");
  for (const { content } of published) requireValid(ajv, content);
  const exported: Record<string, string> = {};
  const table: string[] = [];
  for (const [tool, schema] of readSchemaSet(published).inputs) {
    const name = tool.replace(/\W/g, "_");
    ajv.addSchema(schema, tool);
    exported[name] = tool;
    table.push(`  ${JSON.stringify(tool)}: ${name},`);
  }
  const code = inlineHelpers(write(ajv, exported));
  return `${HEADER}${code}\nexport const checks = {\n${table.join("\n")}\n};\n`;
}

function requireValid(ajv: Ajv2020, schema: SchemaFile["content"]): void {
  if (ajv.validateSchema(schema as Record<string, unknown>) !== true) {
    throw new Error("Cannot compile a schema that is not valid under draft 2020-12");
  }
}

/** Reads the schema files of a folder, in order of their names. */
export function readPublished(folder: string): readonly SchemaFile[] {
  const url = new URL(`${folder}/`, ROOT);
  const names = [...Deno.readDirSync(url)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".schema.json")).sort();
  return names.map((name) => parseSchemaFile(name, Deno.readFileSync(new URL(name, url))));
}

/** A module that holds every published tool schema, so that the executable carries them. */
function schemaFilesModule(published: readonly SchemaFile[]): string {
  const imports = published.map(({ name }, index) =>
    `import file${index} from "../../schemas/mcp/${name}" with { type: "json" };\n`
  );
  const rows = published.map(({ name }, index) =>
    `  { name: "${name}", content: file${index} },\n`
  );
  return HEADER.split("\n").slice(0, 3).join("\n") + "\n" +
    'import type { SchemaFile } from "./schema_set.ts";\n' + imports.join("") +
    "\n/** The published tool schemas, by file name. */\n" +
    `export const SCHEMA_FILES: readonly SchemaFile[] = [\n${rows.join("")}];\n`;
}

/** The compiler reaches for its own helpers; ours say the same and are in the binary already. */
function inlineHelpers(code: string): string {
  const inlined = code
    .replace(/^"use strict";/, "")
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "codePointLength");
  if (inlined.includes("require(")) {
    throw new Error("Cannot inline a helper of the schema compiler");
  }
  return inlined;
}

/** The compiler keeps a copy of every schema; nearly all of them are never read. */
function dropUnused(code: string): string {
  let kept = code;
  for (const [declaration, name] of code.matchAll(/const (schema\d+) = (?=\{)/g)) {
    if (code.match(new RegExp(`\\b${name}\\b`, "g"))!.length > 1) continue;
    const start = kept.indexOf(declaration);
    const end = kept.indexOf(";", objectEnd(kept, start + declaration.length)) + 1;
    kept = kept.slice(0, start) + kept.slice(end);
  }
  return kept;
}

/** Index behind the JSON object that begins at `start`. */
function objectEnd(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i + 1;
  }
  throw new Error("Cannot find the end of a schema in the compiled code");
}

if (import.meta.main) {
  for (const [path, text] of generatedFiles()) Deno.writeTextFileSync(new URL(path, ROOT), text);
}
