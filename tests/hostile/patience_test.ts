/**
 * Clients that are slow, silent or many, against the program on a real port: others are served
 * meanwhile, and nothing of them is left.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Daemon, isHealthy } from "../../scripts/daemon.ts";
import { ServedProject } from "../support/served_project.ts";
import { assertReleased, assertServed, holdingsOf, neighbourOf } from "./neighbour.ts";

const MIB = 1 << 20;
const bytes = (text: string) => new TextEncoder().encode(text);

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Opens connections, each with a first piece; none that the daemon turns away counts. */
async function crowd(port: number, size: number, first: string): Promise<Deno.TcpConn[]> {
  const sockets: Deno.TcpConn[] = [];
  for (let i = 0; i < size; i++) {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(bytes(first)).catch(() => {});
    sockets.push(socket);
  }
  return sockets;
}

async function drip(sockets: readonly Deno.TcpConn[], piece: string, rounds: number) {
  for (let round = 0; round < rounds; round++) {
    for (const socket of sockets) await socket.write(bytes(piece)).catch(() => {});
    await pause(100);
  }
}

function post(daemon: Daemon, length: number): string {
  return `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n` +
    `Authorization: Bearer ${daemon.token}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${length}\r\n\r\n`;
}

interface Attack {
  readonly name: string;
  readonly size: number;
  readonly first: (daemon: Daemon) => string;
  readonly piece: string;
}

const ATTACKS: readonly Attack[] = [
  { name: "silent connections", size: 200, first: () => "", piece: "" },
  {
    name: "heads that never end",
    size: 200,
    first: () => "POST /mcp HTTP/1.1\r\nX: ",
    piece: "a",
  },
  {
    name: "bodies that never end, with the token",
    size: 100,
    first: (daemon) => post(daemon, 20 * MIB) + " ".repeat(4096),
    piece: " ".repeat(256),
  },
  {
    name: "announced bodies without the token",
    size: 200,
    first: () => `POST /mcp HTTP/1.1\r\nContent-Length: ${25 * MIB}\r\n\r\n`,
    piece: " ".repeat(4096),
  },
  {
    name: "more connections than there is room for",
    size: 600,
    first: () => "GET /health HTTP/1.1\r\nX: ",
    piece: "",
  },
  {
    name: "requests behind requests whose answers nobody takes",
    size: 50,
    first: () => "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200),
    piece: "GET /health HTTP/1.1\r\nHost: x\r\n\r\n".repeat(50),
  },
];

Deno.test("slow, silent and many clients cost others nothing and leave nothing", async (t) => {
  await using served = await ServedProject.start();
  const { daemon } = served;
  assertServed(await neighbourOf(daemon, () => pause(300)));
  const before = holdingsOf(daemon.pid);
  for (const { name, size, first, piece } of ATTACKS) {
    await t.step(name, async () => {
      let sockets: Deno.TcpConn[] = [];
      const times = await neighbourOf(daemon, async () => {
        sockets = await crowd(daemon.port, size, first(daemon));
        await drip(sockets, piece, 8);
        const held = holdingsOf(daemon.pid);
        if (held !== null) assert.ok(held.descriptors < before!.descriptors + 300);
      });
      for (const socket of sockets) socket.close();
      assertServed(times);
      assert.equal(await isHealthy(daemon.port), true);
      await assertReleased(daemon.pid, before, 96 * MIB);
    });
  }
  assert.equal((await served.stop()).code, 0);
});

Deno.test({
  name: "a daemon that may open few files goes on serving, and does not flood its log",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using served = await ServedProject.start();
    await served.stop();
    const daemon = await served.serve({ descriptors: 128 });
    const sockets = await crowd(daemon.port, 200, "GET /health HTTP/1.1\r\nX: ");
    const times = await neighbourOf(daemon, () => pause(500));
    assert.ok(times.length >= 10 && times.at(-1)! < 5000);
    for (const socket of sockets) socket.close();
    const { code, stderr } = await served.stop();
    assert.equal(code, 0);
    assert.ok(stderr.split("\n").length <= 2, stderr);
  },
});
