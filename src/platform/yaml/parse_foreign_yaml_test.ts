import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { parseForeignYaml } from "./parse_foreign_yaml.ts";

const parse = (text: string) => parseForeignYaml(new TextEncoder().encode(text), "api.yaml");
const valueOf = (text: string) => JSON.parse(JSON.stringify(parse(text)));

function refuses(text: string, rule: string): void {
  assert.throws(() => parse(text), (error) => {
    assert.ok(isFault(error, "yaml-invalid"), String(error));
    assert.equal(error.details?.rule, rule);
    return true;
  });
}

Deno.test("parseForeignYaml() takes any root, and null for an empty document", () => {
  assert.deepEqual(["", "# c\n", "[a]\n", "3\n", "text\n"].map(valueOf), [
    null,
    null,
    ["a"],
    3,
    "text",
  ]);
});

Deno.test("parseForeignYaml() takes anchors, aliases and merge keys, own keys first", () => {
  assert.deepEqual(
    valueOf(`
base: &base {a: 1, b: 2}
more: &more {b: 3, c: 4}
one: {<<: *base, b: ~}
two: {<<: [*base, *more], d: 5}
text: &t word
again: [*t, *base]
`),
    {
      base: { a: 1, b: 2 },
      more: { b: 3, c: 4 },
      one: { a: 1, b: null },
      two: { a: 1, b: 2, c: 4, d: 5 },
      text: "word",
      again: ["word", { a: 1, b: 2 }],
    },
  );
});

Deno.test("parseForeignYaml() keeps the last of repeated keys and makes keys texts as written", () => {
  assert.deepEqual(valueOf("a: 1\na: 2\n200: ok\nno: x\n~: y\n1.50: z\n&k 'k': 1\n? *k\n: 2\n"), {
    a: 2,
    200: "ok",
    no: "x",
    "~": "y",
    "1.50": "z",
    k: 2,
  });
});

Deno.test("parseForeignYaml() leaves unknown tags and doubtful numbers as texts", () => {
  assert.deepEqual(
    valueOf("%YAML 1.2\n---\na: !foo 1\nb: 010\nc: 1_0\nd: !!int 5\ne: !x {f: !y [1]}\ng: =\n"),
    { a: "1", b: "010", c: "1_0", d: "5", e: { f: [1] }, g: "=" },
  );
});

Deno.test("parseForeignYaml() takes TABs, odd line ends and duplicate-free prose of other tools", () => {
  assert.deepEqual(valueOf("a:\tx\t# c\nb: [c?]\nd: 'x\u2028y'\n"), {
    a: "x",
    b: ["c?"],
    d: "x\u2028y",
  });
});

Deno.test("parseForeignYaml() refuses a second document, control characters and complex keys", () => {
  refuses("a: 1\n---\nb: 2\n", "documents");
  refuses("a: \u0007\n", "character");
  refuses("? [a]\n: b\n", "key");
  refuses("a: {<<: 3}\n", "merge");
});

Deno.test("parseForeignYaml() refuses aliases without an anchor and of what contains them", () => {
  refuses("a: *x\n", "alias");
  refuses("a: &x [*x]\n", "alias");
  refuses("a: &x {b: *x}\n", "alias");
  refuses("a: &x 1\nb: &x [*x]\n", "alias");
});

Deno.test("parseForeignYaml() stops alias bombs of nodes, texts and depth in milliseconds", () => {
  const doubled = (leaf: string, levels: number) => {
    const lines = [`a0: &a0 ${leaf}`];
    for (let i = 1; i <= levels; i++) lines.push(`a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`);
    return lines.join("\n") + "\n";
  };
  const started = performance.now();
  assert.equal(typeof parse(doubled("x", 10)), "object");
  refuses(doubled("x", 22), "count");
  refuses(doubled("x".repeat(5000), 9), "length");
  const chain = ["a0: &a0 [x]"];
  for (let i = 1; i <= 300; i++) chain.push(`a${i}: &a${i} [*a${i - 1}]`);
  refuses(chain.join("\n"), "nesting");
  const merges = ["a: &a {" + Array.from({ length: 1000 }, (_, i) => `k${i}: 1`).join(", ") + "}"];
  for (let i = 0; i < 100; i++) merges.push(`m${i}: {<<: *a}`);
  refuses(merges.join("\n"), "count");
  refuses(`a: ${"[".repeat(3000)}`, "nesting");
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("parseForeignYaml() takes long literal texts that no alias repeats", () => {
  const text = "x".repeat(3_000_000);
  assert.equal((parse(`a: ${text}\n`) as { a: string }).a.length, text.length);
});
