import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { codePointLength } from "../platform/text.ts";
import { loadToolSchemas } from "./schemas.ts";
import { validateCall } from "./validate_call.ts";

const schemas = loadToolSchemas();

function refusal(name: string, input: JsonObject): string | null {
  const result = validateCall(schemas, name, input);
  if (result === null) return null;
  assert.deepEqual(Object.keys(result).sort(), ["_meta", "content", "isError"]);
  assert.deepEqual(result["_meta"], {
    "dev.theurian/error": { code: null, details: null, retryAfterSeconds: null },
  });
  const { text } = (result["content"] as unknown as { text: string }[])[0]!;
  assert.ok(codePointLength(text) <= 800, `${codePointLength(text)} characters`);
  assert.ok(text.isWellFormed());
  return text;
}

const search = (extra: JsonObject) =>
  refusal("knowledge.search", { projectId: "demo", query: "x", ...extra });

function assertRefused(text: string | null, ...parts: string[]): void {
  assert.notEqual(text, null);
  for (const part of parts) assert.ok(text!.includes(part), `${part} in: ${text}`);
}

Deno.test("validateCall() lets calls within the schema through", () => {
  for (
    const extra of [
      {},
      { limit: 3.0 },
      { limit: 1e30 },
      { limit: 10n ** 30n },
      { limit: -5, maxTokens: 0 },
      { asOf: null },
      { snapshotId: "a".repeat(64), agentId: "", taskId: null },
      { query: "🚀".repeat(2000) },
      { query: "\u3000" },
      { query: "a\0b \ud800" },
    ] as unknown as JsonObject[]
  ) assert.equal(search(extra), null, Object.keys(extra).join());
  assert.equal(refusal("knowledge.get", { projectId: "demo", itemId: "" }), null);
  assert.equal(refusal("project.list", {}), null);
  assert.equal(refusal("system.capabilities", {}), null);
});

Deno.test("validateCall() names the key path and the rule that was broken, never the value", () => {
  const secret = "hunter2-do-not-repeat";
  const rows: readonly [JsonObject, ...string[]][] = [
    [{ projectId: "demo\n" }, "at projectId", "pattern"],
    [{ projectId: 7 }, "at projectId", "type: string"],
    [{ projectId: "a".repeat(201) }, "at projectId", "maxLength: 200"],
    [{ query: "" }, "at query", "minLength: 1"],
    [{ query: "🚀".repeat(2001) }, "at query", "maxLength: 2000"],
    [{ limit: null }, "at limit", "type: integer"],
    [{ limit: true }, "at limit", "type: integer"],
    [{ limit: "3" }, "at limit", "type: integer"],
    [{ limit: 2.5 }, "at limit", "type: integer"],
    [{ limit: Infinity }, "at limit", "type: integer"],
    [{ includeUnapproved: "true" }, "at includeUnapproved", "type: boolean"],
    [{ asOf: "2".repeat(101) }, "at asOf", "maxLength: 100"],
    [{ snapshotId: "zz" }, "at snapshotId", "pattern"],
    [{ Limit: 3 }, "at <root>", "unevaluatedProperties", "Limit"],
    [{ include_unapproved: true }, "at <root>", "include_unapproved"],
    [{ topK: secret }, "topK"],
    [{ agentId: { deep: secret } }, "at agentId", "type: string or null"],
  ];
  for (const [extra, ...parts] of rows) {
    const text = search(extra);
    assertRefused(text, "knowledge.search", "tools/list", ...parts);
    assert.ok(!text!.includes(secret));
  }
});

Deno.test("validateCall() refuses arguments that a tool does not take", () => {
  const asOf = { projectId: "demo", itemId: "a.b", asOf: "2026-01-01T00:00:00Z" };
  assertRefused(refusal("knowledge.get", asOf), "asOf", "unevaluatedProperties");
  assertRefused(refusal("project.list", { projectId: "demo" }), "projectId");
  assertRefused(refusal("system.capabilities", { zeta: 1, alpha: 2 }), "alpha, zeta");
});

Deno.test("validateCall() reports one violation: the deepest, then by path, keyword and text", () => {
  assertRefused(refusal("knowledge.search", { query: "x", topK: 1 }), "required", "projectId");
  assertRefused(search({ agentId: 1, snapshotId: "zz" }), "at agentId");
  assertRefused(search({ topK: 1, limit: "x" }), "at limit");
  assertRefused(refusal("knowledge.search", { query: "x", limit: "x" }), "at limit");
  assertRefused(refusal("knowledge.get", {}), "itemId, projectId");
});

Deno.test("validateCall() escapes and cuts whatever a caller wrote", () => {
  const name = `${"x".repeat(300)}\u001b[31m`;
  assertRefused(refusal(name, {}), `${"x".repeat(120)}… (cut)`, "no such tool");
  assertRefused(refusal('a"\n\u001b\u202e', {}), String.raw`a\"\x0a\x1b\u202e`);
  assertRefused(search({ ["k".repeat(500)]: 1 }), `${"k".repeat(120)}… (cut)`);
  assertRefused(search({ "\ud800\u0000'": 1 }), String.raw`\ud800\x00\'`);
});

Deno.test("validateCall() bounds nesting, number and length before it looks at the schema", () => {
  const nested = (levels: number): JsonValue => {
    let value: JsonValue = 1;
    for (let i = 0; i < levels; i++) value = { a: value };
    return value;
  };
  assertRefused(search({ x: nested(31) }), "deeper than 32");
  assertRefused(search({ x: nested(29) }), "unevaluatedProperties");
  assertRefused(search({ x: nested(200_000) }), "deeper than 32");
  assertRefused(search({ x: new Array(100_001).fill(0) }), "more than 100000");
  const manyKeys = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, 0]));
  assertRefused(search(manyKeys), "more than 100000");
  assertRefused(search({ query: "x".repeat(12_582_913) }), "longer than 12582912");
  const started = performance.now();
  assertRefused(search({ query: "\u0001".repeat(26_000_000) }), "longer than 12582912");
  assert.ok(performance.now() - started < 10_000, "a bound refusal takes too long");
});

Deno.test("validateCall() answers 50,000 unknown keys with one short refusal", () => {
  const keys = Object.fromEntries(Array.from({ length: 49_000 }, (_, i) => [`key${i}`, i]));
  assertRefused(search(keys), "unevaluatedProperties", "… (cut)");
});

Deno.test("validateCall() refuses a tool whose schema this build cannot check", () => {
  const broken = { ...schemas, checks: {} };
  const result = validateCall(broken, "project.list", {})!;
  assert.match(JSON.stringify(result), /Reinstall/);
});
