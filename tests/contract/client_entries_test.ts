/**
 * What `docs/clients.md` tells people to paste into their clients: each entry has the published
 * form of its client, holds no token, and connects an MCP client that reads it.
 *
 * The clients' own programs are asked where `THEURIAN_CLIENTS` names a folder that holds them; the
 * test says so when it is not set.
 *
 * @module
 */

import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import assert from "node:assert/strict";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { PROGRAM, SEARCH_PATH, ServedProject } from "../support/served_project.ts";
import { TOOLS } from "../../src/mcp/mod.ts";

const PAGE = Deno.readTextFileSync(new URL("../../docs/clients.md", import.meta.url));
const ADDRESS = "http://127.0.0.1:7419/mcp";
const VARIABLE = "THEURIAN_MCP_TOKEN";
const NAMES = TOOLS.map((tool) => tool.name).sort();

type Json = Record<string, unknown>;

/** The first block of code below a heading, with its language. */
function block(heading: string): { language: string; text: string } {
  const start = PAGE.indexOf(`\n## ${heading}\n`);
  assert(start >= 0, heading);
  const section = PAGE.slice(start).split(/\n## /)[1]!;
  const [, language, text] = /```(json|toml)\n([^]*?)```/.exec(section) ?? assert.fail(heading);
  return { language: language!, text: text! };
}

/** Tables and strings are all that the page uses of TOML; anything else fails. */
function parseToml(text: string): Json {
  const root: Json = {};
  let table = root;
  for (const line of text.split("\n").filter((line) => line.trim() !== "")) {
    const [, path] = /^\[([A-Za-z0-9_.-]+)\]$/.exec(line) ?? [];
    if (path !== undefined) {
      table = path.split(".").reduce((at, key) => (at[key] ??= {}) as Json, root);
      continue;
    }
    const [, key, value] = /^([A-Za-z0-9_-]+) = ("[^"\\]*")$/.exec(line) ?? assert.fail(line);
    table[key!] = JSON.parse(value!);
  }
  return root;
}

const strings = { type: "object", additionalProperties: { type: "string" } };
const url = { type: "string", pattern: "^https?://.+" };
const closed = (properties: Json, ...required: string[]) => ({
  type: "object",
  additionalProperties: false,
  properties,
  required,
});
const servers = (key: string, server: unknown) =>
  closed({ [key]: { type: "object", additionalProperties: server, minProperties: 1 } }, key);

interface ClientEntry {
  readonly heading: string;
  /** The client's published form of a server that is reached over HTTP; no other key is read. */
  readonly form: unknown;
  /** As the client reads it: the address, and the header with the variable in place. */
  readonly read: (entry: Json, environment: (name: string) => string) => HttpServer;
}

interface HttpServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A reader of the usual layout, whose header values hold variables of one spelling. */
function layout(key: string, address: string, variable: RegExp): ClientEntry["read"] {
  return (entry, environment) => {
    const server = (entry[key] as Json)["theurian"] as Json;
    const headers = Object.entries(server["headers"] as Record<string, string>).map(
      ([name, value]) => [name, value.replace(variable, (_, it: string) => environment(it))],
    );
    return { url: server[address] as string, headers: Object.fromEntries(headers) };
  };
}

const PLAIN = /\$\{([A-Z_]+)\}/g;
const PREFIXED = /\$\{env:([A-Z_]+)\}/g;

const ENTRIES: readonly ClientEntry[] = [
  {
    heading: "Claude Code",
    form: servers("mcpServers", closed({ type: { const: "http" }, url, headers: strings }, "url")),
    read: layout("mcpServers", "url", PLAIN),
  },
  {
    heading: "VS Code",
    form: servers(
      "servers",
      closed({ type: { enum: ["http", "sse"] }, url, headers: strings }, "url"),
    ),
    read: layout("servers", "url", PREFIXED),
  },
  {
    heading: "Cursor",
    form: servers("mcpServers", closed({ url, headers: strings }, "url")),
    read: layout("mcpServers", "url", PREFIXED),
  },
  {
    heading: "Codex",
    form: servers(
      "mcp_servers",
      closed(
        {
          url,
          bearer_token_env_var: { type: "string", pattern: "^[A-Z_]+$" },
          http_headers: strings,
          env_http_headers: strings,
        },
        "url",
      ),
    ),
    read: (entry, environment) => {
      const server = (entry["mcp_servers"] as Json)["theurian"] as Record<string, string>;
      const token = environment(server["bearer_token_env_var"]!);
      return { url: server["url"]!, headers: { Authorization: `Bearer ${token}` } };
    },
  },
  {
    heading: "Gemini CLI",
    form: servers(
      "mcpServers",
      closed(
        { httpUrl: url, headers: strings, timeout: { type: "number" }, trust: { type: "boolean" } },
        "httpUrl",
      ),
    ),
    read: layout("mcpServers", "httpUrl", PLAIN),
  },
  {
    heading: "Other clients that read `.mcp.json`",
    form: servers(
      "mcpServers",
      closed({ type: { const: "http" }, url, headers: strings }, "type", "url"),
    ),
    read: layout("mcpServers", "url", PLAIN),
  },
];

function entryOf(heading: string): Json {
  const { language, text } = block(heading);
  return language === "toml" ? parseToml(text) : JSON.parse(text);
}

for (const { heading, form, read } of ENTRIES) {
  Deno.test(`the entry for ${heading} has its published form and holds no token`, () => {
    const entry = entryOf(heading);
    const check = new Ajv2020().compile(form as Json);
    assert(check(entry), JSON.stringify(check.errors));
    const { url, headers } = read(entry, (name) => `<${name}>`);
    assert.equal(url, ADDRESS);
    assert.deepEqual(headers, { Authorization: `Bearer <${VARIABLE}>` });
  });
}

async function connected<T>(
  transport: Transport,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ name: "entries", version: "1" });
  try {
    await client.connect(transport);
    return await work(client);
  } finally {
    await client.close();
  }
}

