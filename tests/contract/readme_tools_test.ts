import assert from "node:assert/strict";
import { TOOLS } from "../../src/mcp/mod.ts";

Deno.test("README.md lists the tools that are served, each once and no other", () => {
  const readme = Deno.readTextFileSync(new URL("../../README.md", import.meta.url));
  const rows = [...readme.matchAll(/^\| `([a-z]+\.[A-Za-z]+)` +\| (.+?) +\|$/gm)];
  assert.deepEqual(rows.map(([, name]) => name).sort(), TOOLS.map(({ name }) => name).sort());
  for (const tool of TOOLS.filter(({ lane }) => lane === "draft")) {
    const [, , does] = rows.find(([, name]) => name === tool.name)!;
    assert.match(does!, /^drafts .*(?:proposal)$/, tool.name);
  }
});
