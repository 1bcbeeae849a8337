import assert from "node:assert/strict";
import type { Handler } from "./_http_call.ts";
import {
  COUNTED,
  limitsFor,
  type Listener,
  LISTENER_LIMITS,
  type ListenerLimits,
  openListener,
} from "./_listener.ts";
import { latin1, sendRaw } from "./_testing/raw_http.ts";
import { plainText } from "./_responses.ts";

/** Answers `/open` at once; reads the body of anything else and answers with its size. */
const handler: Handler = async ({ path, body }) => {
  if (path === "/open") return plainText(200, "open");
  let size = 0;
  for await (const piece of body!) size += piece.length;
  if (path === "/slow") await pause(300);
  if (path === "/broken") throw new Error("a secret value");
  return plainText(200, String(size));
};

async function listening(
  limits: Partial<ListenerLimits>,
  work: (port: number, listener: Listener, logged: string[]) => Promise<void>,
): Promise<void> {
  const logged: string[] = [];
  const listener = openListener({
    port: 0,
    handler,
    log: (...entry) => logged.push(entry.join(" ")),
    limits: { ...LISTENER_LIMITS, sweepMs: 20, ...limits },
  });
  try {
    await work(listener.port, listener, logged);
  } finally {
    await listener.shutdown(1000);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A connection that sends what it is told and reads until the other side closes. */
class Client {
  readonly #socket: Deno.TcpConn;
  readonly ended: Promise<string>;

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
    this.ended = this.#readAll();
  }

  static async connect(port: number, text = ""): Promise<Client> {
    const client = new Client(await Deno.connect({ hostname: "127.0.0.1", port }));
    await client.send(text);
    return client;
  }

  async send(text: string): Promise<void> {
    const bytes = latin1(text);
    for (let at = 0; at < bytes.length;) at += await this.#socket.write(bytes.subarray(at));
  }

  close(): void {
    try {
      this.#socket.close();
    } catch {
      // It was closed from the other side.
    }
  }

  async #readAll(): Promise<string> {
    let text = "";
    const buffer = new Uint8Array(4096);
    for (;;) {
      const count = await this.#socket.read(buffer).catch(() => null);
      if (count === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, count));
    }
    this.close();
    return text;
  }
}

/** Whether a client's connection was closed within `milliseconds`. */
async function closesWithin(client: Client, milliseconds: number): Promise<boolean> {
  let timer = 0;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const closed = await Promise.race([client.ended.then(() => true), late]);
  clearTimeout(timer);
  return closed;
}

const post = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

Deno.test("a connection serves several requests, also sent at once, and ends when told", () =>
  listening({}, async (port) => {
    const more = `${post("/", 2)}hi\r\n${post("/", 3)}abc`;
    const last = "GET /last HTTP/1.1\r\nConnection: close\r\n\r\n";
    const client = await Client.connect(port, more + last);
    const answers = (await client.ended).split("HTTP/1.1 200 OK").slice(1);
    assert.deepEqual(answers.map((text) => text.split("\r\n\r\n")[1]), ["2", "3", "0"]);
    assert.deepEqual(answers.map((text) => text.includes("connection: close")), [
      false,
      false,
      true,
    ]);
  }));

