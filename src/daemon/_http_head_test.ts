import assert from "node:assert/strict";
import { latin1 } from "./_testing/raw_http.ts";
import { parseHead, type RequestHead } from "./_http_head.ts";

function read(...lines: readonly string[]): RequestHead {
  const head = parseHead(latin1(lines.join("\r\n")));
  assert.ok(typeof head !== "number", `refused with ${head}`);
  return head;
}

Deno.test("parseHead() reads a request as it was sent", () => {
  const head = read("POST /mcp/../x?y#z HTTP/1.1", "Host: 127.0.0.1:1", "X:  a b \t", "x: c");
  assert.deepEqual([head.method, head.target], ["POST", "/mcp/../x?y#z"]);
  assert.deepEqual([head.headers.get("host"), head.headers.get("x")], ["127.0.0.1:1", "a b, c"]);
  assert.deepEqual(head.framing, { kind: "none" });
  assert.deepEqual([head.keepAlive, head.awaitsContinue], [true, false]);
});

Deno.test("parseHead() knows how the body is counted and whether the client stays", () => {
  const post = "POST / HTTP/1.1";
  assert.deepEqual(read(post, "Content-Length: 007").framing, { kind: "length", bytes: 7 });
  assert.deepEqual(read(post, "Transfer-Encoding: Chunked").framing, { kind: "chunked" });
  const huge = read(post, `Content-Length: ${"9".repeat(400)}`).framing;
  assert.deepEqual(huge, { kind: "length", bytes: Number.MAX_SAFE_INTEGER });
  assert.equal(read(post, "Connection: keep-alive, Close").keepAlive, false);
  assert.equal(read("POST / HTTP/1.0").keepAlive, false);
  assert.equal(read(post, "Expect: 100-Continue").awaitsContinue, true);
});

const GET = "GET / HTTP/1.1\r\n";
const REFUSED: readonly (readonly [string, number])[] = [
  ["", 400],
  ["GARBAGE", 400],
  ["GET /", 400],
  ["GET  / HTTP/1.1", 400],
  ["GET / HTTP/1.1 ", 400],
  [" GET / HTTP/1.1", 400],
  ["GET\t/ HTTP/1.1", 400],
  ["GET /a b HTTP/1.1", 400],
  ["GET /\0 HTTP/1.1", 400],
  ["GET /\u00e9 HTTP/1.1", 400],
  ["GET / http/1.1", 400],
  ["GET / HTTP/1.1.1", 400],
  ["GET / HTTP/11", 400],
  [`${"A".repeat(33)} / HTTP/1.1`, 400],
  ["GET / HTTP/1.1\nHost: x", 400],
  ["GET / HTTP/1.1\rHost: x", 400],
  ["PRI * HTTP/2.0", 505],
  ["GET / HTTP/0.9", 505],
  [`${GET}Host x`, 400],
  [`${GET}Host : x`, 400],
  [`${GET} Host: x`, 400],
  [`${GET}Host: x\r\n folded`, 400],
  [`${GET}: x`, 400],
  [`${GET}H\u00f6st: x`, 400],
  [`${GET}X: a\0b`, 400],
  [`${GET}X: a\nY: b`, 400],
  [`${GET}X: a\rY: b`, 400],
  [`${GET}X: a\u0007b`, 400],
  [`${GET}X: a\u007fb`, 400],
  [`${GET}Content-Length: 1\r\nContent-Length: 1`, 400],
  [`${GET}Content-Length: 1, 1`, 400],
  [`${GET}Content-Length: -1`, 400],
  [`${GET}Content-Length: +1`, 400],
  [`${GET}Content-Length: 1.0`, 400],
  [`${GET}Content-Length: 0x1`, 400],
  [`${GET}Content-Length: 1 1`, 400],
  [`${GET}Content-Length: `, 400],
  [`${GET}Content-Length: 1\r\nTransfer-Encoding: chunked`, 400],
  [`${GET}Transfer-Encoding: chunked\r\ncontent-length: 0`, 400],
  [`GET / HTTP/1.0\r\nTransfer-Encoding: chunked`, 400],
  [`${GET}Transfer-Encoding: gzip, chunked`, 501],
  [`${GET}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked`, 501],
  [`${GET}Transfer-Encoding: xchunked`, 501],
  [`${GET}Transfer-Encoding: chunked;q=1`, 501],
  [GET + Array.from({ length: 101 }, (_, n) => `X-${n}: y`).join("\r\n"), 431],
];

for (const [text, status] of REFUSED) {
  Deno.test(`parseHead() refuses ${JSON.stringify(text.slice(0, 80))} with ${status}`, () => {
    assert.equal(parseHead(latin1(text)), status);
  });
}

Deno.test("parseHead() takes time in proportion to the head, whatever it holds", () => {
  const fills = [" ", "\t", "a", ":", "=,", " x", "\r", "\u00e9"];
  for (const fill of fills) {
    const long = fill.repeat(32_000 / fill.length);
    for (const text of [`GET ${long}`, `${GET}X: ${long}y`, `${GET}X:y${long}y`, `${GET}${long}`]) {
      const before = performance.now();
      parseHead(latin1(text));
      assert.ok(performance.now() - before < 5_000, JSON.stringify(fill));
    }
  }
});
