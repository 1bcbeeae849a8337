import assert from "node:assert/strict";
import { documentText, failureText, plainText } from "./render_text.ts";

Deno.test("documentText() prints maps indented, lists as items, in the document's order", () => {
  assert.equal(
    documentText({
      zebra: "z",
      apple: 1,
      yes: true,
      nothing: null,
      empty: "",
      list: ["a", "b"],
      none: [],
      noneMap: {},
      map: { key: "value", deeper: { list: [1] } },
      steps: [{ id: "one", paths: ["p", "q"] }, { id: "two", paths: [] }],
      skipped: undefined,
    }),
    `zebra: z
apple: 1
yes: true
nothing: -
empty:
list:
  - a
  - b
none: (none)
noneMap: (none)
map:
  key: value
  deeper:
    list:
      - 1
steps:
  - id: one
    paths:
      - p
      - q
  - id: two
    paths: (none)
`,
  );
});

Deno.test("documentText() lets no committed text drive the terminal or forge a line", () => {
  const hostile = "a\u001b[2J\nsecond: line\r\t\u007f\u009b31m";
  const text = documentText({ [hostile]: hostile, list: [hostile], map: { x: hostile } });
  const escaped = "a\\x1b[2J\\x0asecond: line\\x0d\\x09\\x7f\\x9b31m";
  assert.equal(text.split("\n").length, 6);
  assert.equal(text.split(escaped).length, 5);
});

Deno.test("documentText() keeps printable text of every script", () => {
  assert.equal(documentText({ title: "日本語 é 😀" }), "title: 日本語 é 😀\n");
});

Deno.test("failureText() is two lines whatever the message holds", () => {
  assert.equal(
    failureText({ error: "Cannot\nread", remedy: "Do\u0007 this" }),
    "error: Cannot\\x0aread\nDo\\x07 this\n",
  );
});

Deno.test("plainText() keeps lines, escapes the rest and ends with one line feed", () => {
  assert.equal(plainText("a\nb\u001b"), "a\nb\\x1b\n");
  assert.equal(plainText("a\n"), "a\n");
});
