import assert from "node:assert/strict";
import { DocumentFault } from "./document.ts";
import { parseData } from "./parse_data.ts";

function parse(text: string, extension: "yaml" | "json", name = `file.${extension}`) {
  return parseData(text, new TextEncoder().encode(text), extension, name);
}

const facts = (text: string, extension: "yaml" | "json") => {
  const { title, contentType, parser } = parse(text, extension);
  return [title, contentType, parser];
};

Deno.test("parseData() titles a document by its root, else by the file", () => {
  assert.deepEqual(facts('{"a":1}', "json"), ["file.json", "application/json", "json"]);
  assert.deepEqual(facts("title: '  '\nname: N\nid: I\n", "yaml"), [
    "N",
    "application/yaml",
    "yaml",
  ]);
  assert.deepEqual(facts("title: 1\n", "yaml"), ["file.yaml", "application/yaml", "yaml"]);
  assert.equal(parse('{"summary":"S"}', "json").title, "S");
});

Deno.test("parseData() wraps a root that is no mapping", () => {
  assert.deepEqual(parse("[1,2]", "json").structured, { value: [1, 2] });
  assert.deepEqual(parse("", "yaml").structured, { value: null });
});

Deno.test("parseData() tells the OpenAPI family by the root alone", () => {
  const openapi = ["T 1.0.0", "application/vnd.oai.openapi", "openapi"];
  assert.deepEqual(facts("openapi: 3.0.0\ninfo: {title: T, version: 1.0.0}\n", "yaml"), openapi);
  assert.deepEqual(
    facts('{"openapi":"3","info":{"title":"T","version":"1.0.0"}}', "json"),
    openapi,
  );
  assert.equal(facts("openapi: 3\ninfo: {title: T, version: 1.0}\n", "yaml")[0], "T");
  assert.equal(facts("asyncapi: 2\n", "yaml")[1], "application/vnd.aai.asyncapi");
  assert.deepEqual(facts('{"$schema":"x","properties":{},"title":"T"}', "json"), [
    "T",
    "application/schema+json",
    "openapi",
  ]);
  assert.equal(facts('{"$schema":"x"}', "json")[1], "application/json");
  assert.equal(facts("b: {openapi: 3}\n", "yaml")[1], "application/yaml");
});

Deno.test("parseData() reads an OpenAPI document whichever of the two it is written in", () => {
  assert.equal(facts("openapi: 3.0.0\n", "json")[1], "application/vnd.oai.openapi");
  assert.equal(facts('{\n\t"openapi": "3.0.0"\n}', "yaml")[1], "application/vnd.oai.openapi");
  assert.throws(() => parse("a: 1\n", "json"), DocumentFault);
});

Deno.test("parseData() indexes operations, names, channels and references", () => {
  const { structured } = parse(
    JSON.stringify({
      openapi: "3.1.0",
      paths: {
        "/a": {
          summary: "not an operation",
          parameters: [{ name: "shared" }],
          POST: {
            operationId: "makeA",
            summary: "Make",
            tags: ["x", 1],
            parameters: [{ name: "p" }, { $ref: "p.yaml" }],
            responses: { default: {}, 404: {}, 201: {} },
            deprecated: true,
          },
          get: {},
        },
      },
      components: { schemas: { B: {}, A: {} } },
      channels: { c: {} },
    }),
    "json",
  );
  const index = (structured as { _index: Record<string, unknown> })._index;
  assert.deepEqual(index["operations"], [
    {
      path: "/a",
      method: "post",
      operationId: "makeA",
      summary: "Make",
      tags: ["x"],
      parameters: ["shared", "p"],
      responses: ["201", "404", "default"],
      deprecated: true,
    },
    {
      path: "/a",
      method: "get",
      operationId: null,
      summary: null,
      tags: [],
      parameters: ["shared"],
      responses: [],
      deprecated: false,
    },
  ]);
  assert.deepEqual(index["operationIds"], ["makeA"]);
  assert.deepEqual(index["schemaNames"], ["B", "A"]);
  assert.deepEqual(index["channels"], ["c"]);
  assert.equal(index["specVersion"], "3.1.0");
  assert.equal((index["externalRefs"] as unknown[]).length, 1);
});

Deno.test("parseData() fails on what is malformed, too deep or too large, and echoes nothing", () => {
  const cases: [string, "yaml" | "json"][] = [
    ['{"hunter2"', "json"],
    ["\ufeff{}", "json"],
    ["", "json"],
    ["[".repeat(5_000) + "]".repeat(5_000), "json"],
    [`"${"x".repeat(4_194_304)}"`, "json"],
    ["hunter2: [", "yaml"],
    ["a: 1\n---\nb: 2\n", "yaml"],
    ["[".repeat(3_000) + "]".repeat(3_000), "yaml"],
  ];
  for (const [text, extension] of cases) {
    assert.throws(() => parse(text, extension), (error) => {
      assert(error instanceof DocumentFault, String(error));
      return !error.message.includes("hunter2") && error.message.length < 300;
    });
  }
});

Deno.test("parseData() takes anchors and aliases of foreign YAML", () => {
  const { structured } = parse("a: &x [1]\nb: *x\n", "yaml");
  assert.deepEqual({ ...structured }, { a: [1], b: [1] });
});
