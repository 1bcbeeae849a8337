/**
 * Bodies that try to crash, confuse, swell or slow a reader of JSON. `CANARY` stands where a value
 * must not be repeated.
 *
 * @module
 */

/** A value that no answer and no log line may repeat. */
export const CANARY = "canary-5f1c0de";

/** One body, and what makes it hostile. */
export interface Payload {
  readonly what: string;
  readonly body: string | Uint8Array;
}

const call = (args: string, name = '"knowledge.search"') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${args}}}`;
const method = (name: string, params = "{}", id = "1") =>
  `{"jsonrpc":"2.0","id":${id},"method":${name},"params":${params}}`;
const search = (more: string) => call(`{"projectId":"demo","query":"retry"${more}}`);
const nested = (depth: number, open: string, close: string, core = "1") =>
  open.repeat(depth) + core + close.repeat(depth);
const list = (depth: number) => nested(depth, "[", "]");
const map = (depth: number) => nested(depth, '{"a":', "}");

const ODD_KEYS = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "then"],
  ...["toJSON", "length", "", " ", "\\u0000", "\\ud800", "\\u202e", "\\u001b[2J", "$ref", "_meta"],
];

const ODD_VALUES: readonly (readonly [string, string])[] = [
  ["NUL", `"\\u0000${CANARY}"`],
  ["a lone surrogate", `"\\ud800${CANARY}\\udc00\\udfff"`],
  ["an escape sequence", `"\\u001b]0;${CANARY}\\u0007"`],
  ["a right-to-left override", `"\\u202e${CANARY}"`],
  ["a huge integer", "99999999999999999999999999999999"],
  ["an endless number", "1e400"],
  ["a tiny number", "1e-400"],
  ["minus zero", "-0"],
  ["a fraction", "5.5"],
  ["the bound of 53 bits", "9007199254740993"],
  ["true", "true"],
  ["null", "null"],
  ["a list", `["${CANARY}"]`],
  ["a map", `{"${CANARY}":1}`],
  ["deep lists", list(60_000)],
  ["deep maps", map(60_000)],
  ["a long word", `"${"k".repeat(3_000_000)}"`],
  ["emoji", `"${"🦀".repeat(2001)}"`],
  ["operators of a parser", `"${CANARY}\\" OR * NEAR( AND NOT ) {} ^ : -- ; DROP"`],
  ["wild cards", `"%_\\\\%${CANARY}"`],
  ["a path", `"../../../../etc/passwd${CANARY}"`],
];

const KEYS = ["projectId", "query", "limit", "maxTokens", "asOf", "agentId", "snapshotId"];

/** Every argument of a search with every odd value, and every odd key anywhere. */
function arguments_(): Payload[] {
  const values = KEYS.flatMap((key) =>
    ODD_VALUES.map(([what, value]) => ({
      what: `${what} as ${key}`,
      body: search(`,"${key}":${value}`),
    }))
  );
  const keys = ODD_KEYS.flatMap((key) => [
    { what: `the key "${key}" in arguments`, body: search(`,"${key}":"${CANARY}"`) },
    { what: `the key "${key}" twice`, body: search(`,"${key}":1,"${key}":"${CANARY}"`) },
    { what: `"${key}" as a tool`, body: call(`{"x":"${CANARY}"}`, `"${key}"`) },
    { what: `"${key}" as a method`, body: method(`"${key}"`, `{"x":"${CANARY}"}`) },
    { what: `"${key}" as a project`, body: call(`{"projectId":"${key}","query":"q"}`) },
    {
      what: `"${key}" as an item`,
      body: call(`{"projectId":"demo","itemId":"${key}"}`, '"knowledge.get"'),
    },
    {
      what: `"${key}" deep in a document`,
      body: call(
        `{"projectId":"demo","document":{"${key}":{"${key}":"${CANARY}"}},"evidence":{}}`,
        '"knowledge.generateMigrationDraft"',
      ),
    },
    {
      what: `a polluting "${key}"`,
      body: search(`,"${key}":{"isAdmin":true,"sensitivity":"restricted"}`),
    },
  ]);
  return [...values, ...keys];
}

