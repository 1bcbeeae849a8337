import assert from "node:assert/strict";
import { latin1, sendRaw } from "./_testing/raw_http.ts";
import { startTestDaemon, TEST_TOKEN } from "./_testing/test_daemon.ts";
import { MAX_BODY_BYTES } from "./_limit_body.ts";

const PING = '{"jsonrpc":"2.0","id":9,"method":"ping"}';

interface Parts {
  readonly method?: string;
  readonly target?: string;
  readonly host?: string | null;
  readonly token?: string | null;
  readonly more?: readonly string[];
  readonly type?: string | null;
  readonly body?: string;
}

function request(port: number, parts: Parts = {}): string {
  const { method = "POST", target = "/mcp", token = TEST_TOKEN, body = PING } = parts;
  const { host = `127.0.0.1:${port}`, type = "application/json", more = [] } = parts;
  return [
    `${method} ${target} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(token === null ? [] : [`Authorization: Bearer ${token}`]),
    ...(type === null ? [] : [`Content-Type: ${type}`]),
    ...more,
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
    "",
    body,
  ].join("\r\n");
}

Deno.test("the endpoint decides by the raw path and never by a folded one", async (t) => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const rows: readonly (readonly [string, number, number])[] = [
    ["/health", 200, 200],
    ["/health?x=1", 200, 200],
    ["/health?/../mcp", 200, 200],
    ["/health/", 401, 404],
    ["/HEALTH", 401, 404],
    ["//health", 401, 404],
    ["/%68ealth", 401, 404],
    ["/health%2f..%2fmcp", 401, 404],
    ["/health/../mcp", 401, 404],
    ["/health/..;/mcp", 401, 404],
    ["/health\\..\\mcp", 401, 404],
    ["/mcp/../health", 401, 404],
    ["/./health", 401, 404],
    ["/mcp/", 401, 404],
    ["/nope", 401, 404],
    ["/", 401, 404],
    ["http://evil.example.org/mcp", 401, 405],
    ["http://evil.example.org/health/../mcp", 401, 404],
    ["/mcp", 401, 405],
  ];
  for (const [target, without, withToken] of rows) {
    await t.step(`${target} is ${without} without a token and ${withToken} with one`, async () => {
      const bare = await sendRaw(
        port,
        request(port, { method: "GET", target, token: null, body: "", type: null }),
      );
      assert.equal(bare.status, without);
      const known = await sendRaw(port, request(port, { method: "GET", target, body: "" }));
      assert.equal(known.status, withToken);
    });
  }
});

Deno.test("a host that carries a path never moves the real one", async () => {
  await using daemon = startTestDaemon();
  for (const host of ["x/health?", "x/health#", "127.0.0.1/health", "a b", "x/health?/../"]) {
    const bare = await sendRaw(daemon.port, request(daemon.port, { host, token: null }));
    assert.equal(bare.status, 401, host);
    const known = await sendRaw(daemon.port, request(daemon.port, { host }));
    assert.equal(known.status, 421, host);
  }
});

Deno.test("/health answers six facts in order, without a token, to its own host only", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const get = (parts: Parts) =>
    sendRaw(
      port,
      request(port, { method: "GET", target: "/health", token: null, body: "", ...parts }),
    );
  const good = await get({});
  assert.equal(good.status, 200);
  assert.equal(good.headers.get("content-type"), "application/json");
  assert.deepEqual(Object.keys(JSON.parse(good.body)), [
    "status",
    "version",
    "protocolVersion",
    "dataDir",
    "startedAt",
    "implementation",
  ]);
  assert.equal((await get({ host: "evil.example.org" })).status, 421);
  assert.equal((await get({ host: null })).status, 421);
  assert.equal((await get({ more: ["Origin: https://evil.example.org"] })).status, 403);
  const head = await get({ method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(head.body, "");
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const other = await get({ method });
    assert.equal(other.status, 405, method);
  }
  for (const [name] of good.headers) assert.doesNotMatch(name, /^access-control/);
});

Deno.test("faults in one request are answered in the order of the contract", async (t) => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const rows: readonly (readonly [string, Parts, number])[] = [
    ["no token before a foreign host", { token: null, host: "evil.example.org" }, 401],
    ["no token before a foreign page", { token: null, more: ["Origin: https://e.org"] }, 401],
    ["no token before an unknown path", { token: null, target: "/nope" }, 401],
    ["an unknown path before a foreign host", { target: "/nope", host: "evil.example.org" }, 404],
    ["a foreign host before the content type", { host: "evil.example.org", type: null }, 421],
    ["a foreign page before the method", { method: "PUT", more: ["Origin: null"] }, 403],
    ["the method before Accept", { method: "PUT", more: ["Accept: text/html"] }, 405],
    ["Accept before JSON", { more: ["Accept: text/html"], body: "{nope" }, 406],
    ["JSON before the envelope", { body: "{nope" }, 400],
    ["no host at all", { host: null }, 421],
    ["an empty host", { host: "" }, 421],
    ["two hosts", { more: [`Host: 127.0.0.1:${port}`] }, 421],
    ["two tokens", { more: [`Authorization: Bearer ${TEST_TOKEN}`] }, 401],
    ["a token beyond ASCII", { token: "\u00ff\u00fe" }, 401],
    ["a token in the query", { target: `/mcp?token=${TEST_TOKEN}`, token: null }, 401],
    ["no content type", { type: null }, 400],
    ["a foreign content type", { type: "text/plain" }, 400],
    ["a content type that looks alike", { type: "application/jsonx" }, 415],
    ["a charset", { type: "application/json; charset=utf-8" }, 200],
    ["the token with spaces around", { token: `  ${TEST_TOKEN} ` }, 200],
    ["a query string", { target: "/mcp?x=1" }, 200],
    ["OPTIONS of a page", { method: "OPTIONS", body: "", type: null }, 405],
    ["OPTIONS without a token", { method: "OPTIONS", body: "", type: null, token: null }, 401],
    ["GET", { method: "GET", body: "", type: null }, 405],
    ["DELETE", { method: "DELETE", body: "", type: null }, 405],
  ];
  for (const [what, parts, status] of rows) {
    await t.step(`${what} → ${status}`, async () => {
      const answer = await sendRaw(port, request(port, parts));
      assert.equal(answer.status, status);
      for (const [name] of answer.headers) {
        assert.doesNotMatch(name, /^(access-control|mcp-session-id)/);
      }
      if (status === 405) assert.equal(answer.headers.get("allow"), "POST");
    });
  }
});

Deno.test("two framings and two lengths in one request are refused", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const both = request(port, { more: ["Transfer-Encoding: chunked"], body: "0\r\n\r\n" });
  assert.equal((await sendRaw(port, both)).status, 400);
  const lengths = request(port, { more: ["Content-Length: 1"] });
  assert.equal((await sendRaw(port, lengths)).status, 400);
  assert.equal((await sendRaw(port, "GARBAGE\r\n\r\n")).status, 400);
});

Deno.test("a body of exactly the limit is read, one byte more is 413", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const head = '{"jsonrpc":"2.0","id":9,"method":"ping","params":{"x":"';
  const tail = '"}}';
  const fill = "k".repeat(MAX_BODY_BYTES - head.length - tail.length);
  const exact = request(port, { body: head + fill + tail });
  assert.equal((await sendRaw(port, latin1(exact))).status, 200);
  const over = request(port, { body: `${head + fill}k${tail}` });
  const refused = await sendRaw(port, latin1(over));
  assert.equal(refused.status, 413);
  assert.equal(refused.body, "Request body too large");
});

Deno.test("a body without a length is counted, and cut off at the limit", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const chunk = `${(1 << 20).toString(16)}\r\n${"k".repeat(1 << 20)}\r\n`;
  const head = request(port, { more: ["Transfer-Encoding: chunked"], body: "" });
  const answer = await sendRaw(port, latin1(head + chunk.repeat(26)));
  assert.equal(answer.status, 413);
});

Deno.test("an oversized body without a token is 401, unread", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const head = request(port, { token: null, body: "", more: ["Content-Length: 999999999"] });
  const before = performance.now();
  assert.equal((await sendRaw(port, head)).status, 401);
  assert.ok(performance.now() - before < 5_000);
});

Deno.test("lone surrogates, deep nesting and huge numbers get a clean answer", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":{"name":"test.echo",` +
    `"arguments":${args}}}`;
  const lone = await sendRaw(port, request(port, { body: call('{"x":"\\ud800"}') }));
  assert.equal(lone.status, 200);
  assert.equal(JSON.parse(lone.body).result.structuredContent.given.x, "\ud800");
  const deep = await sendRaw(
    port,
    request(port, { body: call(`{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`) }),
  );
  assert.ok([200, 400].includes(deep.status));
  const huge = await sendRaw(port, request(port, { body: call('{"x":1e400}') }));
  assert.equal(huge.status, 200);
});

Deno.test("no answer and no log line repeats what a request held", async () => {
  await using daemon = startTestDaemon();
  const { port } = daemon;
  const secret = "sk-verysecretvalue";
  const bodies = [
    `{"jsonrpc":"2.0","id":1,"method":"${secret} x"}`,
    `[{"jsonrpc":"2.0","id":1,"method":"${secret}"}]`,
    `"${secret}"`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5,"arguments":"${secret}"}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.broken",` +
    `"arguments":{"secret":"${secret}"}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":["${secret}"]}}`,
  ];
  for (const body of bodies) {
    for (
      const more of [
        [],
        [`Mcp-Protocol-Version: ${secret}`],
        ["Mcp-Protocol-Version: 2026-07-28", `Mcp-Method: ${secret}`, `Mcp-Name: ${secret}`],
      ]
    ) {
      const answer = await sendRaw(port, request(port, { body, more }));
      assert.ok(!answer.body.includes(secret), `${body} → ${answer.body}`);
    }
  }
  assert.ok(daemon.logged.some((line) => line.includes("tool-defect")));
  assert.ok(!daemon.logged.join("\n").includes(secret));
  assert.ok(!daemon.logged.join("\n").includes(TEST_TOKEN));
});
