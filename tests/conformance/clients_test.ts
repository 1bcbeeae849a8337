/**
 * The official clients against the program, from list to call to refusal.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { join } from "node:path";
import { TOOLS } from "../../src/mcp/mod.ts";
import { PROGRAM, ServedProject } from "../support/served_project.ts";
import { fetched, NODE, runProgram, withRunner } from "./runners.ts";

const CLIENTS = join(import.meta.dirname!, "clients");
const NAMES = TOOLS.map((tool) => tool.name).sort();

/** What every client reports. */
interface Report {
  readonly server: string;
  readonly tools: readonly string[];
  readonly found: { readonly count: number };
  readonly bySchema: ToolResult;
  readonly byTool: ToolResult;
  /** What a client with a wrong token met. */
  readonly unauthorized: string;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly content?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

function judge(report: Report): void {
  assert.equal(report.server, "theurian");
  assert.deepEqual([...report.tools].sort(), NAMES);
  assert.equal(report.found.count, 2);
  const codes = [report.bySchema, report.byTool].map((result) => {
    assert.equal(result.isError, true);
    return (result._meta!["dev.theurian/error"] as { code: unknown }).code;
  });
  assert.deepEqual(codes, [null, "PROJECT_NOT_REGISTERED"]);
  assert.equal(report.unauthorized, "refused");
}

async function served(work: (url: string, token: string, home: string) => Promise<void>) {
  await using project = await ServedProject.start();
  const { port, token } = project.daemon;
  await work(`http://127.0.0.1:${port}/mcp`, token, project.home);
}

async function connect(url: string, token: string, mode: "legacy" | "auto"): Promise<Client> {
  const client = new Client({ name: "contract", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

Deno.test("the official TypeScript client, second line, lists, calls and is refused", () =>
  served(async (url, token) => {
    for (const mode of ["legacy", "auto"] as const) {
      const client = await connect(url, token, mode);
      const call = async (input: Record<string, unknown>) =>
        await client.callTool({ name: "knowledge.search", arguments: input });
      const found = await call({ projectId: "demo", query: "retry", limit: 2 });
      judge({
        server: client.getServerVersion()!.name,
        tools: (await client.listTools()).tools.map((tool) => tool.name),
        found: found.structuredContent as Report["found"],
        bySchema: await call({ projectId: "demo" }) as ToolResult,
        byTool: await call({ projectId: "nowhere", query: "retry" }) as ToolResult,
        unauthorized: await connect(url, "wrong", mode).then(() => "connected", () => "refused"),
      });
      await client.close();
    }
  }));

Deno.test({
  name: "the official TypeScript client, second line, is served over the standard streams",
  // The client leaves a timer of its own behind.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using project = await ServedProject.start();
    const transport = new StdioClientTransport({
      command: PROGRAM.command,
      args: [...PROGRAM.prefix, "stdio"],
      env: { ...PROGRAM.environment, ...project.environment },
      cwd: project.root,
    });
    const client = new Client({ name: "contract", version: "1" });
    await client.connect(transport);
    const call = async (input: Record<string, unknown>) =>
      await client.callTool({ name: "knowledge.search", arguments: input });
    judge({
      server: client.getServerVersion()!.name,
      tools: (await client.listTools()).tools.map((tool) => tool.name),
      found: (await call({ projectId: "demo", query: "retry", limit: 2 }))
        .structuredContent as Report["found"],
      bySchema: await call({ projectId: "demo" }) as ToolResult,
      byTool: await call({ projectId: "nowhere", query: "retry" }) as ToolResult,
      // The streams are the caller's own: nobody else is there.
      unauthorized: "refused",
    });
    await client.close();
  },
});

const SDK = "node_modules/@modelcontextprotocol/sdk";
withRunner(
  "the official TypeScript client, first line, lists, calls and is refused",
  ["node_modules/.bin/node", SDK],
  () =>
    served(async (url, token, home) => {
      const args = [join(CLIENTS, "sdk_v1.mjs"), fetched(SDK)!, url, token];
      const { code, stdout, stderr } = await runProgram(NODE!, args, home);
      assert.equal(code, 0, stderr);
      judge(JSON.parse(stdout));
    }),
);

for (const line of [1, 2]) {
  const python = `python-${line}/bin/python`;
  withRunner(
    `the official Python client, line ${line}, lists, calls and is refused`,
    [python],
    () =>
      served(async (url, token, home) => {
        const args = [join(CLIENTS, "python_client.py"), url, token];
        const { code, stdout, stderr } = await runProgram(fetched(python)!, args, home);
        assert.equal(code, 0, stderr);
        judge(JSON.parse(stdout));
      }),
  );
}

const INSPECTOR = "node_modules/.bin/mcp-inspector";
withRunner(
  "the official inspector lists, calls and is refused from its command line",
  ["node_modules/.bin/node", INSPECTOR],
  () =>
    served(async (url, token, home) => {
      const inspect = async (bearer: string, ...args: string[]) => {
        const header = `Authorization: Bearer ${bearer}`;
        return await runProgram(
          NODE!,
          [fetched(INSPECTOR)!, "--cli", url, "--transport", "http", "--header", header, ...args],
          home,
        );
      };
      const call = async (...args: string[]) => {
        const named = ["--tool-name", "knowledge.search", "--tool-arg", ...args];
        return JSON.parse((await inspect(token, "--method", "tools/call", ...named)).stdout);
      };
      const listed = await inspect(token, "--method", "tools/list");
      assert.equal(listed.code, 0, listed.stderr);
      judge({
        server: "theurian",
        tools: JSON.parse(listed.stdout).tools.map(({ name }: { name: string }) => name),
        found: (await call("projectId=demo", "query=retry", "limit=2")).structuredContent,
        bySchema: await call("projectId=demo"),
        byTool: await call("projectId=nowhere", "query=retry"),
        unauthorized: (await inspect("wrong", "--method", "tools/list")).code === 0
          ? "connected"
          : "refused",
      });
    }),
);