async function listAndSearch(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name).sort(), NAMES);
  const input = { projectId: "demo", query: "retry", limit: 2 };
  const { isError, structuredContent } = await client.callTool({
    name: "knowledge.search",
    arguments: input,
  });
  assert.notEqual(isError, true);
  assert.equal((structuredContent as Json)["count"], 2);
}

Deno.test("an MCP client that reads an entry lists the tools and calls one", async (t) => {
  await using project = await ServedProject.start();
  const { port, token } = project.daemon;
  for (const { heading, read } of ENTRIES) {
    const transport = (value: string) => {
      const { url, headers } = read(entryOf(heading), (name) => {
        assert.equal(name, VARIABLE);
        return value;
      });
      const address = new URL(url);
      address.port = `${port}`;
      return new StreamableHTTPClientTransport(address, { requestInit: { headers } });
    };
    await t.step(heading, async () => {
      await connected(transport(token), listAndSearch);
      await assert.rejects(connected(transport(""), listAndSearch));
      await assert.rejects(connected(transport(`${token}x`), listAndSearch));
    });
  }
});

/** A server that is started, spoken to in lines. */
class StartedServer implements Transport {
  onmessage?: NonNullable<Transport["onmessage"]>;
  onclose?: () => void;
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  #reading: Promise<void> | null = null;

  constructor(command: string, args: readonly string[], cwd: string, env: Record<string, string>) {
    this.#child = new Deno.Command(command, {
      args: [...args],
      cwd,
      clearEnv: true,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
  }

  start(): Promise<void> {
    this.#reading = this.#read();
    return Promise.resolve();
  }

  async send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#reading;
    const { code } = await this.#child.status;
    assert.equal(code, 0);
    this.onclose?.();
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop()!;
      for (const line of lines) this.onmessage?.(JSON.parse(line));
    }
    assert.equal(rest, "");
  }
}

Deno.test("the entry of a started server serves the same tools, without port and token", async () => {
  const entry = entryOf("A client that starts its server");
  const form = servers(
    "mcpServers",
    closed(
      { command: { type: "string" }, args: { type: "array", items: { type: "string" } } },
      "command",
    ),
  );
  assert(new Ajv2020().compile(form)(entry));
  const { command, args } = (entry["mcpServers"] as Json)["theurian"] as {
    command: string;
    args: string[];
  };
  assert.equal(command, "theurian");
  await using project = await ServedProject.start();
  const server = new StartedServer(
    PROGRAM.command,
    [...PROGRAM.prefix, ...args],
    project.root,
    { ...PROGRAM.environment, ...project.environment },
  );
  await connected(server, listAndSearch);
});

const clients = Deno.env.get("THEURIAN_CLIENTS") ?? "";

async function askClient(
  project: ServedProject,
  token: string,
  file: { path: string; heading: string },
  command: readonly string[],
  stdin = "",
): Promise<string> {
  const home = join(project.repository.folder, "client");
  const path = join(home, file.path);
  Deno.mkdirSync(join(path, ".."), { recursive: true });
  const text = block(file.heading).text.replace(":7419/", `:${project.daemon.port}/`);
  Deno.writeTextFileSync(path, text);
  const [name, ...args] = command;
  const child = new Deno.Command(join(clients, name!), {
    args,
    cwd: home,
    clearEnv: true,
    env: { HOME: home, PATH: SEARCH_PATH, [VARIABLE]: token, GEMINI_CLI_TRUST_WORKSPACE: "true" },
    stdin: stdin === "" ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(60_000),
  }).spawn();
  if (stdin === "") {
    const { stdout, stderr } = await child.output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  }
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  let output = "";
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += part;
    // The answer to the second question is all that is wanted; without input it ends.
    if (/"id":2,/.test(output) && output.endsWith("\n")) break;
  }
  await Promise.all([writer.close(), child.stderr.cancel(), child.status]);
  return output;
}

Deno.test({
  name: "the clients' own programs connect with their entries" +
    (clients === "" ? " (did not run: THEURIAN_CLIENTS names no folder that holds them)" : ""),
  ignore: clients === "",
  fn: async () => {
    await using project = await ServedProject.start();
    const { token } = project.daemon;
    const gemini = { path: ".gemini/settings.json", heading: "Gemini CLI" };
    assert.match(
      await askClient(project, token, gemini, ["gemini", "mcp", "list"]),
      /theurian.* Connected/,
    );
    assert.match(
      await askClient(project, "wrong", gemini, ["gemini", "mcp", "list"]),
      /Disconnected/,
    );
    const questions = [
      {
        id: 1,
        method: "initialize",
        params: { clientInfo: { name: "t", title: "t", version: "1" } },
      },
      { method: "initialized" },
      { id: 2, method: "mcpServerStatus/list", params: {} },
    ].map((line) => `${JSON.stringify(line)}\n`).join("");
    const codex = { path: ".codex/config.toml", heading: "Codex" };
    const said = await askClient(project, token, codex, ["codex", "app-server"], questions);
    const answer = said.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
      .find((line) => line.id === 2);
    assert.deepEqual(Object.keys(answer.result.data[0].tools).sort(), NAMES);
  },
});
