/**
 * The shipped tools over the wire: the official client checks every structured answer against the
 * output schema that `tools/list` advertised, in both families.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { join } from "node:path";
import { startTestDaemon, TEST_TOKEN } from "../../src/daemon/_testing/test_daemon.ts";
import { loadShippedTools } from "../../src/daemon/mod.ts";
import { inScratchProject } from "../support/scratch_project.ts";

type Mode = "legacy" | { readonly pin: string };

async function withClient(
  mode: Mode,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  await inScratchProject(async (scratch) => {
    scratch.add({ "decision.cache": { title: "Cache policy", body: "# Cache\n\nWarm it.\n" } });
    await scratch.apply();
    await scratch.build();
    Deno.writeTextFileSync(
      join(scratch.dataDirectory, "projects.json"),
      JSON.stringify({ demo: { rootPath: scratch.root } }),
    );
    await using daemon = startTestDaemon(await loadShippedTools(), scratch.dataDirectory);
    const client = new Client({ name: "contract", version: "1" }, { versionNegotiation: { mode } });
    const url = new URL(`http://127.0.0.1:${daemon.port}/mcp`);
    await client.connect(
      new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${TEST_TOKEN}` } },
      }),
    );
    try {
      await work(client);
    } finally {
      await client.close();
    }
  });
}

const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ["project.list", {}],
  ["system.capabilities", {}],
  ["knowledge.status", { projectId: "demo" }],
  ["knowledge.get", { projectId: "demo", itemId: "decision.cache" }],
  ["knowledge.search", { projectId: "demo", query: "cache policy" }],
  ["knowledge.search", { projectId: "demo", query: "nothing-of-the-kind" }],
];

for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
  const family = mode === "legacy" ? "handshake" : "stateless";

  Deno.test(`every answer fits its advertised schema over the ${family} family`, async () => {
    await withClient(mode, async (client) => {
      await client.listTools();
      for (const [name, input] of CALLS) {
        const result = await client.callTool({ name, arguments: input });
        assert.equal(result.isError, false, `${name}: ${JSON.stringify(result.content)}`);
        const [content] = result.content as { type: string; text: string }[];
        assert.deepEqual(JSON.parse(content!.text), result.structuredContent);
      }
    });
  });

  Deno.test(`tools/list advertises what is enforced over the ${family} family`, async () => {
    await withClient(mode, async (client) => {
      const { tools } = await client.listTools();
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      for (const { name, inputSchema, annotations } of tools) {
        assert.equal(typeof annotations?.readOnlyHint, "boolean", name);
        assert.equal(annotations?.openWorldHint, false, name);
        assert.equal(annotations?.destructiveHint, false, name);
        const check = ajv.compile(inputSchema);
        for (const input of [{ nonsense: 1 }, { projectId: "demo\n" }, { projectId: 5 }]) {
          assert.equal(check(input), false, `${name} advertises ${JSON.stringify(input)}`);
          const result = await client.callTool({ name, arguments: input });
          assert.equal(result.isError, true, name);
          assert.deepEqual(result._meta?.["dev.theurian/error"], {
            code: null,
            details: null,
            retryAfterSeconds: null,
          });
        }
      }
    });
  });

  Deno.test(`both tiers refuse with one key set over the ${family} family`, async () => {
    await withClient(mode, async (client) => {
      const bySchema = await client.callTool({ name: "knowledge.get", arguments: {} });
      const byTool = await client.callTool({
        name: "knowledge.get",
        arguments: { projectId: "absent", itemId: "a.b" },
      });
      assert.deepEqual(Object.keys(bySchema).sort(), Object.keys(byTool).sort());
      const { code } = byTool._meta?.["dev.theurian/error"] as { code: string };
      assert.equal(code, "PROJECT_NOT_REGISTERED");
    });
  });
}

Deno.test("the searches alone wait for a permit, and the drafts alone may write", async () => {
  const { tools } = await loadShippedTools();
  const named = (lane: string) =>
    tools.filter((tool) => tool.lane === lane).map(({ name }) => name);
  assert.deepEqual(named("gated").sort(), [
    "knowledge.search",
    "review.findings",
    "review.search",
  ]);
  assert.deepEqual(named("draft").sort(), [
    "knowledge.generateMigrationDraft",
    "knowledge.proposeChange",
    "review.generateKnowledgeCandidate",
  ]);
});
