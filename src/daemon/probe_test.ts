import assert from "node:assert/strict";
import { IMPLEMENTATION } from "./health.ts";
import { probePort, readAnswer } from "./probe.ts";

const HEALTH = {
  status: "ok",
  version: "0.6.0",
  protocolVersion: "theurian/v1",
  dataDir: "/d",
  startedAt: "2026-01-01T00:00:00.000000+00:00",
  implementation: IMPLEMENTATION,
};

const answer = (body: string, head = "HTTP/1.1 200 OK") =>
  readAnswer(new TextEncoder().encode(`${head}\r\ncontent-type: application/json\r\n\r\n${body}`));

Deno.test("readAnswer() reads a Theurian's health, whole or in chunks", () => {
  assert.equal(answer(JSON.stringify(HEALTH))?.version, "0.6.0");
  const body = JSON.stringify(HEALTH);
  const chunks = `${(10).toString(16)}\r\n${body.slice(0, 10)}\r\n` +
    `${(body.length - 10).toString(16)}\r\n${body.slice(10)}\r\n0\r\n\r\n`;
  const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked";
  assert.equal(answer(chunks, chunked)?.implementation, IMPLEMENTATION);
});

const NOT_A_THEURIAN = [
  "{}",
  "[]",
  "null",
  "not json",
  '{"status":"ok"}',
  '{"status":"degraded","protocolVersion":"theurian/v1"}',
  '{"status":"ok","protocolVersion":1}',
  "",
];

for (const body of NOT_A_THEURIAN) {
  Deno.test(`readAnswer() does not take ${JSON.stringify(body)} for a Theurian`, () => {
    assert.equal(answer(body), null);
  });
}

Deno.test("readAnswer() takes no other status and no torn head", () => {
  const body = JSON.stringify(HEALTH);
  for (const head of ["HTTP/1.1 404 Not Found", "HTTP/1.1 301 Moved", "HTTP/1.1 2000", "ICY 200"]) {
    assert.equal(answer(body, head), null, head);
  }
  assert.equal(readAnswer(new TextEncoder().encode("HTTP/1.1 200 OK\r\n")), null);
});

async function withServer(
  serve: (connection: Deno.TcpConn) => Promise<void>,
  ask: (port: number) => Promise<void>,
): Promise<void> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.TcpConn[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      open.push(connection);
      serve(connection).catch(() => {});
    }
  })().catch(() => {});
  try {
    await ask(listener.addr.port);
  } finally {
    for (const connection of open) {
      try {
        connection.close();
      } catch {
        // Closed by the server above.
      }
    }
    listener.close();
    await serving;
  }
}

Deno.test("probePort() calls a port without a listener free", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  assert.deepEqual(await probePort(port), { kind: "free" });
});

Deno.test("probePort() gives up on a listener that never answers, within its deadline", async () => {
  await withServer(() => Promise.resolve(), async (port) => {
    const before = performance.now();
    assert.deepEqual(await probePort(port, 150), { kind: "foreign" });
    assert.ok(performance.now() - before < 1_900);
  });
});

Deno.test("probePort() stops reading an endless answer", async () => {
  const endless = async (connection: Deno.TcpConn) => {
    await connection.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
    for (;;) await connection.write(new Uint8Array(4096).fill(0x7b));
  };
  await withServer(endless, async (port) => {
    assert.deepEqual(await probePort(port), { kind: "foreign" });
  });
});

Deno.test("probeHealth() goes straight to the port, whatever a proxy variable says", async () => {
  const reply = async (connection: Deno.TcpConn) => {
    await connection.read(new Uint8Array(1024));
    const text = `HTTP/1.1 200 OK\r\n\r\n${JSON.stringify(HEALTH)}`;
    await connection.write(new TextEncoder().encode(text));
    connection.close();
  };
  await withServer(reply, async (port) => {
    // In a process of its own: the tests beside this one share the environment.
    const module = new URL("./probe.ts", import.meta.url).href;
    const proxy = "http://127.0.0.1:9";
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const { probeHealth } = await import(${JSON.stringify(module)});
         console.log((await probeHealth(${port}))?.dataDir);`,
      ],
      env: { HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy },
      stderr: "inherit",
    }).output();
    assert.equal(new TextDecoder().decode(stdout).trim(), "/d");
  });
});
