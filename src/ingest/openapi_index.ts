/**
 * What an OpenAPI, AsyncAPI or JSON Schema document offers, for search: operations, names, and the
 * references that lead out of it (corpus-and-migrations.md section 16).
 *
 * @module
 */

import { compareCodePoints } from "../platform/text.ts";
import { isMapping, keyOf } from "./document.ts";
import { type RefIndex, walkReferences } from "./external_references.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** Most operations that are kept. */
const OPERATIONS = 5_000;

/** One operation of a path. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly parameters: readonly string[];
  readonly responses: readonly string[];
  readonly deprecated: boolean;
}

/** The index that is added to the document. */
export interface OpenApiIndex extends RefIndex {
  readonly specVersion: string | null;
  readonly operations: readonly Operation[];
  readonly operationIds: readonly string[];
  readonly schemaNames: readonly string[];
  readonly channels: readonly string[];
}

/** Indexes the root mapping of a document. */
export function openApiIndex(root: Readonly<Record<string, unknown>>): OpenApiIndex {
  const operations = operationsOf(root);
  const schemas = keyOf(keyOf(root, "components"), "schemas") ?? keyOf(root, "definitions");
  return {
    specVersion: textOf(root["openapi"]) ?? textOf(root["swagger"]) ?? textOf(root["asyncapi"]),
    operations,
    operationIds: operations.flatMap(({ operationId }) => operationId ?? []),
    schemaNames: isMapping(schemas) ? Object.keys(schemas) : [],
    channels: namesOf(keyOf(root, "channels")),
    ...walkReferences(root),
  };
}

function operationsOf(root: unknown): Operation[] {
  const paths = keyOf(root, "paths");
  const operations: Operation[] = [];
  if (!isMapping(paths)) return operations;
  for (const [path, item] of Object.entries(paths)) {
    if (!isMapping(item)) continue;
    for (const [key, operation] of Object.entries(item)) {
      const method = key.toLowerCase();
      if (!METHODS.includes(method) || !isMapping(operation)) continue;
      if (operations.length === OPERATIONS) return operations;
      operations.push(operationOf(path, method, item, operation));
    }
  }
  return operations;
}

function operationOf(
  path: string,
  method: string,
  item: unknown,
  operation: Readonly<Record<string, unknown>>,
): Operation {
  const parameters = [keyOf(item, "parameters"), operation["parameters"]]
    .flatMap((list) => Array.isArray(list) ? list : [])
    .flatMap((parameter) => textOf(keyOf(parameter, "name")) ?? []);
  const tags: unknown = operation["tags"];
  return {
    path,
    method,
    operationId: textOf(operation["operationId"]),
    summary: textOf(operation["summary"]),
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [],
    parameters: [...new Set(parameters)],
    responses: namesOf(operation["responses"]).sort(compareCodePoints),
    deprecated: operation["deprecated"] === true,
  };
}

function namesOf(value: unknown): string[] {
  return isMapping(value) ? Object.keys(value) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
