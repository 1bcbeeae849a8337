/**
 * The traps of the HTTP surface, of validation and of rotation, met over real bytes by the program
 * itself (daemon-and-setup.md, traps 1 to 3, 5, 9, 18 to 29, 32).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Daemon, freePort, isHealthy } from "../../scripts/daemon.ts";
import { findProgram, run } from "../../scripts/program.ts";
import { latin1, sendRaw } from "../../src/daemon/_testing/raw_http.ts";

const PROGRAM = findProgram();
const LIMIT = 26_214_400;

interface Served extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  readonly home: string;
  readonly path: string;
}

async function serve(): Promise<Served> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-http-" }));
  const [home, path] = [join(root, "home"), join(root, "bin")];
  for (const directory of [home, path]) Deno.mkdirSync(directory);
  const daemon = await Daemon.start(PROGRAM, { port: freePort(), cwd: root, home, path });
  return {
    port: daemon.port,
    token: daemon.token,
    home,
    path,
    async [Symbol.asyncDispose]() {
      const { code, stderr } = await daemon.stop();
      Deno.removeSync(root, { recursive: true });
      assert.deepEqual([code, stderr], [0, ""]);
    },
  };
}

/** A request as bytes, with what a test wants otherwise. */
function request(
  { port, token }: Served,
  over: {
    readonly method?: string;
    readonly target?: string;
    readonly host?: string | null;
    readonly authorization?: string | null;
    readonly body?: string;
    readonly more?: readonly string[];
  } = {},
): string {
  const { method = "POST", target = "/mcp", body = "", more = [] } = over;
  const host = over.host === undefined ? `127.0.0.1:${port}` : over.host;
  const credential = over.authorization === undefined ? `Bearer ${token}` : over.authorization;
  return [
    `${method} ${target} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(credential === null ? [] : [`Authorization: ${credential}`]),
    ...(method === "POST" ? ["Content-Type: application/json"] : []),
    ...more,
    ...(method === "POST" && !more.some((line) => /^(content-length|transfer)/i.test(line))
      ? [`Content-Length: ${new TextEncoder().encode(body).length}`]
      : []),
    "",
    body,
  ].join("\r\n");
}

function toolCall(name: string, args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${
    JSON.stringify(name)
  },"arguments":${args}}}`;
}

async function callTool(served: Served, name: string, args: string) {
  const body = new TextEncoder().encode(request(served, { body: toolCall(name, args) }));
  const answer = await sendRaw(served.port, body);
  return { status: answer.status, message: JSON.parse(answer.body) };
}

function refusalText(message: { result: Record<string, unknown> }): string {
  assert.equal(message.result["isError"], true);
  assert.deepEqual(Object.keys(message.result).sort(), ["_meta", "content", "isError"]);
  return (message.result["content"] as { text: string }[])[0]!.text;
}

Deno.test("the path is read once, as sent, for the token and for the router (traps 1, 3)", async () => {
  await using served = await serve();
  const status = async (target: string, over: { authorization?: null }) =>
    (await sendRaw(served.port, request(served, { method: "GET", target, ...over }))).status;
  const rows: readonly (readonly [string, number, number])[] = [
    ["/health", 200, 200],
    ["/health?x=1", 200, 200],
    ["/health/", 401, 404],
    ["/HEALTH", 401, 404],
    ["//health", 401, 404],
    ["/%68ealth", 401, 404],
    ["/health/../mcp", 401, 404],
    ["/mcp/../health", 401, 404],
    ["http://evil.example.org/mcp", 401, 405],
  ];
  for (const [target, without, withToken] of rows) {
    assert.deepEqual([await status(target, { authorization: null }), await status(target, {})], [
      without,
      withToken,
    ], target);
  }
});

Deno.test("a host that is absent, odd or another's is 421, on both paths (trap 2)", async () => {
  await using served = await serve();
  const { port } = served;
  for (const host of ["a b", null, "", `LOCALHOST:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`]) {
    for (const target of ["/mcp", "/health"]) {
      const method = target === "/mcp" ? "POST" : "GET";
      const answer = await sendRaw(port, request(served, { method, target, host }));
      assert.ok([421, 400].includes(answer.status), `${host}: ${answer.status}`);
      assert.ok(answer.status === 421 || host === "a b" || host === null, `${host}`);
    }
  }
  const page = ["Origin: http://evil.example.org"];
  assert.equal((await sendRaw(port, request(served, { more: page }))).status, 403);
});

Deno.test("any other credential is 401 with one constant body (trap 5)", async () => {
  await using served = await serve();
  const bodies = new Set<string>();
  const credentials = [
    null,
    "Bearer",
    "Bearer ",
    "Basic x",
    "Bearer ${THEURIAN_MCP_TOKEN}",
    `Bearer ${"é".repeat(43)}`,
    "Bearer \xff\xfe",
    `Bearer ${served.token}x`,
    `Bearer ${served.token.slice(1)}`,
    `Bearer ${"k".repeat(1_000_000)}`,
  ];
  for (const authorization of credentials) {
    const answer = await sendRaw(served.port, latin1(request(served, { authorization })));
    const what = String(authorization).slice(0, 30);
    assert.ok([401, 431].includes(answer.status), `${what}: ${answer.status}`);
    if (answer.status === 401) {
      bodies.add(answer.body);
      assert.equal(answer.headers.get("www-authenticate"), "Bearer", what);
    } else assert.ok(what.includes("kkk"), what);
  }
  assert.equal(bodies.size, 1);
  const twice = request(served, { more: [`Authorization: Bearer ${served.token}`] });
  assert.equal((await sendRaw(served.port, twice)).status, 401);
  assert.equal(await isHealthy(served.port), true);
});

Deno.test("a rotated token counts from the very next request on (trap 9)", async () => {
  await using served = await serve();
  const body = toolCall("system.capabilities", "{}");
  const status = async (token: string) =>
    (await sendRaw(served.port, request({ ...served, token }, { body }))).status;
  assert.equal(await status(served.token), 200);
  const { exit } = await run(PROGRAM, ["auth", "rotate", "--port", String(served.port)], {
    cwd: served.home,
    env: { HOME: served.home, PATH: served.path },
  });
  assert.equal(exit, 0);
  const next = Deno.readTextFileSync(join(served.home, ".theurian/auth/mcp-token"));
  assert.deepEqual([await status(served.token), await status(next)], [401, 200]);
});

Deno.test("a body is read up to the limit and not one byte beyond (trap 18)", async () => {
  await using served = await serve();
  const padded = (size: number) => {
    const body = toolCall("system.capabilities", "{}");
    return body + " ".repeat(size - body.length);
  };
  assert.equal((await sendRaw(served.port, request(served, { body: padded(LIMIT) }))).status, 200);
  const over = request(served, { body: padded(LIMIT + 1) });
  assert.equal((await sendRaw(served.port, over)).status, 413);
  const chunk = `${(1 << 20).toString(16)}\r\n${" ".repeat(1 << 20)}\r\n`;
  const chunked = request(served, {
    more: ["Transfer-Encoding: chunked"],
    body: `${chunk.repeat(26)}0\r\n\r\n`,
  });
  assert.equal((await sendRaw(served.port, chunked)).status, 413);
  const unread = request(served, {
    authorization: null,
    more: [`Content-Length: ${LIMIT + 1}`],
  });
  assert.equal((await sendRaw(served.port, unread)).status, 401);
});

Deno.test("what is no tool call is an error, what a tool refuses is a result (traps 19, 20, 22, 32)", async () => {
  await using served = await serve();
  for (const args of ["null", "{}"]) {
    const { message } = await callTool(served, "system.capabilities", args);
    assert.equal(message.result.isError, false, args);
  }
  for (const args of ["[]", '"x"', "5"]) {
    const { message } = await callTool(served, "system.capabilities", args);
    assert.deepEqual([message.error.code, message.result], [-32602, undefined], args);
  }
  const keys = await callTool(served, "system.capabilities", '{"zeta":1,"alpha":2}');
  assert.match(refusalText(keys.message), /alpha, zeta/);
  const long = await callTool(served, `${"x".repeat(300)}\u001b[31m`, "{}");
  assert.ok(refusalText(long.message).includes(`${"x".repeat(120)}… (cut)`), JSON.stringify(long));
  const inTool = await callTool(served, "knowledge.status", '{"projectId":"demo"}');
  refusalText(inTool.message);
  const { code } = inTool.message.result._meta["dev.theurian/error"];
  assert.equal(code, "PROJECT_NOT_REGISTERED");
});

Deno.test("values are never repeated, and bounds count what people count (traps 21, 23 to 26)", async () => {
  await using served = await serve();
  const said = async (args: string) =>
    refusalText((await callTool(served, "knowledge.search", args)).message);
  const secret = await said('{"projectId":"demo","query":"x","topK":"hunter2"}');
  assert.ok(secret.includes("topK") && !secret.includes("hunter2"));
  assert.match(await said('{"projectId":"demo\\n","query":"x"}'), /projectId.*pattern/);
  const emoji = (count: number) => `{"projectId":"demo","query":"${"🚀".repeat(count)}"}`;
  assert.match(await said(emoji(2001)), /maxLength: 2000/);
  assert.doesNotMatch(await said(emoji(2000)), /maxLength/);
  assert.doesNotMatch(await said('{"projectId":"demo","query":"x","limit":5.0}'), /limit/);
  for (const limit of ['"5"', "1e400", "null"]) {
    assert.match(await said(`{"projectId":"demo","query":"x","limit":${limit}}`), /limit/);
  }
  assert.match(await said('{"query":"x","topK":1}'), /required.*projectId/);
  const two = '{"projectId":"demo","query":"x","agentId":1,"snapshotId":"zz"}';
  assert.match(await said(two), /at agentId/);
});

Deno.test("deep, wide and long arguments are refused before they are looked at (trap 27)", async () => {
  await using served = await serve();
  const document = (value: string) => `{"projectId":"demo","query":"x","document":${value}}`;
  const said = async (value: string) => {
    const started = performance.now();
    const { message } = await callTool(served, "knowledge.search", document(value));
    assert.ok(performance.now() - started < 3000);
    return refusalText(message);
  };
  assert.match(await said(`${"[".repeat(33)}${"]".repeat(33)}`), /deeper than 32/);
  assert.match(await said(`[${"0,".repeat(100_000)}0]`), /more than 100000/);
  assert.match(await said(`"${"\\u0001".repeat(4_000_000)}"`), /longer than 12582912/);
  const abyss = request(served, {
    body: toolCall("knowledge.search", document(`${"[".repeat(5e6)}${"]".repeat(5e6)}`)),
  });
  assert.ok([200, 400].includes((await sendRaw(served.port, abyss)).status));
  assert.equal(await isHealthy(served.port), true);
});

Deno.test("broken text gets clean text back (traps 28, 29)", async () => {
  await using served = await serve();
  const lone = await callTool(served, "knowledge.search", '{"projectId":"demo","query":"\\ud800"}');
  assert.equal(lone.status, 200);
  for (const body of ["{", "", "NaN", toolCall("project.list", '{"x":Infinity}'), "\xff\xfe"]) {
    const more = [`Content-Length: ${body.length}`];
    const answer = await sendRaw(served.port, latin1(request(served, { body, more })));
    assert.deepEqual([answer.status, JSON.parse(answer.body).error.code], [400, -32700], body);
  }
  const { message } = await callTool(served, "project.list", '{"x":1,"x":2}');
  assert.match(refusalText(message), /x/);
  const last = await sendRaw(
    served.port,
    request(served, {
      body: '{"jsonrpc":"2.0","id":1,"method":"nonsense","method":"ping"}',
    }),
  );
  assert.deepEqual(JSON.parse(last.body).result, {});
});
