import assert from "node:assert/strict";
import { isFaulty, readEnvelope, readToolCall } from "./_rpc_envelope.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

const PARSE_ERRORS: readonly (readonly [string, Uint8Array])[] = [
  ["an empty body", bytes("")],
  ["a torn object", bytes("{nope")],
  ["NaN", bytes('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}')],
  ["Infinity", bytes('{"jsonrpc":"2.0","id":Infinity,"method":"ping"}')],
  ["a byte order mark", bytes('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}')],
  ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
  ["a trailing comma", bytes('{"jsonrpc":"2.0",}')],
];

for (const [what, body] of PARSE_ERRORS) {
  Deno.test(`readEnvelope() refuses ${what} as a parse error`, () => {
    const envelope = readEnvelope(body, false);
    assert.ok(envelope.kind === "refused");
    assert.equal(envelope.fault.status, 400);
    assert.equal(envelope.fault.code, -32700);
    assert.equal(envelope.fault.id, null);
  });
}

const MALFORMED = [
  "[]",
  '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
  '"x"',
  "5",
  "null",
  "{}",
  '{"id":1,"method":"ping"}',
  '{"jsonrpc":"1.0","id":9,"method":"ping"}',
  '{"jsonrpc":2.0,"id":9,"method":"ping"}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"method":5}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":true,"method":"ping"}',
  '{"jsonrpc":"2.0","id":[1],"method":"ping"}',
  '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
];

for (const body of MALFORMED) {
  Deno.test(`readEnvelope() refuses ${body} with each family's own code`, () => {
    for (const [modern, code] of [[false, -32602], [true, -32600]] as const) {
      const envelope = readEnvelope(bytes(body), modern);
      assert.ok(envelope.kind === "refused");
      assert.deepEqual(
        [envelope.fault.status, envelope.fault.code, envelope.fault.id],
        [400, code, null],
      );
    }
  });
}

Deno.test("readEnvelope() drops notifications, posted responses and null ids", () => {
  for (
    const body of [
      '{"jsonrpc":"2.0","method":"notifications/frob"}',
      '{"jsonrpc":"2.0","id":null,"method":"tools/call"}',
      '{"jsonrpc":"2.0","id":77,"result":{}}',
      '{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"x"}}',
    ]
  ) {
    assert.deepEqual(readEnvelope(bytes(body), false), { kind: "notice" }, body);
  }
});

Deno.test("readEnvelope() refuses parameters that are no object under the request's own id", () => {
  for (const params of ["[]", '"x"', "null", "5"]) {
    const body = `{"jsonrpc":"2.0","id":"abc","method":"ping","params":${params}}`;
    const envelope = readEnvelope(bytes(body), false);
    assert.ok(envelope.kind === "refused");
    assert.deepEqual(
      [envelope.fault.status, envelope.fault.code, envelope.fault.id],
      [200, -32602, "abc"],
    );
  }
});

Deno.test("readEnvelope() lets the last of two equal keys win, and keeps __proto__ a key", () => {
  const body = '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping","params":{"__proto__":{"x":1}}}';
  const envelope = readEnvelope(bytes(body), false);
  assert.ok(envelope.kind === "request");
  assert.equal(envelope.request.id, 2);
  assert.deepEqual(Object.keys(envelope.request.params), ["__proto__"]);
});

Deno.test("readToolCall() takes absent and null arguments as none", () => {
  for (const params of [{ name: "a" }, { name: "a", arguments: null }]) {
    const read = readToolCall({ id: 1, method: "tools/call", params });
    assert.deepEqual(read, { name: "a", arguments: {} });
  }
});

Deno.test("readToolCall() refuses what is no call, without a tool result", () => {
  for (
    const params of [
      {},
      { name: null },
      { name: 5 },
      { name: ["a"] },
      { name: "a", arguments: [] },
      { name: "a", arguments: "x" },
      { name: "a", arguments: 0 },
      { name: "a", arguments: false },
    ]
  ) {
    const read = readToolCall({ id: 1, method: "tools/call", params });
    assert.ok(isFaulty(read), JSON.stringify(params));
    assert.deepEqual([read.status, read.code, read.id], [200, -32602, 1]);
  }
});

Deno.test("isFaulty() is not fooled by arguments that look like a fault", () => {
  const params = { name: "a", arguments: { code: 1, message: "x", status: 200 } };
  assert.equal(isFaulty(readToolCall({ id: 1, method: "tools/call", params })), false);
});
