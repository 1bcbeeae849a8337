/**
 * The published tool schemas as one checked set (daemon-and-setup.md 8.4). A fault in it refuses the
 * start of whatever would serve tools.
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { decodeUtf8 } from "../platform/files/mod.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { standAlone } from "./resolve_schema.ts";

/** Name ending of the schemas that tools are called with. */
export const INPUT_SUFFIX = "-input.schema.json";

/** A published schema file, parsed. */
export interface SchemaFile {
  readonly name: string;
  readonly content: JsonValue;
}

/** The set, with every schema standing alone. */
export interface SchemaSet {
  /** Input schemas by the tool they belong to. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
  /** Every schema of the set by its file name. */
  readonly files: ReadonlyMap<string, JsonObject>;
}

/**
 * A schema file from its bytes. Throws `schema-set-invalid` when they are not UTF-8 or not JSON.
 */
export function parseSchemaFile(name: string, bytes: Uint8Array): SchemaFile {
  const file = { name, content: null };
  const text = decodeUtf8(bytes);
  if (text === null) throw invalid(file, "it is not UTF-8");
  try {
    return { name, content: JSON.parse(text) };
  } catch (error) {
    throw invalid(file, "it is not JSON", error);
  }
}

/**
 * Checks and resolves a set of schema files. Throws `schema-set-invalid`, naming the file, when one
 * is no object, lacks a string `$id`, refers to something outside the set, is an input that names no
 * tool, or claims an `$id` or a tool that another file has claimed.
 */
export function readSchemaSet(files: readonly SchemaFile[]): SchemaSet {
  const byId = new Map<string, JsonObject>();
  for (const file of files) {
    const content = objectOf(file);
    const id = content["$id"];
    if (typeof id !== "string" || id === "") throw invalid(file, "it has no $id");
    if (byId.has(id)) throw invalid(file, "its $id is claimed twice");
    byId.set(id, content);
  }
  const resolved = new Map<string, JsonObject>();
  const inputs = new Map<string, JsonObject>();
  for (const file of files) {
    const schema = resolvedSchema(file, byId);
    resolved.set(file.name, schema);
    if (!file.name.endsWith(INPUT_SUFFIX)) continue;
    const tool = objectOf(file)["x-theurian-tool"];
    if (typeof tool !== "string" || tool === "") throw invalid(file, "it names no tool");
    if (inputs.has(tool)) throw invalid(file, "its tool is claimed twice");
    inputs.set(tool, schema);
  }
  return { inputs, files: resolved };
}

function objectOf(file: SchemaFile): JsonObject {
  const { content } = file;
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw invalid(file, "it is no JSON object");
  }
  return content as JsonObject;
}

function resolvedSchema(file: SchemaFile, byId: ReadonlyMap<string, JsonObject>): JsonObject {
  try {
    return standAlone(objectOf(file), byId);
  } catch (error) {
    throw invalid(file, "a reference of it names nothing in the set", error);
  }
}

function invalid(file: SchemaFile, why: string, cause?: unknown): TheurianError {
  return new TheurianError(
    "schema-set-invalid",
    `Cannot serve tools: the schema ${file.name} is unusable, ${why}`,
    { remedy: "Reinstall Theurian; nothing was served", cause },
  );
}
