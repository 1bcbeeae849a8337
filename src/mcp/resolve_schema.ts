/**
 * Makes a published schema stand alone: references are replaced by what they name, and the shared
 * context of a project-scoped tool becomes part of the tool's own properties, since many clients
 * refuse a schema with `allOf` at its top (decision 18).
 *
 * @module
 */

import type { JsonObject, JsonValue } from "../platform/json.ts";

/** Keys of a file that mean nothing once the schema stands alone. */
const FILE_KEYS = new Set(["$schema", "$id", "$defs", "x-theurian-tool"]);
const DEEPEST_REFERENCE = 32;

/** A reference that names nothing in the set, or itself. */
export class UnresolvedReference extends Error {
  override readonly name = "UnresolvedReference";
}

/** The schema with every reference inlined; `byId` holds the set's schemas by their `$id`. */
export function standAlone(schema: JsonObject, byId: ReadonlyMap<string, JsonObject>): JsonObject {
  return flattened(inlined(schema, schema, byId, 0) as JsonObject);
}

function inlined(
  value: JsonValue,
  file: JsonObject,
  byId: ReadonlyMap<string, JsonObject>,
  depth: number,
): JsonValue {
  if (Array.isArray(value)) return value.map((entry) => inlined(entry, file, byId, depth));
  if (value === null || typeof value !== "object") return value;
  const object = value as JsonObject;
  const reference = object["$ref"];
  if (typeof reference === "string") return inlinedReference(object, reference, file, byId, depth);
  const result: Record<string, JsonValue> = {};
  for (const [key, entry] of Object.entries(object)) {
    if (!FILE_KEYS.has(key) && entry !== undefined) {
      result[key] = inlined(entry, file, byId, depth);
    }
  }
  return result;
}

function inlinedReference(
  object: JsonObject,
  reference: string,
  file: JsonObject,
  byId: ReadonlyMap<string, JsonObject>,
  depth: number,
): JsonValue {
  if (depth >= DEEPEST_REFERENCE) throw new UnresolvedReference(reference);
  const [target, targetFile] = resolve(reference, file, byId);
  const { $ref: _, ...beside } = object;
  const named = inlined(target, targetFile, byId, depth + 1) as JsonObject;
  return { ...named, ...(inlined(beside, file, byId, depth) as JsonObject) };
}

function resolve(
  reference: string,
  file: JsonObject,
  byId: ReadonlyMap<string, JsonObject>,
): readonly [JsonObject, JsonObject] {
  const [address, fragment = ""] = reference.split("#", 2) as [string, string?];
  const base = typeof file["$id"] === "string" ? file["$id"] : "";
  const id = address === "" ? base : URL.parse(address, base)?.href ?? address;
  const targetFile = address === "" ? file : byId.get(id);
  if (targetFile === undefined) throw new UnresolvedReference(reference);
  let target: JsonValue | undefined = targetFile;
  for (const raw of fragment.split("/").slice(1)) {
    const key = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    const isObject: boolean = typeof target === "object" && target !== null;
    target = isObject && Object.hasOwn(target as JsonObject, key)
      ? (target as JsonObject)[key]
      : undefined;
  }
  if (typeof target !== "object" || target === null || Array.isArray(target)) {
    throw new UnresolvedReference(reference);
  }
  return [target as JsonObject, targetFile];
}

/** Takes the properties of plain `allOf` parts into the schema itself. */
function flattened(schema: JsonObject): JsonObject {
  const parts = schema["allOf"];
  if (!Array.isArray(parts) || !parts.every(isPlainPart)) return schema;
  const { allOf: _, ...own } = schema;
  const properties: Record<string, JsonValue> = {};
  const required = new Set<string>();
  for (const part of [...(parts as JsonObject[]), own]) {
    Object.assign(properties, part["properties"] ?? {});
    for (const key of (part["required"] ?? []) as string[]) required.add(key);
  }
  return { ...own, ...(required.size > 0 ? { required: [...required] } : {}), properties };
}

const PLAIN_KEYS = new Set(["title", "description", "type", "properties", "required"]);

function isPlainPart(part: JsonValue): boolean {
  return typeof part === "object" && part !== null && !Array.isArray(part) &&
    Object.keys(part).every((key) => PLAIN_KEYS.has(key)) &&
    (part as JsonObject)["type"] === "object";
}
