/**
 * Turns what a schema check left behind into faults that a person can act on: where, which rule,
 * what was found (corpus-and-migrations.md 8.1).
 *
 * @module
 */

import { codePointLength, escapeControls, firstCodePoints } from "../platform/text.ts";

/** One broken rule of a published schema. */
export interface SchemaFault {
  /** Path inside the document, such as `operations/0/op`, or `<root>`. */
  readonly location: string;
  /** The same as keys and indexes, for finding the line. */
  readonly path: readonly (string | number)[];
  /** What the schema asks for and what stands there. */
  readonly rule: string;
}

/** The part of the schema compiler's error objects that is read here. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled schema: says whether a value fits and leaves its errors behind. */
export interface CompiledSchema {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

const EXPECTATION_LIMIT = 120;
const VALUE_LIMIT = 1000;
const FAULT_LIMIT = 20;

/** Faults of `value` under `schema`, at most twenty, in document order of the check; none if it fits. */
export function schemaFaults(schema: CompiledSchema, value: unknown): readonly SchemaFault[] {
  if (schema(value)) return [];
  const faults = new Map<string, SchemaFault>();
  const errors = schema.errors ?? [];
  for (const error of errors) {
    const key = groupOf(error);
    if (faults.has(key)) continue;
    if (faults.size === FAULT_LIMIT) break;
    const path = pathOf(error.instancePath, value);
    const rule = ruleOf(error, errors, valueAt(value, path));
    faults.set(key, { location: locationOf(path), path, rule });
  }
  return [...faults.values()];
}

/** Location text of a path: control characters escaped, `<root>` for the document itself. */
export function locationOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return "<root>";
  return path.map((part) => escapeControls(String(part))).join("/");
}

/** Missing and unexpected keys of one mapping are one fault each, whatever their number. */
function groupOf(error: SchemaError): string {
  const many = error.keyword === "required" || error.keyword === "additionalProperties";
  return many ? `${error.instancePath}\0${error.keyword}` : `${error.instancePath}\0`;
}

function pathOf(pointer: string, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let current = value;
  for (const raw of pointer.split("/").slice(1)) {
    const part = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(current) ? Number(part) : part);
    current = (current as Record<string, unknown>)[part];
  }
  return path;
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((current, part) => (current as Record<string, unknown>)[part], value);
}

function ruleOf(error: SchemaError, all: readonly SchemaError[], value: unknown): string {
  switch (error.keyword) {
    case "required":
      return `lacks ${names(error, all, "missingProperty")}`;
    case "additionalProperties":
      return `has keys that are not allowed: ${names(error, all, "additionalProperty")}`;
    case "discriminator":
      return operationRule(error);
    default: {
      const expectation = shorten(expectationOf(error), EXPECTATION_LIMIT);
      return `must ${expectation} (${error.keyword}); found ${describe(value)}`;
    }
  }
}

function names(error: SchemaError, all: readonly SchemaError[], param: string): string {
  const found = all.filter((other) =>
    other.keyword === error.keyword && other.instancePath === error.instancePath
  );
  return found.slice(0, FAULT_LIMIT)
    .map((other) => `"${shorten(escapeControls(String(other.params[param])), EXPECTATION_LIMIT)}"`)
    .join(", ");
}

function operationRule(error: SchemaError): string {
  const asks = '"op" must be one of the 14 operations (discriminator)';
  const found = error.params.tagValue;
  return found === undefined ? `lacks "op"` : `${asks}; found ${describe(found)}`;
}

function expectationOf({ keyword, params }: SchemaError): string {
  const limit = String(params.limit);
  switch (keyword) {
    case "type":
      return `be of type ${[params.type].flat().join(" or ")}`;
    case "const":
      return `be ${JSON.stringify(params.allowedValue)}`;
    case "enum":
      return `be one of ${(params.allowedValues as unknown[]).join(", ")}`;
    case "pattern":
      return `match ${String(params.pattern)}`;
    case "minLength":
      return `have at least ${limit} characters`;
    case "maxLength":
      return `have at most ${limit} characters`;
    case "minItems":
      return `have at least ${limit} entries`;
    case "uniqueItems":
      return "hold every entry once only";
    case "minimum":
      return `be at least ${limit}`;
    case "maximum":
      return `be at most ${limit}`;
    default:
      return "fit the published schema";
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "bigint") return "a number beyond 2^53";
  if (typeof value === "object" && value !== null) return "a mapping";
  if (typeof value !== "string") return String(value);
  return `"${shorten(escapeControls(value), VALUE_LIMIT, codePointLength(value))}"`;
}

function shorten(text: string, limit: number, length = codePointLength(text)): string {
  if (codePointLength(text) <= limit) return text;
  return `${firstCodePoints(text, limit)}… (cut, ${length} characters)`;
}
