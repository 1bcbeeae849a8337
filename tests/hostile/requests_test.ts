/**
 * Requests that a page, a proxy or a smuggler would send, byte for byte, against the program: who is
 * asked, from where, and where a request ends.
 *
 * @module
 */

import assert from "node:assert/strict";
import { sendRaw } from "../../src/daemon/_testing/raw_http.ts";
import { ServedProject } from "../support/served_project.ts";

const PING = '{"jsonrpc":"2.0","id":9,"method":"ping"}';
const LIST = '{"jsonrpc":"2.0","id":9,"method":"tools/list"}';

interface Served {
  readonly port: number;
  readonly token: string;
}

/** A request to the endpoint with exactly these headers and the token. */
function post({ token }: Served, headers: readonly string[], body = PING): string {
  const all = [
    "POST /mcp HTTP/1.1",
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    ...headers,
  ];
  return `${all.join("\r\n")}\r\n\r\n${body}`;
}

const LENGTH = `Content-Length: ${PING.length}`;

/** Spellings of a host, `P` being the port, that are not this daemon. */
const FOREIGN_HOSTS = [
  ...["", " ", "127.0.0.1", "localhost", "[::1]", ":P", "P", "127.0.0.1:", "127.0.0.1:0"],
  ...[
    "127.0.0.1:0P",
    "127.0.0.1:+P",
    "127.0.0.1: P",
    "127.0.0.1 :P",
    "127.0.0.1:P/",
    "127.0.0.1:P.",
  ],
  ...["127.0.0.1:P,127.0.0.1:P", "127.0.0.1:P, evil.example.org", "x@127.0.0.1:P", "127.0.0.1:P@x"],
  ...["127.0.0.1:P#", "127.0.0.1:P?", "127.0.0.1:P\\", "http://127.0.0.1:P", "//127.0.0.1:P"],
  ...["LOCALHOST:P", "Localhost:P", "localhost.:P", ".localhost:P", "localhost.localdomain:P"],
  ...["localhost.evil.example.org:P", "evil.example.org", "evil.example.org:P", "localhost%00:P"],
  ...[
    "127.1:P",
    "127.0.1:P",
    "127.0.0.2:P",
    "127.255.255.254:P",
    "0:P",
    "0.0.0.0:P",
    "2130706433:P",
  ],
  ...["0x7f.0.0.1:P", "0x7f000001:P", "017700000001:P", "0177.0.0.1:P", "127.0.0.01:P"],
  ...["127.0.0.1.nip.io:P", "127.0.0.1.:P", "\u0031\u0032\u0037.0.0.1:P\u00a0", "::1:P", "[::1]"],
  ...["[::]:P", "[0:0:0:0:0:0:0:1]:P", "[::0001]:P", "[::ffff:127.0.0.1]:P", "[::1%25lo]:P"],
  ...[
    "10.0.0.1:P",
    "192.168.0.1:P",
    "172.16.0.1:P",
    "169.254.169.254:P",
    "[fe80::1]:P",
    "[fd00::1]:P",
  ],
];

/** Origins that a page may have, every private network among them. */
const FOREIGN_ORIGINS = [
  ...[
    "null",
    "NULL",
    "*",
    " ",
    "file://",
    "http://",
    "https://",
    "about:blank",
    "data:text/html,x",
  ],
  ...[
    "http://127.0.0.1",
    "http://localhost",
    "http://[::1]",
    "https://127.0.0.1:P",
    "https://localhost:P",
  ],
  ...[
    "http://127.0.0.1:P/",
    "http://127.0.0.1:P/mcp",
    "http://127.0.0.1:P.",
    "http://127.0.0.1:0P",
  ],
  ...["HTTP://127.0.0.1:P", "http://LOCALHOST:P", "http://localhost.:P", "http://x@localhost:P"],
  ...["http://localhost:P, http://localhost:P", "http://localhost:P http://evil.example.org"],
  ...["127.0.0.1:P", "localhost:P", "//localhost:P", "ws://localhost:P", "ftp://localhost:P"],
  ...[
    "http://localhost.evil.example.org:P",
    "http://evil.example.org",
    "http://evil.example.org:P",
  ],
  ...["http://127.0.0.1:P.evil.example.org", "http://127.0.0.1:P@evil.example.org"],
  ...["http://0.0.0.0:P", "http://127.0.0.2:P", "http://127.1:P", "http://2130706433:P"],
  ...["http://10.0.0.1", "http://10.255.255.255:P", "http://172.16.0.1", "http://172.31.255.255:P"],
  ...[
    "http://192.168.0.1",
    "http://192.168.1.254:P",
    "http://169.254.0.1",
    "http://169.254.169.254:P",
  ],
  ...["http://100.64.0.1", "http://192.0.0.1", "http://198.18.0.1", "http://224.0.0.1:P"],
  ...[
    "http://[fe80::1]",
    "http://[fc00::1]:P",
    "http://[fd12:3456::1]",
    "http://[::ffff:127.0.0.1]:P",
  ],
  ...[
    "http://router.lan",
    "http://printer.local:P",
    "http://intranet",
    "http://host.docker.internal:P",
  ],
  ...["chrome-extension://abcdefghijklmnop", "moz-extension://x", "vscode-webview://x", "app://x"],
];

