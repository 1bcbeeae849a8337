/**
 * YAML, JSON and the OpenAPI family as sources (corpus-and-migrations.md section 16). What a file is
 * follows from its parsed root, never from a line somewhere in it.
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { JsonSyntaxError, parseExactJson } from "../platform/exact_json.ts";
import { isBlank } from "../platform/text.ts";
import { parseForeignYaml } from "../platform/yaml/mod.ts";
import {
  DocumentFault,
  isMapping,
  keyOf,
  type ParsedContent,
  type SourceType,
} from "./document.ts";
import { openApiIndex } from "./openapi_index.ts";

/** Largest JSON document, in bytes of UTF-8. */
const JSON_BYTES = 4_194_304;

/** Parses a YAML or JSON source; `fileName` is the title of one that names none. */
export function parseData(
  text: string,
  bytes: Uint8Array,
  extension: "yaml" | "json",
  fileName: string,
): ParsedContent {
  const { value, syntax } = extension === "json"
    ? readJsonFirst(text, bytes)
    : readYamlFirst(text, bytes);
  const family = familyOf(value);
  const contentType: SourceType = family ??
    (syntax === "json" ? "application/json" : "application/yaml");
  const common = { body: text, contentType, warnings: [] };
  if (family === null) {
    return {
      ...common,
      title: namedTitle(value) ?? fileName,
      parser: syntax,
      structured: isMapping(value) ? value : { value },
    };
  }
  const root = value as Readonly<Record<string, unknown>>;
  return {
    ...common,
    title: familyTitle(root, family) ?? fileName,
    parser: "openapi",
    structured: { ...root, _index: openApiIndex(root) },
  };
}

interface Read {
  readonly value: unknown;
  readonly syntax: "yaml" | "json";
}

/** An OpenAPI document may be YAML under a JSON name; anything else must be what its name says. */
function readJsonFirst(text: string, bytes: Uint8Array): Read {
  try {
    return { value: readJson(text, bytes), syntax: "json" };
  } catch (error) {
    if (!(error instanceof DocumentFault) || bytes.length > JSON_BYTES) throw error;
    const value = yamlOrNothing(bytes);
    if (familyOf(value) === null) throw error;
    return { value, syntax: "yaml" };
  }
}

/** JSON with tabs is no YAML for a strict reader, so an OpenAPI document is tried as JSON too. */
function readYamlFirst(text: string, bytes: Uint8Array): Read {
  if (/^\s*\{/.test(text)) {
    try {
      const value = readJson(text, bytes);
      if (familyOf(value) !== null) return { value, syntax: "json" };
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error;
    }
  }
  return { value: readYaml(bytes), syntax: "yaml" };
}

function readJson(text: string, bytes: Uint8Array): unknown {
  if (bytes.length > JSON_BYTES) {
    throw new DocumentFault(
      `It is larger than ${JSON_BYTES} bytes, the most a JSON source may have`,
    );
  }
  try {
    return parseExactJson(text, { fractions: "number" });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new DocumentFault(
      error.reason === "depth" ? "It nests too deep" : "It is not valid JSON",
    );
  }
}

function readYaml(bytes: Uint8Array): unknown {
  try {
    return parseForeignYaml(bytes, "it");
  } catch (error) {
    if (isFault(error)) throw new DocumentFault(error.message);
    throw error;
  }
}

function yamlOrNothing(bytes: Uint8Array): unknown {
  try {
    return readYaml(bytes);
  } catch (error) {
    if (error instanceof DocumentFault) return null;
    throw error;
  }
}

/** The family a root belongs to, by its own keys. */
function familyOf(root: unknown): SourceType | null {
  if (!isMapping(root)) return null;
  const has = (key: string) => Object.hasOwn(root, key);
  if (has("openapi") || has("swagger")) return "application/vnd.oai.openapi";
  if (has("asyncapi")) return "application/vnd.aai.asyncapi";
  const isSchema = has("$schema") && ["$defs", "definitions", "properties", "$id"].some(has);
  return isSchema ? "application/schema+json" : null;
}

function familyTitle(root: Readonly<Record<string, unknown>>, family: SourceType): string | null {
  if (family === "application/schema+json") return nonBlank(root["title"]);
  const title = nonBlank(keyOf(root["info"], "title"));
  const version = keyOf(root["info"], "version");
  return title !== null && typeof version === "string" ? `${title} ${version}` : title;
}

function namedTitle(value: unknown): string | null {
  for (const key of ["title", "name", "summary", "id"]) {
    const title = nonBlank(keyOf(value, key));
    if (title !== null) return title;
  }
  return null;
}

function nonBlank(value: unknown): string | null {
  return typeof value === "string" && !isBlank(value) ? value : null;
}
