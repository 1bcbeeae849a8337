import assert from "node:assert/strict";
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { parseExactJson, printExactJson, withRawIntegers } from "../platform/exact_json.ts";
import type { JsonObject } from "../platform/json.ts";
import type { HttpCall } from "./_http_call.ts";
import { mcpDispatch } from "./_mcp_dispatch.ts";
import type { McpSurface } from "./_mcp_surface.ts";
import { plainAnswer, plainMethodOf, resultAnswer } from "./_plain_request.ts";
import { LEGACY_VERSIONS, MODERN_VERSION } from "./_protocol_versions.ts";
import { sdkDispatch } from "./_sdk_dispatch.ts";

function callWith(headers: Record<string, string>): HttpCall {
  return { method: "POST", path: "/mcp", headers: new Headers(headers), body: null };
}

function isPlain(
  params: JsonObject = {},
  headers: Record<string, string> = {},
  method = "tools/call",
): boolean {
  return plainMethodOf(callWith(headers), { id: 1, method, params }) === method;
}

const HANDSHAKE: JsonObject = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "client", version: "1" },
};

Deno.test("plainMethodOf() takes what clients of the handshake family send", () => {
  assert.ok(isPlain());
  assert.ok(isPlain({ name: "knowledge.get", arguments: {}, _meta: { progressToken: 3 } }));
  assert.ok(isPlain({ _meta: { progressToken: "a", "com.example/id": { any: 1 } } }));
  for (const version of LEGACY_VERSIONS) {
    assert.ok(isPlain({}, { "mcp-protocol-version": version }));
    assert.ok(isPlain({ ...HANDSHAKE, protocolVersion: version }, {}, "initialize"));
  }
  for (const method of ["ping", "tools/list"]) assert.ok(isPlain({}, {}, method), method);
});

Deno.test("plainMethodOf() leaves everything that has to be judged to the SDK", () => {
  for (const version of [MODERN_VERSION, "1999-01-01", ""]) {
    assert.ok(!isPlain({}, { "mcp-protocol-version": version }), version);
  }
  assert.ok(!isPlain({}, { "mcp-method": "tools/call" }));
  assert.ok(!isPlain({}, { "mcp-name": "knowledge.get" }));
  assert.ok(!isPlain({ _meta: { "io.modelcontextprotocol/protocolVersion": MODERN_VERSION } }));
  assert.ok(!isPlain({ _meta: { "io.modelcontextprotocol/clientInfo": null } }));
  for (const progressToken of [1.5, null, {}, true]) {
    assert.ok(!isPlain({ _meta: { progressToken } }));
  }
  for (const meta of [null, "text", [1]]) assert.ok(!isPlain({ _meta: meta }));
  for (const method of ["initialize", "tools/calls", "logging/setLevel", "server/discover"]) {
    assert.ok(!isPlain({}, {}, method), method);
  }
  for (const version of [MODERN_VERSION, "2024-10-07", "1999-01-01", "", 7, null]) {
    assert.ok(!isPlain({ ...HANDSHAKE, protocolVersion: version }, {}, "initialize"));
  }
  for (const wrong of [{ capabilities: [] }, { clientInfo: { name: "a" } }, { clientInfo: null }]) {
    assert.ok(!isPlain({ ...HANDSHAKE, ...wrong }, {}, "initialize"));
  }
});

const exact = (text: string) => parseExactJson(text, { fractions: "number" });

/** What the SDK answers to the same call with the same result. */
async function sdkAnswer(id: string | number, result: JsonObject): Promise<string> {
  const server = new Server({ name: "t", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/call", () => withRawIntegers(result) as never);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
    },
  });
  const message = {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "a", arguments: {} },
  };
  const response = await transport.handleRequest(request, { parsedBody: message });
  const text = await response.text();
  await server.close();
  return text;
}

Deno.test("resultAnswer() says what the SDK says, to the last digit", async () => {
  const results: JsonObject[] = [
    { content: [{ type: "text", text: "{}" }], structuredContent: {}, isError: false },
    {
      content: [{ type: "text", text: 'a "b" \u2028 \ud800 \0 é 認 🎉 </script>' }],
      structuredContent: { a: [1, null, true, 0.5, -0, "x"], b: { c: [] } },
      isError: false,
    },
    {
      content: [{ type: "text", text: "9223372036854775807" }],
      structuredContent: { pullRequest: 9223372036854775807n },
      isError: false,
    },
    {
      content: [{ type: "text", text: "Cannot answer" }],
      isError: true,
      _meta: { "dev.theurian/error": { code: null, details: null, retryAfterSeconds: 1 } },
    },
  ];
  for (const id of [1, 0, -7, "a", 'é"\n', ""]) {
    for (const result of results) {
      const request = { id, method: "tools/call", params: {} };
      const response = resultAnswer(request, printExactJson(result));
      assert.equal(response.status, 200);
      assert.equal(response.headers["content-type"], "application/json");
      assert.deepEqual(exact(response.body!), exact(await sdkAnswer(id, result)));
    }
  }
});

const SURFACE: McpSurface = {
  version: "1.2.3",
  instructions: 'Search first.\nThen "propose".',
  listing: [{
    name: "a.tool",
    title: "A tool",
    description: "é 認",
    inputSchema: { type: "object", properties: { a: { type: "string", maxLength: 3 } } },
    outputSchema: { type: "object" },
  }],
  callTool: () => Promise.resolve("{}"),
  log: () => {},
};

Deno.test("plainAnswer() says what the SDK says", async () => {
  const sdk = sdkDispatch(SURFACE);
  const requests = [
    ...LEGACY_VERSIONS.map((protocolVersion) =>
      ["initialize", { ...HANDSHAKE, protocolVersion }] as const
    ),
    ["initialize", { ...HANDSHAKE, capabilities: { roots: {}, x: [1] }, other: 1 }],
    ["ping", {}],
    ["ping", { _meta: { progressToken: 1 } }],
    ["tools/list", {}],
    ["tools/list", { cursor: "x" }],
  ] as const;
  for (const [method, params] of requests) {
    const request = { id: 3, method, params: params as JsonObject };
    const call = callWith({});
    assert.equal(plainMethodOf(call, request), method);
    const ours = plainAnswer(SURFACE, method, request);
    const theirs = await sdk(call, request);
    assert.deepEqual([ours.status, ours.headers], [theirs.status, theirs.headers]);
    assert.deepEqual(JSON.parse(ours.body!), JSON.parse(theirs.body!), method);
  }
});

Deno.test("mcpDispatch() loads the SDK for nothing that a client of the handshake family needs", async () => {
  let loaded = 0;
  const dispatch = mcpDispatch(SURFACE, () => {
    loaded++;
    return Promise.resolve(sdkDispatch(SURFACE));
  });
  const ask = async (method: string, params: JsonObject, headers: Record<string, string> = {}) => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { body } = await dispatch(callWith(headers), new TextEncoder().encode(message));
    return JSON.parse(body!);
  };
  assert.equal((await ask("initialize", HANDSHAKE)).result.serverInfo.version, "1.2.3");
  assert.deepEqual((await ask("ping", {})).result, {});
  assert.equal((await ask("tools/list", {})).result.tools.length, 1);
  assert.deepEqual((await ask("tools/call", { name: "a.tool" })).result, {});
  assert.equal((await ask("tools/call", {})).error.code, -32602);
  assert.equal(loaded, 0);
  assert.equal((await ask("initialize", { ...HANDSHAKE, protocolVersion: "1" })).error, undefined);
  assert.equal((await ask("no/such", {})).error.code, -32601);
  assert.equal(loaded, 1);
});
