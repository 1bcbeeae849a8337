import assert from "node:assert/strict";
import { splitFrontMatter } from "./front_matter.ts";

const split = (text: string) => splitFrontMatter(text, "a.md");
const codes = (text: string) => split(text).warnings.map((warning) => warning.code);

Deno.test("splitFrontMatter() cuts the block and the blank lines behind it", () => {
  const { body, mapping, warnings } = split("---\ntitle: T\n---  \n\n \t\n# H\n\ntext\n");
  assert.equal(body, "# H\n\ntext\n");
  assert.deepEqual({ ...mapping }, { title: "T" });
  assert.deepEqual(warnings, []);
});

Deno.test("splitFrontMatter() reads CRLF lines and keeps them in the body", () => {
  const { body, mapping } = split("---\r\ntitle: T\r\n---\r\n\r\ntext\r\n");
  assert.equal(body, "text\r\n");
  assert.equal(mapping?.["title"], "T");
});

Deno.test("splitFrontMatter() leaves a text without a whole block alone", () => {
  for (
    const text of [
      "",
      "---",
      "---\n---\nbody",
      "---\ntitle: T\nbody",
      " ---\ntitle: T\n---\nbody",
      "\n---\ntitle: T\n---\nbody",
      "---- \ntitle: T\n---\nbody",
      "---\ntitle: T\n--- text\nbody",
    ]
  ) {
    assert.deepEqual(split(text), { body: text, mapping: null, warnings: [] }, text);
  }
});

Deno.test("splitFrontMatter() ignores a block that is no mapping, and still cuts it", () => {
  assert.deepEqual(codes("---\n- a\n---\nbody"), ["front-matter-not-a-mapping"]);
  assert.deepEqual(codes("---\n\n---\nbody"), ["front-matter-not-a-mapping"]);
  assert.deepEqual(codes("---\na: [\n---\nbody"), ["front-matter-unparseable"]);
  assert.equal(split("---\na: [\n---\nbody").body, "body");
});

Deno.test("splitFrontMatter() names each field that a migration governs, as it is written", () => {
  const { warnings, mapping } = split(
    "---\nstatus: x\nOwner: y\nTrust_Level: z\nlabels: []\n---\n",
  );
  assert.deepEqual(warnings.map(({ code, location }) => [code, location]), [
    ["front-matter-governed-field", "frontMatter.status"],
    ["front-matter-governed-field", "frontMatter.Owner"],
    ["front-matter-governed-field", "frontMatter.Trust_Level"],
  ]);
  assert(warnings.every(({ message }) => message.startsWith("a.md: ")));
  assert.equal(mapping?.["status"], "x");
});
