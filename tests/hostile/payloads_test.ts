/**
 * Hostile JSON against the program, in both protocol families: a clean answer in time, nothing
 * repeated, nothing changed for others.
 *
 * @module
 */

import assert from "node:assert/strict";
import { HttpConnection } from "../../scripts/bench_http.ts";
import type { Daemon } from "../../scripts/daemon.ts";
import { ServedProject } from "../support/served_project.ts";
import { assertReleased, assertServed, holdingsOf, neighbourOf } from "./neighbour.ts";
import { CANARY, type Payload, PAYLOADS } from "./payloads.ts";

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",' +
  '"io.modelcontextprotocol/clientCapabilities":{}}';

/** What each family wants around the same body. */
const FAMILIES: Readonly<Record<string, (payload: Payload) => Dressed>> = {
  handshake: ({ body }) => ({ body, headers: [] }),
  stateless: ({ body }) => {
    if (typeof body !== "string") return { body, headers: stateless("ping") };
    const [, method = "ping"] = /"method":"([\w$./-]{1,99})"/.exec(body) ?? [];
    const [, name] = /"params":\{"name":"([\w$./-]{1,99})"/.exec(body) ?? [];
    const dressed = body.replace(
      /"params":\{(?=(.))/,
      (head, next) => `${head}${META}${next === "}" ? "" : ","}`,
    );
    return { body: dressed, headers: stateless(method, name) };
  },
};

interface Dressed {
  readonly body: string | Uint8Array;
  readonly headers: readonly string[];
}

function stateless(method: string, name?: string): string[] {
  const named = name === undefined ? [] : [`Mcp-Name: ${name}`];
  return ["Mcp-Protocol-Version: 2026-07-28", `Mcp-Method: ${method}`, ...named];
}

const STATUSES = [200, 202, 400, 404];
const MIB = 1 << 20;

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly elapsed: number;
}

async function send(daemon: Daemon, { body, headers }: Dressed) {
  const connection = await HttpConnection.open(daemon.port);
  try {
    const lines = [
      `Authorization: Bearer ${daemon.token}`,
      "Content-Type: application/json",
      ...headers,
    ];
    const begun = performance.now();
    const answer = await connection.ask("POST", "/mcp", `${lines.join("\r\n")}\r\n`, body);
    return { ...answer, elapsed: performance.now() - begun };
  } finally {
    connection.close();
  }
}

function judge({ what }: Payload, { status, body, elapsed }: Answer): void {
  assert.ok(STATUSES.includes(status), `${what}: ${status} ${body.slice(0, 200)}`);
  assert.ok(elapsed < 5000, `${what} took ${elapsed} ms`);
  assert.ok(body.length < 400_000, `${what}: an answer of ${body.length} characters`);
  if (body === "") return;
  const message = JSON.parse(body);
  assert.equal(message.jsonrpc, "2.0", what);
  // What was found names the query it was found for; a refusal repeats nothing.
  const refuses = message.result?.isError !== false;
  assert.ok(!refuses || !body.includes(CANARY), `${what} is repeated: ${body.slice(0, 400)}`);
  // A refusal that owns up to a defect would be one.
  assert.ok(!/internal error|defect/i.test(body), `${what}: ${body.slice(0, 400)}`);
}

Deno.test("hostile JSON gets a clean answer, repeats nothing and costs others nothing", async (t) => {
  await using served = await ServedProject.start();
  const { daemon } = served;
  const ask = { what: "a plain search", body: plainSearch() };
  const plain = async () => {
    const answers = Object.values(FAMILIES).map((dress) => send(daemon, dress(ask)));
    const found = (await Promise.all(answers)).map(({ body }) => JSON.parse(body).result);
    return found.map((result) => result.structuredContent);
  };
  const expected = await plain();
  assert.ok(expected[0].count > 0);
  assert.deepEqual(expected[0], expected[1]);
  const before = holdingsOf(daemon.pid);
  for (const [family, dress] of Object.entries(FAMILIES)) {
    await t.step(`${PAYLOADS.length} bodies over the ${family} family`, async () => {
      const times = await neighbourOf(daemon, async () => {
        for (const payload of PAYLOADS) judge(payload, await send(daemon, dress(payload)));
      });
      assertServed(times);
    });
  }
  await t.step("an answer afterwards is what it was before", async () => {
    assert.deepEqual(await plain(), expected);
  });
  await assertReleased(daemon.pid, before, 256 * MIB);
  const { code, stderr } = await served.stop();
  assert.deepEqual([code, stderr], [0, ""]);
});

Deno.test("a crowd of the largest bodies is answered, and keeps the process small", async () => {
  await using served = await ServedProject.start();
  const { daemon } = served;
  const before = holdingsOf(daemon.pid);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, holdingsOf(daemon.pid)?.memory ?? 0);
  }, 20);
  const pad = "k".repeat(25_000_000);
  const body = plainSearch().replace('"query"', `"pad":"${pad}","query"`);
  try {
    const times = await neighbourOf(daemon, async () => {
      const answers = Array.from({ length: 16 }, () => send(daemon, { body, headers: [] }));
      for (const { status } of await Promise.all(answers)) assert.ok([200, 503].includes(status));
    });
    assert.ok(times.at(-1)! < 5000, `${times.at(-1)} ms`);
  } finally {
    clearInterval(watch);
  }
  // All of them at once would be four hundred for the bytes alone, and twice that when read.
  if (before !== null) assert.ok(most - before.memory < 500 * MIB, `${most / MIB} MiB`);
});

function plainSearch(): string {
  const params = {
    name: "knowledge.search",
    arguments: { projectId: "demo", query: "retry", asOf: "2026-10-01T00:00:00Z" },
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}