Deno.test("a client that asks first is told to go on, and only when its body is wanted", () =>
  listening({}, async (port) => {
    const wanted = await Client.connect(
      port,
      post("/", 2).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"),
    );
    await pause(50);
    await wanted.send("hi");
    assert.match(await wanted.ended, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    const unread = post("/open", 2).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    assert.match(await (await Client.connect(port, unread)).ended, /^HTTP\/1\.1 200 OK/);
  }));

Deno.test("HEAD has the length of the answer and no body", () =>
  listening({}, async (port) => {
    const client = await Client.connect(
      port,
      "HEAD /open HTTP/1.1\r\nConnection: close\r\n\r\n",
    );
    assert.match(await client.ended, /content-length: 4\r\n[^]*\r\n\r\n$/);
  }));

Deno.test("slow and silent clients are cut off, each within its own limit", () =>
  listening({ idleMs: 100, headMs: 200, bodyMs: 300 }, async (port) => {
    const silent = await Client.connect(port);
    const slowHead = await Client.connect(port, "POST / HTTP/1.1\r\nX: ");
    const slowBody = await Client.connect(port, `${post("/", 10)}a`);
    const kept = await Client.connect(port, `${post("/", 0)}`);
    const dripping = (async () => {
      for (let i = 0; i < 8; i++) {
        await pause(50);
        await slowHead.send("a").catch(() => {});
        await slowBody.send("a").catch(() => {});
      }
    })();
    const before = performance.now();
    for (const client of [silent, slowHead, slowBody, kept]) {
      assert.equal(await closesWithin(client, 2000), true);
    }
    assert.ok(performance.now() - before < 8_000);
    assert.match(await kept.ended, /^HTTP\/1\.1 200/);
    await dripping;
  }));

Deno.test("a stranger gets one answer a connection, whatever it sends", () =>
  listening({}, async (port) => {
    const client = await Client.connect(port, "GET /open HTTP/1.1\r\n\r\n".repeat(1000));
    const text = await client.ended;
    assert.equal(text.split("HTTP/1.1 200 OK").length - 1, 1);
    assert.match(text, /connection: close/);
  }));

Deno.test("work of our own is never cut off, however slow it is", () =>
  listening({ idleMs: 50, headMs: 50, bodyMs: 50 }, async (port) => {
    assert.equal((await sendRaw(port, `${post("/slow", 2)}hi`)).body, "2");
  }));

Deno.test("a full house makes room at the cost of strangers, then of the idle", () =>
  listening({ connections: 4 }, async (port) => {
    const known = [await Client.connect(port, post("/", 0)), await Client.connect(port)];
    await pause(30);
    await known[1]!.send(post("/", 0));
    const strangers = [
      await Client.connect(port, "GET /open HTTP/1.1\r\nHost: x\r\n\r\n"),
      await Client.connect(port, "POST / HTTP/1.1\r\nX: "),
    ];
    await pause(30);
    const newcomers = [await Client.connect(port, post("/", 0))];
    assert.equal(await closesWithin(strangers[0]!, 500), true);
    newcomers.push(await Client.connect(port, post("/", 0)));
    assert.equal(await closesWithin(strangers[1]!, 500), true);
    newcomers.push(await Client.connect(port, post("/", 0)));
    assert.equal(await closesWithin(known[0]!, 500), true, "the one that was idle longest");
    assert.equal(await closesWithin(known[1]!, 50), false);
    for (const client of [known[1]!, ...newcomers]) client.close();
    await Promise.all([...known, ...strangers, ...newcomers].map((client) => client.ended));
  }));

Deno.test("a full house of clients at work turns a newcomer away", () =>
  listening({ connections: 2 }, async (port) => {
    const busy = [1, 2].map(() => sendRaw(port, `${post("/slow", 2)}hi`));
    await pause(100);
    assert.equal(await (await Client.connect(port, post("/open", 0))).ended, "");
    for (const { status } of await Promise.all(busy)) assert.equal(status, 200);
    assert.equal((await sendRaw(port, post("/open", 0))).status, 200);
  }));

Deno.test("a head that is far too long holds nothing that counts", () =>
  listening({}, async (port) => {
    const long = `POST /open HTTP/1.1\r\nAuthorization: Bearer ${"k".repeat(1_000_000)}\r\n\r\n`;
    // Neither `/open` nor its headers reached the handler.
    assert.equal((await sendRaw(port, long)).body, "0");
  }));

Deno.test("a handler that fails costs one answer and a log line without values", () =>
  listening({}, async (port, _listener, logged) => {
    const { status, body } = await sendRaw(port, post("/broken", 0));
    assert.deepEqual([status, body], [500, "Internal error"]);
    assert.equal(logged.length, 1);
    assert.match(logged[0]!, /^error request-defect Error at /);
    assert.ok(!logged[0]!.includes("secret"));
  }));

Deno.test("a shutdown closes the idle at once and lets work finish", () =>
  listening({}, async (port, listener) => {
    const idle = await Client.connect(port, post("/", 0));
    const half = await Client.connect(port, "POST / HT");
    const slow = sendRaw(port, `${post("/slow", 2)}hi`);
    await pause(100);
    const before = performance.now();
    await listener.shutdown(2000);
    assert.ok(performance.now() - before < 1000);
    assert.match(await idle.ended, /^HTTP\/1\.1 200/);
    assert.equal(await half.ended, "");
    assert.equal((await slow).body, "2");
    await assert.rejects(Deno.connect({ hostname: "127.0.0.1", port }));
  }));

Deno.test("limitsFor() leaves descriptors to what serves, and offers a few places at least", () => {
  const rows = [[0, 16], [100, 16], [200, 40], [COUNTED, 256], [COUNTED * 9, 256]] as const;
  for (const [spare, connections] of rows) {
    assert.deepEqual(limitsFor(spare), { ...LISTENER_LIMITS, connections });
  }
});
