import assert from "node:assert/strict";
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { parseExactJson, printExactJson, withRawIntegers } from "../platform/exact_json.ts";
import type { JsonObject } from "../platform/json.ts";
import type { HttpCall } from "./_http_call.ts";
import { LEGACY_VERSIONS, MODERN_VERSION } from "./_mcp_dispatch.ts";
import { isPlainToolCall, toolAnswer } from "./_plain_tool_call.ts";

function callWith(headers: Record<string, string>): HttpCall {
  return { method: "POST", path: "/mcp", headers: new Headers(headers), body: null };
}

function isPlain(
  params: JsonObject = {},
  headers: Record<string, string> = {},
  method = "tools/call",
): boolean {
  return isPlainToolCall(callWith(headers), { id: 1, method, params }, LEGACY_VERSIONS);
}

Deno.test("isPlainToolCall() takes what clients of the handshake family send", () => {
  assert.ok(isPlain());
  assert.ok(isPlain({ name: "knowledge.get", arguments: {}, _meta: { progressToken: 3 } }));
  assert.ok(isPlain({ _meta: { progressToken: "a", "com.example/id": { any: 1 } } }));
  for (const version of LEGACY_VERSIONS) {
    assert.ok(isPlain({}, { "mcp-protocol-version": version }));
  }
});

Deno.test("isPlainToolCall() leaves everything that has to be judged to the SDK", () => {
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
  for (const method of ["tools/list", "initialize", "ping", "tools/calls"]) {
    assert.ok(!isPlain({}, {}, method), method);
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

Deno.test("toolAnswer() says what the SDK says, to the last digit", async () => {
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
      const response = toolAnswer({ id, method: "tools/call", params: {} }, printExactJson(result));
      assert.equal(response.status, 200);
      assert.equal(response.headers["content-type"], "application/json");
      assert.deepEqual(exact(response.body!), exact(await sdkAnswer(id, result)));
    }
  }
});
