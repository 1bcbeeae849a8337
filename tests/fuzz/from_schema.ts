/**
 * Documents that fit a published JSON Schema, so that damage starts from what is right.
 *
 * @module
 */

import fc from "fast-check";
import { CANARY } from "./fuzz.ts";
import type { Json } from "./edits.ts";

/** The part of JSON Schema that our schemas use. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Arbitraries for properties of these names, whatever their schema says. */
export type Named = Readonly<Record<string, fc.Arbitrary<Json>>>;

/** Documents for `schema`; `resolve` finds what a `$ref` names. */
export function fromSchema(
  schema: Schema,
  resolve: (ref: string) => Schema,
  named: Named = {},
): fc.Arbitrary<Json> {
  const of = (part: Schema): fc.Arbitrary<Json> => fromSchema(part, resolve, named);
  if (typeof schema["$ref"] === "string") {
    const { $ref, ...beside } = schema;
    return fc.constant(null).chain(() => of({ ...resolve($ref as string), ...beside }));
  }
  if ("const" in schema) return fc.constant(schema["const"] as Json);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"] as Json[]);
  for (const keyword of ["oneOf", "anyOf"]) {
    if (Array.isArray(schema[keyword])) return fc.oneof(...(schema[keyword] as Schema[]).map(of));
  }
  const merged = mergedParts(schema, resolve);
  if (merged["properties"] !== undefined) return objects(merged, of, named);
  return scalars(merged, of);
}

/** `allOf` laid over the schema itself, one level. */
function mergedParts(schema: Schema, resolve: (ref: string) => Schema): Schema {
  const parts = (schema["allOf"] as Schema[] | undefined ?? []).map((part) =>
    typeof part["$ref"] === "string" ? resolve(part["$ref"]) : part
  );
  const properties = Object.assign({}, schema["properties"], ...parts.map((p) => p["properties"]));
  const required = [schema, ...parts].flatMap((part) => part["required"] as string[] ?? []);
  return Object.keys(properties).length === 0 ? schema : { ...schema, properties, required };
}

function objects(schema: Schema, of: (part: Schema) => fc.Arbitrary<Json>, named: Named) {
  const properties = schema["properties"] as Readonly<Record<string, Schema>>;
  const required = schema["required"] as string[] | undefined ?? [];
  const model = Object.fromEntries(
    Object.entries(properties).map(([key, part]) => [key, named[key] ?? of(part)]),
  );
  return fc.record(model, { requiredKeys: required.filter((key) => key in model) }) as fc.Arbitrary<
    Json
  >;
}

function scalars(schema: Schema, of: (part: Schema) => fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  const bound = (name: string, otherwise: number) =>
    schema[name] as number | undefined ?? otherwise;
  switch (type) {
    case "string":
      return texts(schema, bound("minLength", 0), bound("maxLength", 40));
    case "integer":
    case "number":
      return fc.integer({
        min: bound("minimum", 0),
        max: Math.max(bound("minimum", 0), Math.min(bound("maximum", 100), 0x7fff_ffff)),
      });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(of(schema["items"] as Schema ?? {}), {
        minLength: bound("minItems", 0),
        maxLength: Math.max(bound("minItems", 0), Math.min(bound("maxItems", 3), 3)),
      });
    case "null":
      return fc.constant(null);
    default:
      return fc.constantFrom<Json>({}, { a: CANARY }, []);
  }
}

function texts(schema: Schema, least: number, most: number): fc.Arbitrary<string> {
  if (schema["format"] === "date-time") return fc.constant("2026-03-01T09:00:00+01:00");
  if (typeof schema["pattern"] === "string") {
    return fc.stringMatching(new RegExp(schema["pattern"])).map((text) => text.slice(0, most));
  }
  const longest = Math.min(most, Math.max(least, 40));
  return fc.string({ minLength: least, maxLength: longest }).map((text) =>
    CANARY.length <= longest && least <= CANARY.length ? CANARY : text
  );
}
