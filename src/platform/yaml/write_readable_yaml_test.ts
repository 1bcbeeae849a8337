import assert from "node:assert/strict";
import fc from "fast-check";
import { CORE_SCHEMA, load } from "js-yaml";
import { parseBundleYaml, parseYaml, writeReadableYaml } from "./mod.ts";

const QUOTED = [
  ...["yes", "n", "Y", "off", "NULL", "~", "", "1", "0.2", "1e3", "0o17", "+.5", "1:30", "08"],
  ...["2026-01-01", "2026-1-1 1:00:00", "2026-07-15T10:00:00+09:00", "<<", "=", "1.e5", ".inf"],
  ...["- x", "? x", ": x", "a: b", "a #b", " a", "a ", "#a", "@a", "`a", "%a", "---", "...x"],
  ...["'a", '"a', "&a", "*a", "!a", "|a", ">a", "[a", "{a", ",a", "a:", "0x1f", "1_000"],
];
const PLAIN = [
  ...["ADR-0024", "it's", "a, b (c)", "x:y", "a#b", "é 日本 😀", "\u00a0a", "-x", "?x", "01K1ABC"],
  ...["https://x.example/a?b=c#d", "yesterday", "1.2.3", "nothing", "a'b\"c"],
];

Deno.test("writeReadableYaml() quotes exactly what some reader takes for another thing", () => {
  for (const text of QUOTED) {
    assert.equal(writeReadableYaml({ a: text }), `a: '${text.replaceAll("'", "''")}'\n`);
  }
  for (const text of PLAIN) assert.equal(writeReadableYaml({ a: text }), `a: ${text}\n`);
});

Deno.test("writeReadableYaml() escapes what could end a line or cannot be seen", () => {
  for (const text of ["a\nb", "a\r", "\u0085", "\u2028", "\u2029", "\ufeff", "\u001b[2J", "\t"]) {
    const written = writeReadableYaml({ a: text });
    assert.match(written, /^a: ".*\\.*"\n$/);
    assert.equal(written.split("\n").length, 2);
  }
});

Deno.test("writeReadableYaml() reads back alike, strictly, as a foreign file and as YAML 1.2", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(..."-?:# ,[]{}'\"yn01.+e~=<>|&*!%@`\\\n\t\u0085\u2028"),
      maxLength: 8,
    }),
    fc.constantFrom(...QUOTED, ...PLAIN),
  );
  fc.assert(
    fc.property(text, text, (a, b) => {
      const value = { key: a, list: [b, a], map: { inner: b } };
      const written = writeReadableYaml(value);
      const bytes = new TextEncoder().encode(written);
      const plain = (read: unknown) => JSON.parse(JSON.stringify(read));
      assert.deepEqual(plain(parseYaml(bytes, "x").value), value);
      assert.deepEqual(plain(parseBundleYaml(bytes, "x")), value);
      assert.deepEqual(plain(load(written, { schema: CORE_SCHEMA })), value);
    }),
    { numRuns: 3_000 },
  );
});
