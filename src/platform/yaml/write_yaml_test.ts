import assert from "node:assert/strict";
import { writeYaml } from "./write_yaml.ts";

Deno.test("writeYaml() writes nested blocks in key order", () => {
  assert.equal(
    writeYaml({
      id: "01M8Q8Y0FP2KKMKHE349KAH0SC",
      createdAt: "2026-11-30T22:23:19+00:00",
      operations: [{ op: "createItem", itemId: "a.b", scope: { paths: ["src/**"] }, labels: [] }],
      none: undefined,
      nothing: null,
    }),
    `id: 01M8Q8Y0FP2KKMKHE349KAH0SC
createdAt: '2026-11-30T22:23:19+00:00'
operations:
- op: createItem
  itemId: a.b
  scope:
    paths:
    - 'src/**'
  labels: []
nothing: null
`,
  );
});

Deno.test("writeYaml() quotes a text that a reader could take for another type", () => {
  for (
    const text of [
      "yes",
      "Off",
      "~",
      "null",
      "1_0",
      "1:30",
      "08",
      "1e5",
      "1E5",
      "0x1F",
      "12e4567",
      "01234567890123456789012345",
      "01234567890123456789E12345",
      "-.5",
      ".inf",
      "2026-01-01",
      "",
      " a",
      "a ",
      "a: b",
      "a #b",
      "- a",
      "#a",
      "&a",
      "*a",
      "!a",
      "%a",
      "@a",
      "`a",
      "a:",
      "[a",
      "{a",
      "?",
      "|",
      ">",
      "=",
      "<<",
      "it's",
      'say "x"',
    ]
  ) {
    assert.match(writeYaml({ t: text }), /^t: ['"]/, JSON.stringify(text));
  }
});

Deno.test("writeYaml() escapes what some readers take for a line end", () => {
  assert.equal(writeYaml({ t: "a\u0085b\u2028c\nd\u{1f600}" }), 't: "a\\u0085b\\u2028c\\nd😀"\n');
});

Deno.test("writeYaml() keeps non-ASCII letters as they are", () => {
  assert.equal(writeYaml({ t: "認証の方針" }), "t: '認証の方針'\n");
});

Deno.test("writeYaml() writes numbers in the form that the 1.1 grammar reads as numbers", () => {
  assert.equal(writeYaml([0.5, 1, 1e-7, 12n]), "- 0.5\n- 1\n- 1.0e-7\n- 12\n");
  assert.equal(writeYaml([-0, 0]), "- -0.0\n- 0\n");
});

Deno.test("writeYaml() refuses a text that no YAML file can hold", () => {
  assert.throws(() => writeYaml({ t: "\ud800" }), RangeError);
});
