/**
 * What a client can send: queries, arguments of every tool, HTTP requests.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { latin1, sendRaw } from "../../src/daemon/_testing/raw_http.ts";
import { startTestDaemon, TEST_TOKEN } from "../../src/daemon/_testing/test_daemon.ts";
import { loadToolSchemas } from "../../src/mcp/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { addDemo } from "../support/demo_corpus.ts";
import { ScratchProject } from "../support/scratch_project.ts";
import { call, type Caller, register, textOf } from "../support/tool_calls.ts";
import { damaged, damagedText, type Json } from "./edits.ts";
import { CANARY, type FuzzTarget, requireSilence } from "./fuzz.ts";
import { fromSchema, type Named, type Schema } from "./from_schema.ts";

interface Served extends Disposable {
  readonly caller: Caller;
}

/** A served corpus of every visibility. */
async function openServed(): Promise<Served> {
  const parent = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "fuzz-" }));
  const project = new ScratchProject(parent, "demo", "repo");
  addDemo(project);
  await project.apply();
  await project.build({ raptor: true });
  return {
    caller: register(project),
    [Symbol.dispose]: () => Deno.removeSync(parent, { recursive: true }),
  };
}

/** What only items hold that the caller may not see. */
const HIDDEN = /zebra|xylophone|sec\.keys|Key rotation|Old rejected/i;

const QUERY_PIECES = [
  ...[
    "retry",
    "budget",
    "cache",
    "queue",
    "認証",
    "鍵",
    "zebra",
    "xylophone",
    "secret",
    "retri",
    "bugdet",
  ],
  ...[
    '"',
    "'",
    "*",
    "-",
    "(",
    ")",
    ":",
    "^",
    "~",
    "\\",
    "/",
    "%",
    "_",
    "{",
    "}",
    "NEAR",
    "AND",
    "OR",
    "NOT",
  ],
  ...[
    "\u0000",
    "\ud800",
    "\udfff",
    "\u202e",
    "\ufeff",
    "🦀",
    "é",
    "e\u0301",
    "ﬁ",
    "\u3000",
    "\n",
    "\t",
    "--",
    ";",
  ],
];
const words = fc.array(fc.constantFrom(...QUERY_PIECES), { minLength: 1, maxLength: 12 });
const queryTexts = damagedText(words.map((list) => list.join(" ")), QUERY_PIECES, 3);

