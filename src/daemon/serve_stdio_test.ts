import assert from "node:assert/strict";
import { systemClock } from "../platform/clock.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { MODERN_VERSION } from "./_protocol_versions.ts";
import { TEST_RENDERING, TEST_TOOLS } from "./_testing/tools.ts";
import { serveStdio, type StdioOptions } from "./serve_stdio.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

function options(input: string, sent: string[], over: Partial<StdioOptions> = {}): StdioOptions {
  return {
    dataDirectory: "/nowhere/at/all",
    version: "0.6.0",
    clock: systemClock,
    log: () => {},
    readGrant: () => ({ tenantId: "local", sensitivities: ["public"] }),
    loadTools: () =>
      Promise.resolve({
        tools: TEST_TOOLS,
        listing: TEST_TOOLS.map(({ name }) => ({ name, inputSchema: { type: "object" } })),
        rendering: TEST_RENDERING,
        refusedBySchema: () => null,
        workerUrl: new URL("./_testing/worker.ts", import.meta.url),
      }),
    dropRights: () => {},
    wire: { input: () => new Blob([input]).stream(), send: (line) => sent.push(line) },
    ...over,
  };
}

async function talk(...messages: readonly unknown[]) {
  const sent: string[] = [];
  const lines = messages.map((message) =>
    typeof message === "string" ? message : JSON.stringify(message)
  );
  await serveStdio(options(lines.join("\n"), sent));
  for (const line of sent) assert.ok(!line.includes("\n"));
  return sent.map((line) => JSON.parse(line)).sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
}

const ask = (id: number, method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

Deno.test("stdio answers the handshake family, one line a request, and ends with its input", async () => {
  const answers = await talk(
    ask(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    }),
    { jsonrpc: "2.0", method: "notifications/initialized" },
    ask(2, "tools/list"),
    ask(3, "tools/call", { name: "test.echo", arguments: { a: 1 } }),
    ask(4, "tools/call", { name: "test.slow", arguments: { query: "" } }),
    ask(5, "frob"),
  );
  assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3, 4, 5]);
  assert.equal(answers[0].result.protocolVersion, "2025-06-18");
  assert.equal(answers[1].result.tools.length, TEST_TOOLS.length);
  assert.deepEqual(answers[2].result.structuredContent, { given: { a: 1 }, served: ["public"] });
  assert.equal(answers[3].result.isError, true);
  assert.equal(answers[4].error.code, -32601);
});

Deno.test("stdio answers the stateless family by what the message itself claims", async () => {
  const future = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const answers = await talk(
    ask(1, "server/discover", { _meta: META }),
    ask(2, "tools/call", { _meta: META, name: "test.echo" }),
    ask(3, "tools/list", { _meta: future }),
  );
  assert.deepEqual(answers[0].result.supportedVersions, [MODERN_VERSION]);
  assert.equal(answers[1].result.resultType, "complete");
  assert.equal(answers[2].error.code, -32022);
});

Deno.test("stdio refuses torn, batched and malformed lines and goes on", async () => {
  const [torn, batch, good] = await talk("{nope", "[]", ask(9, "ping"));
  assert.deepEqual([torn.error.code, batch.error.code, good.result], [-32700, -32602, {}]);
});

Deno.test("stdio answers slow calls that were asked before its input ended", async () => {
  const answers = await talk(
    ask(1, "tools/call", { name: "test.slow", arguments: { milliseconds: 100 } }),
    ask(2, "ping"),
  );
  assert.deepEqual(answers[0].result.structuredContent, { slept: 100 });
});

Deno.test("stdio refuses to start over a bad profile or a data directory others write to", async () => {
  const fault = new TheurianError("serving-profile-invalid", "Cannot", { remedy: "Mend it" });
  const bad = options("", [], {
    readGrant: () => {
      throw fault;
    },
  });
  await assert.rejects(serveStdio(bad), fault);
  const directory = Deno.makeTempDirSync({ prefix: "daemon-stdio-" });
  Deno.chmodSync(directory, 0o777);
  try {
    await assert.rejects(
      serveStdio(options("", [], { dataDirectory: directory })),
      (error) => isFault(error, "data-directory-unusable"),
    );
  } finally {
    Deno.removeSync(directory);
  }
});
