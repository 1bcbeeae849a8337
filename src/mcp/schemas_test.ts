import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import { generatedFiles, readPublished } from "../../scripts/compile_schemas.ts";
import type { JsonObject } from "../platform/json.ts";
import { TOOLS } from "./registry.ts";
import { loadToolSchemas } from "./schemas.ts";

const schemas = loadToolSchemas();
const published = readPublished("schemas/mcp");

Deno.test("The generated schema modules are those of the published schemas", () => {
  for (const [path, text] of generatedFiles()) {
    const url = new URL(`../../${path}`, import.meta.url);
    assert.equal(Deno.readTextFileSync(url), text, `run scripts/compile_schemas.ts for ${path}`);
  }
});

Deno.test("Registered tools and input schemas are the same set, and each has a compiled check", () => {
  const tools = TOOLS.map((tool) => tool.name).sort();
  assert.deepEqual([...schemas.inputs.keys()].sort(), tools);
  assert.deepEqual(Object.keys(schemas.checks).sort(), tools);
  for (const { inputSchema, outputSchema, name } of TOOLS) {
    assert.equal(schemas.files.get(inputSchema), schemas.inputs.get(name));
    if (outputSchema !== null) assert.ok(schemas.files.has(outputSchema), outputSchema);
  }
});

Deno.test("Every input schema is closed, stands alone and has no combination at its top", () => {
  for (const [tool, schema] of schemas.inputs) {
    const text = JSON.stringify(schema);
    assert.equal(schema["unevaluatedProperties"], false, tool);
    for (const key of ["$ref", "$id", "$schema", "x-theurian-tool"]) {
      assert.ok(!text.includes(`"${key}"`), `${key} in ${tool}`);
    }
    for (const key of ["allOf", "anyOf", "oneOf"]) assert.ok(!(key in schema), `${key} in ${tool}`);
  }
});

Deno.test("Every published schema is valid, named after its file and describes itself", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { name, content } of published) {
    const schema = content as JsonObject;
    assert.ok(ajv.validateSchema(schema), name);
    assert.equal(schema["$id"], `https://theurian.dev/schemas/mcp/${name}`);
    assert.equal(typeof schema["description"], "string", name);
  }
});

const value = fc.oneof(
  fc.constantFrom("demo", "a.b", "x", "demo\n", "2026-01-01T00:00:00Z", "a".repeat(64)),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 2 }),
);
const key = fc.constantFrom(
  ...["projectId", "query", "itemId", "limit", "maxTokens", "asOf", "useDense", "snapshotId"],
  ...["includeUnapproved", "agentId", "taskId", "topK"],
);

Deno.test("The compiled checks decide as the published schemas do", () => {
  const ajv = new Ajv2020({ strict: false });
  for (const { content } of published) ajv.addSchema(content as JsonObject);
  const references = published.filter(({ name }) => name.endsWith("-input.schema.json"))
    .map(({ content }) => content as JsonObject);
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.constantFrom(...references), (input, reference) => {
      const expected = ajv.validate(reference["$id"] as string, input);
      const tool = reference["x-theurian-tool"] as string;
      assert.equal(schemas.checks[tool]!(input), expected, `${tool} ${JSON.stringify(input)}`);
    }),
    { numRuns: 2000 },
  );
});