/** Answers every query alike twice, within its bounds, and shows nothing hidden. */
const queries: FuzzTarget = {
  name: "queries",
  open: async () => {
    const served = await openServed();
    const inputs = fc.record({
      query: queryTexts.map((text) => [...text].slice(0, 2000).join("")),
      limit: fc.integer({ min: -2, max: 200 }),
      maxTokens: fc.integer({ min: -2, max: 100_000 }),
      asOf: fc.constantFrom(
        "2026-02-01T00:00:00Z",
        "2026-02-01T00:00:00+09:00",
        "0001-01-01T00:00:00Z",
      ),
    }, { requiredKeys: ["query"] });
    return {
      inputs,
      check: async (input: JsonObject) => {
        const ask = () => call(served.caller, "knowledge.search", { projectId: "demo", ...input });
        const answer = await ask();
        assert.deepEqual(await ask(), answer);
        const found = answer["structuredContent"] as JsonObject | undefined;
        assert.equal(answer["isError"], found === undefined);
        const { query: _, ...shown } = found ?? {};
        assert.doesNotMatch(JSON.stringify(shown), HIDDEN);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(served[Symbol.dispose]()),
    };
  },
};

const ARGUMENTS: Named = {
  projectId: fc.constantFrom("demo", "demo", "demo", "nowhere", "demo\n", "../demo"),
  itemId: fc.constantFrom(
    "ops.retry",
    "ops.cache",
    "sec.keys",
    "arch.old",
    "no.such",
    "ops.retries",
  ),
  document: fc.constantFrom<Json>(
    {
      author: "ada@example.org",
      description: CANARY,
      operations: [{ op: "addAlias", alias: "ops.again", itemId: "ops.retry" }],
    },
    { author: CANARY, operations: [{ op: "deprecateItem", itemId: "sec.keys", reason: CANARY }] },
    { operations: [] },
  ),
  kind: fc.constantFrom("decision", "domain", CANARY),
  contentType: fc.constantFrom("text/markdown", "application/json", CANARY),
  trustLevel: fc.constantFrom("reviewed", "unverified", CANARY),
  sensitivity: fc.constantFrom("public", "internal", "restricted", CANARY),
  namespace: fc.constantFrom("ops", CANARY),
  provider: fc.constant("git"),
  sourceUri: fc.constantFrom("git://local/docs/a.md", CANARY),
  commitSha: fc.constantFrom("a1b2c3d", "a".repeat(40)),
  fixCommit: fc.constant("a".repeat(40)),
  content: fc.constantFrom<Json>(CANARY, "# Text\n", ""),
};

/** Every tool answers or refuses every argument, repeats nothing in a refusal, changes nothing. */
const calls: FuzzTarget = {
  name: "calls",
  open: async () => {
    const served = await openServed();
    const schemas = loadToolSchemas();
    const inputs = fc.constantFrom(...schemas.inputs.keys()).chain((name) => {
      const schema = schemas.inputs.get(name) as unknown as Schema;
      return fc.tuple(fc.constant(name), damaged(fromSchema(schema, () => ({}), ARGUMENTS)));
    });
    return {
      inputs,
      check: async ([name, input]: readonly [string, Json]) => {
        if (typeof input !== "object" || input === null || Array.isArray(input)) return;
        const result = await call(served.caller, name, input as JsonObject);
        if (result["isError"] !== true) return;
        const text = textOf(result);
        assert.ok([...text].length < 4000, `${text.length} characters`);
        // A short filter of a review tool is quoted back, so that a typing error shows.
        requireSilence(text.replace(/Cannot use \w+ "[^"]*"/g, ""));
        // The id that was asked for is the caller's own.
        assert.doesNotMatch(text.replaceAll(/sec\.keys/g, ""), HIDDEN);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(served[Symbol.dispose]()),
    };
  },
};

const REQUEST_PIECES = [
  ...[
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    " ",
    "\t",
    ":",
    ",",
    "\0",
    "\u00ff",
    "HTTP/1.1",
    "HTTP/1.0",
    "HTTP/2.0",
  ],
  ...[
    "Transfer-Encoding: chunked\r\n",
    "Content-Length: 5\r\n",
    "Host: evil\r\n",
    "Connection: close\r\n",
  ],
  ...[
    "Expect: 100-continue\r\n",
    "0\r\n\r\n",
    "5\r\nhello\r\n",
    "/health",
    "/mcp",
    "?",
    "#",
    "..",
    "%2e",
  ],
  ...[
    "Origin: null\r\n",
    "Authorization: Bearer x\r\n",
    "Accept: text/html\r\n",
    "Mcp-Method: ping\r\n",
  ],
  ...[
    "Mcp-Protocol-Version: 2026-07-28\r\n",
    '"jsonrpc":"2.0"',
    "[",
    "]",
    "{",
    "}",
    "GET",
    "OPTIONS",
  ],
];
const STATUSES = [200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 421, 431, 501, 505];

function request(body: string): string {
  return [
    "POST /mcp HTTP/1.1",
    "Host: HOST",
    `Authorization: Bearer ${TEST_TOKEN}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

const BODIES = [
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":"a","method":"tools/list"}',
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test.broken","arguments":{"secret":"${CANARY}"}}}`,
  `{"jsonrpc":"2.0","method":"notifications/x","params":{"x":"${CANARY}"}}`,
];

/** Answers every request with a status of ours or ends it; the daemon goes on and logs no value. */
const requests: FuzzTarget = {
  name: "requests",
  open: () => {
    const daemon = startTestDaemon();
    const host = `127.0.0.1:${daemon.port}`;
    return {
      inputs: damagedText(fc.constantFrom(...BODIES).map(request), REQUEST_PIECES, 5),
      check: async (text: string) => {
        const wire = latin1(text.replaceAll("HOST", host));
        const { status, body } = await sendHalf(daemon.port, wire);
        assert.ok(status === 0 || STATUSES.includes(status), `${status}`);
        if (status !== 200) requireSilence(body);
        requireSilence(daemon.logged.join("\n"));
        assert.ok(daemon.logged.every((line) => !line.includes("request-defect")));
        const alive = await sendRaw(daemon.port, `GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        assert.equal(alive.status, 200);
      },
      [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
    };
  },
};

/** Sends and ends the sending side: a request that wants more is over. */
async function sendHalf(
  port: number,
  bytes: Uint8Array,
): Promise<{ status: number; body: string }> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    await connection.closeWrite();
  } catch {
    // It was refused early.
  }
  const text = await new Response(connection.readable).text().catch(() => "");
  const last = text.slice(text.lastIndexOf("HTTP/1.1 "));
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(last)?.[1] ?? 0), body: last };
}

/** All of them. */
export const SERVED_TARGETS: readonly FuzzTarget[] = [queries, calls, requests];