const spelled = (text: string, port: number) => text.replaceAll("P", String(port));

Deno.test("only this daemon's own names are answered, and no page of any network", async (t) => {
  await using served = new ServedProject();
  const daemon = await served.serve();
  const { port } = daemon;
  await t.step("its own names and origins", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      for (const origin of [[], ["Origin: "], [`Origin: http://${name}:${port}`]]) {
        const text = post(daemon, [`Host: ${name}:${port}`, LENGTH, ...origin]);
        assert.equal((await sendRaw(port, text)).status, 200, name);
      }
    }
  });
  await t.step(`${FOREIGN_HOSTS.length} other hosts`, async () => {
    for (const host of FOREIGN_HOSTS) {
      for (const target of ["mcp", "health"]) {
        const text = post(daemon, [`Host: ${spelled(host, port)}`, LENGTH])
          .replace("POST /mcp", target === "mcp" ? "POST /mcp" : "GET /health");
        const { status, body } = await sendRaw(port, text);
        assert.ok([400, 421].includes(status), `${host}: ${status}`);
        assert.ok(body === "" || body === "Invalid Host header");
      }
    }
  });
  await t.step(`${FOREIGN_ORIGINS.length} other origins, preflights among them`, async () => {
    for (const origin of FOREIGN_ORIGINS) {
      const line = `Origin: ${spelled(origin, port)}`;
      const own = [`Host: 127.0.0.1:${port}`, LENGTH, line];
      const asks = [
        "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: authorization",
        "Access-Control-Request-Private-Network: true",
      ];
      const preflight = post(daemon, [...own, ...asks]).replace("POST", "OPTIONS");
      const bare = preflight.replace(/Authorization: .*\r\n/, "");
      const rows = [[post(daemon, own), 403], [preflight, 403], [bare, 401]] as const;
      for (const [text, wanted] of rows) {
        const { status, headers } = await sendRaw(port, text);
        // An origin of blanks is none.
        const blank = origin.trim() === "" && wanted === 403;
        assert.ok(status === wanted || blank && status < 406, `${origin}: ${status}`);
        for (const [name] of headers) assert.doesNotMatch(name, /^access-control/);
      }
    }
  });
});

/** What stands behind a request must never be taken for a request of its own. */
const SMUGGLED = `${post({ port: 0, token: "SMUGGLED" }, ["Content-Length: 0"], "")}`;

const FRAMINGS: readonly (readonly [string, readonly string[], string, number])[] = [
  ["two equal lengths", [LENGTH, LENGTH], PING, 400],
  ["two lengths", [LENGTH, "Content-Length: 0"], PING, 400],
  ["two lengths in one line", [`Content-Length: ${PING.length}, 0`], PING, 400],
  ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 4"], "0\r\n\r\n", 400],
  ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"], "0\r\n\r\n", 400],
  [
    "two encodings",
    ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
    "0\r\n\r\n",
    501,
  ],
  ["an encoding with a tab", ["Transfer-Encoding:\tchunked"], `28\r\n${PING}\r\n0\r\n\r\n`, 200],
  ["an encoding that looks alike", ["Transfer-Encoding: xchunked"], "0\r\n\r\n", 501],
  ["a name with a blank", ["Transfer-Encoding : chunked", LENGTH], PING, 400],
  ["a folded line", ["X: a\r\n b", LENGTH], PING, 400],
  ["a bare line feed", [`X: a\nTransfer-Encoding: chunked`, LENGTH], PING, 400],
  ["a bare carriage return", [`X: a\rTransfer-Encoding: chunked`, LENGTH], PING, 400],
  ["a NUL in a header", ["X: a\0b", LENGTH], PING, 400],
  ["a signed length", ["Content-Length: +40"], PING, 400],
  ["a hexadecimal length", ["Content-Length: 0x28"], PING, 400],
  ["a length beyond every number", [`Content-Length: ${"9".repeat(30)}`], PING, 413],
  ["a chunk with a bare line feed", ["Transfer-Encoding: chunked"], `28\n${PING}\n0\n\n`, 400],
  [
    "a chunk that is longer than it says",
    ["Transfer-Encoding: chunked"],
    `27\r\n${PING}\r\n0\r\n\r\n`,
    400,
  ],
  [
    "a chunk size beyond every number",
    ["Transfer-Encoding: chunked"],
    "fffffffffffffffff\r\n",
    400,
  ],
  ["a negative chunk size", ["Transfer-Encoding: chunked"], "-1\r\n\r\n", 400],
];

