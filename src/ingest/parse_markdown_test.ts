import assert from "node:assert/strict";
import { parseMarkdown } from "./parse_markdown.ts";

function outline(text: string) {
  const { structured, ...rest } = parseMarkdown(text, "a.md");
  const { headings, codeFences } = structured as {
    headings: { level: number; text: string; offset: number; line: number }[];
    codeFences: { language: string | null; line: number; characters: number }[];
  };
  return { ...rest, headings, codeFences };
}

Deno.test("parseMarkdown() finds ATX headings with their place", () => {
  const { headings } = outline("# One\n\n😀\n  ### Three ##\n#no\n####### seven\n## C#\n# #\n");
  assert.deepEqual(headings, [
    { level: 1, text: "One", offset: 0, line: 1 },
    { level: 3, text: "Three", offset: 9, line: 4 },
    { level: 2, text: "C#", offset: 42, line: 7 },
  ]);
});

Deno.test("parseMarkdown() skips headings in code fences of every form", () => {
  const { headings, codeFences } = outline(
    "```sh\n# a\n```\n~~~~\n# b\n~~~\n~~~~~\n- x\n  ```\n  # c\n  ```\r\n# d\r\n",
  );
  assert.deepEqual(headings.map(({ text }) => text), ["d"]);
  assert.deepEqual(codeFences, [
    { language: "sh", line: 1, characters: 5 },
    { language: null, line: 4, characters: 9 },
    { language: null, line: 9, characters: 7 },
  ]);
});

Deno.test("parseMarkdown() takes a fence that nothing closes for text", () => {
  const { headings, codeFences } = outline("````\n# a\n```\nx\n```\n# b\n");
  assert.deepEqual(headings.map(({ text }) => text), ["a", "b"]);
  assert.deepEqual(codeFences, [{ language: null, line: 3, characters: 3 }]);
});

Deno.test("parseMarkdown() is linear in openers that nothing closes", () => {
  const start = performance.now();
  outline("~~~x\n".repeat(200_000) + "```\n".repeat(200_000));
  assert(performance.now() - start < 4_000);
});

Deno.test("parseMarkdown() bounds what it keeps", () => {
  const { headings, codeFences } = outline("# h\n".repeat(2_001) + "```\n```\n".repeat(1_001));
  assert.deepEqual([headings.length, codeFences.length], [2_000, 1_000]);
});

Deno.test("parseMarkdown() takes the title from the first level 1, any heading, front matter", () => {
  assert.equal(outline("## Two\n# One\n").title, "One");
  assert.equal(outline("## Two\n### Three\n").title, "Two");
  assert.equal(outline("---\ntitle: Front\n---\ntext\n").title, "Front");
  assert.equal(outline("---\ntitle: Front\n---\n# One\n").title, "One");
  assert.equal(outline("---\ntitle: '  '\n---\ntext\n").title, "Untitled");
  assert.equal(outline("---\ntitle: 12\n---\ntext\n").title, "Untitled");
  assert.equal(outline("").title, "Untitled");
});

Deno.test("parseMarkdown() keeps front matter beside the body, not in it", () => {
  const plain = outline("# One\n\ntext\n");
  const fronted = outline("---\na: 1\n---\n\n# One\n\ntext\n");
  assert.equal(fronted.body, plain.body);
  assert.deepEqual(fronted.headings, plain.headings);
});
