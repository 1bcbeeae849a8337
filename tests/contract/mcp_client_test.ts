/**
 * The real endpoint, asked by the protocol's official client in both families.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { startTestDaemon, TEST_TOKEN } from "../../src/daemon/_testing/test_daemon.ts";
import { MODERN_VERSION } from "../../src/daemon/_protocol_versions.ts";

type Mode = "legacy" | "auto" | { readonly pin: string };

async function withClient(port: number, mode: Mode, work: (client: Client) => Promise<void>) {
  const client = new Client({ name: "contract", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${TEST_TOKEN}` } },
  });
  await client.connect(transport);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

const FAMILIES: readonly (readonly [string, Mode, string])[] = [
  ["the handshake family", "legacy", "2025-11-25"],
  ["the stateless family", { pin: MODERN_VERSION }, MODERN_VERSION],
  ["whatever the client finds", "auto", MODERN_VERSION],
];

for (const [family, mode, version] of FAMILIES) {
  Deno.test(`the official client lists and calls tools over ${family}`, async () => {
    await using daemon = startTestDaemon();
    await withClient(daemon.port, mode, async (client) => {
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.deepEqual(client.getServerVersion(), {
        name: "theurian",
        title: "Theurian",
        version: "0.6.0",
      });
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } });
      assert.match(client.getInstructions() ?? "", /untrusted-knowledge/);
      const { tools } = await client.listTools();
      assert.equal(tools[0]?.name, "test.echo");
      const good = await client.callTool({ name: "test.echo", arguments: { a: [1, "x"] } });
      assert.equal(good.isError, false);
      assert.deepEqual((good.structuredContent as Record<string, unknown>)["given"], {
        a: [1, "x"],
      });
    });
  });

  Deno.test(`refusals of both tiers have one key set over ${family}`, async () => {
    await using daemon = startTestDaemon();
    await withClient(daemon.port, mode, async (client) => {
      const bySchema = await client.callTool({ name: "test.unknown", arguments: {} });
      const byTool = await client.callTool({ name: "test.slow", arguments: { query: "" } });
      assert.equal(bySchema.isError, true);
      assert.equal(byTool.isError, true);
      assert.deepEqual(Object.keys(bySchema).sort(), Object.keys(byTool).sort());
      assert.ok(!("structuredContent" in byTool));
      const codes = [bySchema, byTool].map((result) =>
        (result._meta?.["dev.theurian/error"] as { code: unknown }).code
      );
      assert.deepEqual(codes, [null, "INVALID_INPUT"]);
    });
  });
}

const TEXT = { "content-type": "application/json", "authorization": `Bearer ${TEST_TOKEN}` };
const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function post(port: number, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { ...TEXT, ...headers },
    body: JSON.stringify(message),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

function modern(method: string, params: Record<string, unknown> = {}, more = {}) {
  const name = typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {};
  const headers = {
    "mcp-protocol-version": MODERN_VERSION,
    "mcp-method": method,
    ...name,
    ...more,
  };
  return [{ jsonrpc: "2.0", id: 1, method, params: { _meta: META, ...params } }, headers] as const;
}

Deno.test("the handshake negotiates what it knows and falls back to its newest", async () => {
  await using daemon = startTestDaemon();
  const rows = [
    ["2024-11-05", "2024-11-05"],
    ["2025-03-26", "2025-03-26"],
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2026-07-28", "2025-11-25"],
    ["1999-01-01", "2025-11-25"],
    ["nonsense", "2025-11-25"],
  ];
  for (const [requested, negotiated] of rows) {
    const params = {
      protocolVersion: requested,
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    const message = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    const { status, body } = await post(daemon.port, message);
    assert.equal(status, 200);
    assert.equal(body.result.protocolVersion, negotiated);
    assert.deepEqual(Object.keys(body.result).sort(), [
      "capabilities",
      "instructions",
      "protocolVersion",
      "serverInfo",
    ]);
  }
});

Deno.test("the handshake family answers its methods and refuses the rest by code", async () => {
  await using daemon = startTestDaemon();
  const ask = (method: string, params?: unknown) =>
    post(daemon.port, { jsonrpc: "2.0", id: 3, method, ...(params ? { params } : {}) });
  assert.deepEqual((await ask("ping")).body, { result: {}, jsonrpc: "2.0", id: 3 });
  for (
    const method of [
      "frob",
      "resources/list",
      "prompts/list",
      "resources/templates/list",
      "logging/setLevel",
      "completion/complete",
      "server/discover",
      "toString",
      "__proto__",
    ]
  ) {
    const { status, body } = await ask(method);
    assert.equal(status, 200);
    assert.deepEqual(body.error, { code: -32601, message: "Method not found", data: method });
  }
  for (const params of [{}, { protocolVersion: 1 }, { protocolVersion: "2025-06-18" }]) {
    assert.equal((await ask("initialize", params)).body.error.code, -32602);
  }
  for (const params of [{}, { name: 5 }, { name: "test.echo", arguments: [] }]) {
    const { status, body } = await ask("tools/call", params);
    assert.equal(status, 200);
    assert.equal(body.error.code, -32602);
    assert.equal(body.id, 3);
  }
  const nothing = await ask("tools/call", { name: "test.echo", arguments: null });
  assert.deepEqual(Object.keys(nothing.body.result).sort(), [
    "content",
    "isError",
    "structuredContent",
  ]);
  const old = await post(
    daemon.port,
    { jsonrpc: "2.0", id: 3, method: "ping" },
    { "mcp-protocol-version": "1999-01-01" },
  );
  assert.deepEqual([old.status, old.body.error.code], [400, -32600]);
  assert.equal((await ask("tools/list", { cursor: 5 })).body.result.tools.length, 5);
});

Deno.test("the stateless family demands its envelope and its headers", async (t) => {
  await using daemon = startTestDaemon();
  const version = "io.modelcontextprotocol/protocolVersion";
  const future = { _meta: { ...META, [version]: "2099-01-01" } };
  const rows: readonly (readonly [string, Parameters<typeof post>[1], object, number, number])[] = [
    ["no _meta", ...modern("tools/list", { _meta: undefined }), 400, -32602],
    [
      "no capabilities",
      ...modern("tools/list", { _meta: { [version]: MODERN_VERSION } }),
      400,
      -32602,
    ],
    [
      "no Mcp-Method",
      modern("tools/list")[0],
      { "mcp-protocol-version": MODERN_VERSION },
      400,
      -32020,
    ],
    ["another Mcp-Method", ...modern("tools/list", {}, { "mcp-method": "ping" }), 400, -32020],
    [
      "Mcp-Method twice",
      ...modern("tools/list", {}, { "mcp-method": "tools/list, tools/list" }),
      400,
      -32020,
    ],
    [
      "another Mcp-Name",
      ...modern("tools/call", { name: "test.echo" }, { "mcp-name": "x" }),
      400,
      -32020,
    ],
    ["no version header", modern("tools/list")[0], { "mcp-method": "tools/list" }, 400, -32020],
    [
      "an unknown version",
      ...modern("tools/list", future, { "mcp-protocol-version": "2099-01-01" }),
      400,
      -32022,
    ],
    ["ping", ...modern("ping"), 404, -32601],
    ["initialize", ...modern("initialize"), 404, -32601],
    ["an unknown method", ...modern("frob"), 404, -32601],
    ["a subscription", ...modern("subscriptions/listen"), 404, -32601],
    ["a batch", [modern("tools/list")[0]], modern("tools/list")[1], 400, -32600],
    [
      "arguments that are a list",
      ...modern("tools/call", { name: "test.echo", arguments: [] }),
      200,
      -32602,
    ],
    ["a name that is no text", ...modern("tools/call", { name: 5 }), 200, -32602],
  ];
  for (const [what, message, headers, status, code] of rows) {
    await t.step(`${what} → ${status} ${code}`, async () => {
      const answer = await post(daemon.port, message, headers as Record<string, string>);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    });
  }
  const unknown = await post(
    daemon.port,
    ...modern("tools/list", future, { "mcp-protocol-version": "2099-01-01" }),
  );
  assert.deepEqual(unknown.body.error.data, {
    supported: [MODERN_VERSION],
    requested: "2099-01-01",
  });
});

Deno.test("the stateless family marks its results complete and names the server", async () => {
  await using daemon = startTestDaemon();
  const discover = await post(daemon.port, ...modern("server/discover"));
  assert.deepEqual(Object.keys(discover.body.result).sort(), [
    "_meta",
    "cacheScope",
    "capabilities",
    "instructions",
    "resultType",
    "supportedVersions",
    "ttlMs",
  ]);
  const good = await post(daemon.port, ...modern("tools/call", { name: "test.echo" }));
  const bad = await post(daemon.port, ...modern("tools/call", { name: "test.none" }));
  for (const { status, body } of [good, bad]) {
    assert.equal(status, 200);
    assert.equal(body.result.resultType, "complete");
    assert.equal(body.result._meta["io.modelcontextprotocol/serverInfo"].name, "theurian");
  }
  assert.ok("dev.theurian/error" in bad.body.result._meta);
  const note = { jsonrpc: "2.0", method: "notifications/frob" };
  const dropped = await post(daemon.port, note, modern("x")[1] as Record<string, string>);
  assert.deepEqual(dropped, { status: 202, body: null });
});