const ENVELOPES: readonly Payload[] = [
  { what: "nothing", body: "" },
  { what: "a blank", body: " " },
  { what: "null", body: "null" },
  { what: "a number", body: "1" },
  { what: "a text", body: `"${CANARY}"` },
  { what: "an empty batch", body: "[]" },
  { what: "a batch", body: `[${method('"ping"')},${search("")}]` },
  { what: "a batch of ten thousand", body: `[${Array(10_000).fill(method('"ping"'))}]` },
  { what: "a batch in a batch", body: `[[${method('"ping"')}]]` },
  { what: "two messages", body: method('"ping"') + method('"ping"') },
  { what: "a message and a line", body: `${method('"ping"')}\n${CANARY}` },
  { what: "single quotes", body: "{'jsonrpc':'2.0'}" },
  { what: "a comment", body: `/*${CANARY}*/${method('"ping"')}` },
  { what: "a trailing comma", body: '{"jsonrpc":"2.0","id":1,"method":"ping",}' },
  { what: "NaN", body: method('"ping"', '{"x":NaN}') },
  { what: "Infinity", body: method('"ping"', '{"x":-Infinity}') },
  { what: "a torn text", body: `{"jsonrpc":"2.0","id":1,"method":"${CANARY}` },
  { what: "deep lists", body: list(200_000) },
  { what: "deep maps", body: map(200_000) },
  { what: "deep lists that never close", body: "[".repeat(1_000_000) },
  { what: "deep maps that never close", body: '{"a":'.repeat(1_000_000) },
  { what: "deep params", body: method('"ping"', `{"x":${list(100_000)}}`) },
  { what: "a deep _meta", body: method('"tools/list"', `{"_meta":{"x":${map(50_000)}}}`) },
  { what: "a deep id", body: method('"ping"', "{}", list(50_000)) },
  { what: "a wide map", body: method('"ping"', wide(300_000)) },
  { what: "a wide map of arguments", body: call(wide(150_000)) },
  { what: "a long list", body: search(`,"x":[${"0,".repeat(1_000_000)}0]`) },
  { what: "a long number", body: method('"ping"', `{"x":${"9".repeat(1_000_000)}}`) },
  { what: "a long fraction", body: method('"ping"', `{"x":0.${"9".repeat(1_000_000)}}`) },
  { what: "a million escapes", body: search(`,"x":"${"\\u0041".repeat(1_000_000)}"`) },
  { what: "an id of NUL", body: method('"ping"', "{}", '"\\u0000"') },
  { what: "a long id", body: method('"ping"', "{}", `"${"i".repeat(100_000)}"`) },
  { what: "a huge id", body: method('"ping"', "{}", "99999999999999999999") },
  { what: "a fraction as id", body: method('"ping"', "{}", "1.5") },
  { what: "a list as id", body: method('"ping"', "{}", `["${CANARY}"]`) },
  { what: "a map as id", body: method('"ping"', "{}", '{"__proto__":1}') },
  { what: "a number as method", body: method("5") },
  { what: "a list as method", body: method(`["${CANARY}"]`) },
  { what: "a long method", body: method(`"${"m".repeat(1_000_000)}"`) },
  { what: "params that are a list", body: method('"ping"', `["${CANARY}"]`) },
  { what: "arguments that are a text", body: call(`"${CANARY}"`) },
  { what: "a version of another kind", body: `{"jsonrpc":2.0,"id":1,"method":"ping"}` },
  { what: "a posted answer", body: `{"jsonrpc":"2.0","id":1,"result":{"x":"${CANARY}"}}` },
  { what: "a posted error", body: `{"jsonrpc":"2.0","id":1,"error":{"message":"${CANARY}"}}` },
  { what: "the method twice", body: '{"jsonrpc":"2.0","id":1,"method":"x","method":"ping"}' },
  { what: "the id twice", body: '{"jsonrpc":"2.0","id":2,"method":"ping","id":1}' },
  { what: "the params twice", body: `${method('"ping"').slice(0, -1)},"params":{"x":1}}` },
  { what: "an own prototype", body: `{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":1}` },
  { what: "a byte order mark", body: `\ufeff${method('"ping"')}` },
  { what: "bytes beyond UTF-8", body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) },
  { what: "an overlong slash", body: new Uint8Array([0x22, 0xc0, 0xaf, 0x22]) },
  { what: "a surrogate in UTF-8", body: new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]) },
  { what: "UTF-16", body: utf16(method('"ping"')) },
  { what: "bytes of NUL", body: new Uint8Array(100_000) },
];

function wide(keys: number): string {
  return `{${Array.from({ length: keys }, (_, n) => `"k${n}":${n}`).join(",")}}`;
}

function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
}

/** All of them. */
export const PAYLOADS: readonly Payload[] = [...ENVELOPES, ...arguments_()];
