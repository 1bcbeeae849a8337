import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { parseSchemaFile, readSchemaSet, type SchemaFile } from "./schema_set.ts";

const context: SchemaFile = {
  name: "tool-context.schema.json",
  content: {
    $id: "https://x.test/mcp/tool-context.schema.json",
    type: "object",
    required: ["projectId"],
    properties: { projectId: { $ref: "#/$defs/id" } },
    $defs: { id: { type: "string", maxLength: 9 } },
  },
};

function input(extra: JsonObject = {}, name = "a-input.schema.json"): SchemaFile {
  return {
    name,
    content: {
      $id: `https://x.test/mcp/${name}`,
      "x-theurian-tool": "a.tool",
      type: "object",
      allOf: [{ $ref: "https://x.test/mcp/tool-context.schema.json" }],
      required: ["q"],
      properties: { q: { type: "string" } },
      unevaluatedProperties: false,
      ...extra,
    },
  };
}

function refused(files: readonly SchemaFile[], part: RegExp): void {
  assert.throws(() => readSchemaSet(files), (error) => {
    return isFault(error, "schema-set-invalid") && part.test(error.message) && error.exit === 1;
  });
}

Deno.test("readSchemaSet() gives schemas that stand alone, the context among their properties", () => {
  const set = readSchemaSet([context, input()]);
  assert.deepEqual(set.inputs.get("a.tool"), {
    type: "object",
    required: ["projectId", "q"],
    properties: { projectId: { type: "string", maxLength: 9 }, q: { type: "string" } },
    unevaluatedProperties: false,
  });
});

Deno.test("readSchemaSet() refuses a set with one unusable file, naming it", () => {
  refused([context, { name: "b-input.schema.json", content: [] }], /b-input.*no JSON object/);
  refused([context, input({ $id: 7 })], /a-input.*no \$id/);
  refused([context, input(), { ...input(), name: "c.schema.json" }], /\$id is claimed twice/);
  refused([context, input({ "x-theurian-tool": "" })], /names no tool/);
  refused([context, input(), input({}, "b-input.schema.json")], /tool is claimed twice/);
  refused([input()], /reference/);
  refused([context, input({ properties: { q: { $ref: "#/$defs/none" } } })], /reference/);
  const self = { properties: { q: { $ref: "#/properties/q" } } };
  refused([context, input(self)], /reference/);
});

Deno.test("parseSchemaFile() refuses bytes that are not UTF-8 or not JSON", () => {
  assert.throws(() => parseSchemaFile("a", Uint8Array.of(0xff)), /not UTF-8/);
  assert.throws(() => parseSchemaFile("a", new TextEncoder().encode("{")), /not JSON/);
});