Deno.test("a request ends where both sides agree, or is refused with its connection", async (t) => {
  await using served = new ServedProject();
  const daemon = await served.serve();
  const host = `Host: 127.0.0.1:${daemon.port}`;
  for (const [what, headers, body, status] of FRAMINGS) {
    await t.step(`${what} → ${status}`, async () => {
      const text = post(daemon, [host, ...headers], body + SMUGGLED);
      const answers = await allAnswers(daemon.port, text);
      assert.equal(answers[0], status);
      // One that is served is followed by the stranger's own, and nothing else is ever answered.
      assert.deepEqual(answers.slice(1), status === 200 ? [401] : []);
    });
  }
  await t.step("a body that is shorter than it says is never answered as if whole", async () => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: daemon.port });
    await connection.write(new TextEncoder().encode(post(daemon, [host, "Content-Length: 99"])));
    await connection.closeWrite();
    const text = await new Response(connection.readable).text();
    assert.match(text, /^HTTP\/1\.1 400 /);
  });
  await t.step("requests one after the other are answered one after the other", async () => {
    const two = post(daemon, [host, LENGTH]) +
      post(daemon, [host, `Content-Length: ${LIST.length}`, "Connection: close"], LIST);
    assert.deepEqual(await allAnswers(daemon.port, two), [200, 200]);
  });
});

/** Sends everything and reads until the other side closes; answers the statuses. */
async function allAnswers(port: number, text: string): Promise<number[]> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text)).catch(() => {});
  await connection.closeWrite().catch(() => {});
  const whole = await new Response(connection.readable).text().catch(() => "");
  return [...whole.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

Deno.test("a token is taken from one place only, whole, and never from elsewhere", async () => {
  await using served = new ServedProject();
  const daemon = await served.serve();
  const { port, token } = daemon;
  const own = [`Host: 127.0.0.1:${port}`, LENGTH];
  const swapped = (header: string) =>
    post(daemon, own).replace(/Authorization: .*\r\n/, header === "" ? "" : `${header}\r\n`);
  const wrong = [
    "",
    "Authorization: ",
    "Authorization: Bearer",
    "Authorization: Bearer ",
    `Authorization: ${token}`,
    `Authorization: Basic ${token}`,
    `Authorization: Basic ${btoa(`x:${token}`)}`,
    `Authorization: Bearer${token}`,
    `Authorization: Bearer ${token.slice(0, -1)}`,
    `Authorization: Bearer ${token}x`,
    `Authorization: Bearer ${token},${token}`,
    `Authorization: Bearer "${token}"`,
    `Authorization: Bearer ${token.toUpperCase()}`,
    `Authorization: Bearer ${token}\u00e9`,
    `Authorization: Bearer ${"k".repeat(20_000)}`,
    `Authorization: Bearer ${"k".repeat(1_000_000)}`,
    "Authorization: Bearer ${THEURIAN_MCP_TOKEN}",
    `Authorization: Bearer x\r\nAuthorization: Bearer ${token}`,
    `Proxy-Authorization: Bearer ${token}`,
    `X-Authorization: Bearer ${token}`,
    `Cookie: token=${token}`,
    `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}`,
  ];
  const bodies = new Set<string>();
  for (const header of wrong) {
    const { status, body, headers } = await sendRaw(port, swapped(header));
    assert.equal(status, 401, header.slice(0, 60));
    assert.equal(headers.get("www-authenticate"), "Bearer");
    bodies.add(body);
  }
  assert.equal(bodies.size, 1, "one constant answer");
  const inTarget = swapped("").replace("/mcp", `/mcp?token=${token}&access_token=${token}`);
  assert.equal((await sendRaw(port, inTarget)).status, 401);
  assert.equal((await sendRaw(port, swapped(`authorization: bearer  ${token}  `))).status, 200);
});
