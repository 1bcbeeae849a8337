import assert from "node:assert/strict";
import fc from "fast-check";
import { type ByteSource, ConnectionBytes } from "./_connection_bytes.ts";
import { RequestBody } from "./_http_body.ts";
import type { Framing } from "./_http_head.ts";
import { latin1 } from "./_testing/raw_http.ts";

/** Gives the bytes in the pieces that `cuts` ask for. */
function source(text: string, cuts: readonly number[] = []): ByteSource {
  const bytes = latin1(text);
  let at = 0;
  let turn = 0;
  return {
    read: (buffer) => {
      if (at === bytes.length) return Promise.resolve(null);
      const size = Math.max(1, cuts[turn++ % cuts.length] ?? bytes.length);
      const piece = bytes.subarray(at, at + Math.min(size, buffer.length));
      buffer.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length);
    },
  };
}

interface Reading {
  readonly text: string;
  readonly events: readonly string[];
  /** What stands behind the body. */
  readonly rest: string;
}

async function readAll(wire: string, framing: Framing, cuts?: readonly number[]): Promise<Reading> {
  const bytes = new ConnectionBytes(source(wire, cuts));
  const events: string[] = [];
  const watch = { begin: () => void events.push("begin"), end: () => void events.push("end") };
  const body = new RequestBody(bytes, framing, watch);
  let text = "";
  for await (const piece of body) text += String.fromCharCode(...piece);
  assert.equal(body.ended, true);
  let rest = "";
  for (let some = await bytes.takeSome(99); some !== null; some = await bytes.takeSome(99)) {
    rest += String.fromCharCode(...some);
  }
  return { text, events, rest };
}

const CHUNKED: Framing = { kind: "chunked" };
const BOTH = ["begin", "end"];

Deno.test("RequestBody reads exactly what its length says", async () => {
  const five: Framing = { kind: "length", bytes: 5 };
  assert.deepEqual(await readAll("helloGET", five), { text: "hello", events: BOTH, rest: "GET" });
  const none: Framing = { kind: "none" };
  assert.deepEqual(await readAll("GET", none), { text: "", events: BOTH, rest: "GET" });
});

Deno.test("RequestBody reads chunks, their extensions and a trailer", async () => {
  const wire = "5\r\nhello\r\n1 ;a=b\r\n!\r\n00\r\nX: y\r\n\r\nGET";
  assert.deepEqual(await readAll(wire, CHUNKED), { text: "hello!", events: BOTH, rest: "GET" });
});

Deno.test("RequestBody is read once, and its watch hears of it only then", async () => {
  const bytes = new ConnectionBytes(source("hello"));
  let begun = 0;
  const watch = { begin: () => void begun++, end: () => {} };
  const body = new RequestBody(bytes, { kind: "length", bytes: 5 }, watch);
  assert.deepEqual([body.begun, begun], [false, 0]);
  for await (const _ of body);
  for await (const _ of body) assert.fail("read twice");
  assert.deepEqual([body.begun, begun], [true, 1]);
});

const LIES: readonly (readonly [string, Framing])[] = [
  ["hell", { kind: "length", bytes: 5 }],
  ["", CHUNKED],
  ["5\r\nhell", CHUNKED],
  ["5\r\nhello", CHUNKED],
  ["4\r\nhello\r\n0\r\n\r\n", CHUNKED],
  ["\r\n\r\n", CHUNKED],
  ["x\r\n", CHUNKED],
  ["-1\r\n\r\n", CHUNKED],
  ["+1\r\na\r\n0\r\n\r\n", CHUNKED],
  ["0x1\r\na\r\n0\r\n\r\n", CHUNKED],
  [" 1\r\na\r\n0\r\n\r\n", CHUNKED],
  ["1\na\n0\n\n", CHUNKED],
  ["123456789\r\n", CHUNKED],
  [`1;${"x".repeat(2000)}\r\na\r\n0\r\n\r\n`, CHUNKED],
  ["0\r\n", CHUNKED],
  [`0\r\n${"a: b\r\n".repeat(40)}\r\n`, CHUNKED],
];

for (const [wire, framing] of LIES) {
  Deno.test(`RequestBody refuses ${JSON.stringify(wire.slice(0, 40))}`, async () => {
    await assert.rejects(readAll(wire, framing), TypeError);
  });
}

Deno.test("RequestBody reads the same whatever pieces the bytes arrive in", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ minLength: 1, maxLength: 40, unit: "binary-ascii" }), { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (chunks, cuts) => {
        const wire = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("");
        const reading = await readAll(`${wire}0\r\n\r\nGET /`, CHUNKED, cuts);
        assert.deepEqual(reading, { text: chunks.join(""), events: BOTH, rest: "GET /" });
      },
    ),
    { numRuns: 200 },
  ));

Deno.test("ConnectionBytes finds a mark across pieces, and gives up at the limit", async () => {
  const mark = latin1("\r\n\r\n");
  for (let cut = 1; cut <= 8; cut++) {
    const bytes = new ConnectionBytes(source("ab\r\r\n\r\ncd\r\n\r\ne", [cut]));
    const text = async () => String.fromCharCode(...await bytes.takeUntil(mark, 10) as Uint8Array);
    assert.deepEqual([await text(), await text()], ["ab\r", "cd"]);
    assert.equal(await bytes.takeUntil(mark, 10), null);
  }
  for (const cut of [1, 100]) {
    const long = new ConnectionBytes(source(`${"x".repeat(11)}\r\n\r\n`, [cut]));
    assert.equal(await long.takeUntil(mark, 10), "too-long");
  }
});
