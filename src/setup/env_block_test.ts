import assert from "node:assert/strict";
import { TheurianError } from "../platform/errors.ts";
import {
  blockState,
  envBlock,
  findBlock,
  fromBytes,
  isShadowed,
  placeBlock,
  toBytes,
} from "./env_block.ts";

const BLOCK = envBlock("/home/ada/my data/auth/mcp-token");

Deno.test("envBlock() exports the token by reference", () => {
  const lines = BLOCK.split("\n");
  assert.equal(lines[0], "# >>> theurian >>>");
  assert.equal(lines.at(-1), "# <<< theurian <<<");
  assert.ok(lines.includes('THEURIAN_MCP_TOKEN="$(cat "/home/ada/my data/auth/mcp-token")"'));
  assert.ok(lines.includes("export THEURIAN_MCP_TOKEN"));
});

for (const bad of ['/a"b', "/a`id`", "/$(id)", "/a\\b", "/a\nb", "/a\u0007", "/a\u007f"]) {
  Deno.test(`envBlock() refuses ${JSON.stringify(bad)}`, () => {
    assert.throws(() => envBlock(bad), (error) => {
      assert.ok(error instanceof TheurianError);
      assert.equal(error.fault, "data-directory-unusable");
      assert.ok(!error.message.includes(bad));
      return true;
    });
  });
}

const PLACED: readonly (readonly [string, string, string])[] = [
  ["an empty file", "", `${BLOCK}\n`],
  ["a file with a final newline", "a\n", `a\n\n${BLOCK}\n`],
  ["a file without one", "a", `a\n\n${BLOCK}\n`],
  [
    "an old block between lines",
    "a\n# >>> theurian >>>\nold\n# <<< theurian <<<\nb\n",
    `a\n${BLOCK}\nb\n`,
  ],
  ["an old block at the end", "a\n# >>> theurian >>>\n# <<< theurian <<<", `a\n${BLOCK}\n`],
  [
    "carriage returns around",
    "a\r\n# >>> theurian >>>\r\nold\r\n# <<< theurian <<<\r\nb\r\nc",
    `a\r\n${BLOCK}\nb\r\nc\n`,
  ],
  ["an end marker alone", "# <<< theurian <<<\n", `# <<< theurian <<<\n\n${BLOCK}\n`],
  ["an indented marker", " # >>> theurian >>>\n", ` # >>> theurian >>>\n\n${BLOCK}\n`],
];

for (const [what, before, after] of PLACED) {
  Deno.test(`placeBlock() writes into ${what}`, () => {
    const placed = placeBlock(before, BLOCK);
    assert.equal(placed, after);
    assert.equal(blockState(placed, BLOCK), "current");
    assert.equal(placeBlock(placed, BLOCK), placed);
  });
}

Deno.test("placeBlock() keeps every foreign byte, whatever its encoding", () => {
  const bytes = new Uint8Array(512).map((_, i) => i % 256);
  const text = fromBytes(bytes);
  assert.deepEqual(toBytes(text), bytes);
  const placed = placeBlock(text, BLOCK)!;
  assert.ok(placed.startsWith(text));
});

Deno.test("blockState() takes a block with carriage returns for the block", () => {
  assert.equal(blockState(`a\r\n${BLOCK.replaceAll("\n", "\r\n")}\r\n`, BLOCK), "current");
  assert.equal(blockState(BLOCK.replace("export ", "export  "), BLOCK), "outdated");
});

Deno.test("placeBlock() never rewrites markers that do not pair", () => {
  for (
    const text of [
      "# >>> theurian >>>\nx",
      "# <<< theurian <<<\n# >>> theurian >>>\n",
      "# >>> theurian >>>\n# <<< theurian <<<\n# >>> theurian >>>\n# <<< theurian <<<\n",
    ]
  ) {
    assert.deepEqual(findBlock(text), { kind: "malformed" });
    assert.equal(placeBlock(text, BLOCK), null);
    assert.equal(blockState(text, BLOCK), "malformed");
  }
});

Deno.test("isShadowed() finds a later assignment and nothing that only looks like one", () => {
  for (
    const line of [
      "THEURIAN_MCP_TOKEN=x",
      "  THEURIAN_MCP_TOKEN=x cmd",
      "export THEURIAN_MCP_TOKEN=x",
      "export A=1 THEURIAN_MCP_TOKEN=x",
      "declare -x THEURIAN_MCP_TOKEN=x",
      "readonly THEURIAN_MCP_TOKEN=",
    ]
  ) assert.equal(isShadowed(`${BLOCK}\n${line}\n`), true, line);
  for (
    const line of [
      "THEURIAN_MCP_TOKEN_EXTRA=x",
      "export THEURIAN_MCP_TOKEN_EXTRA=x",
      "# THEURIAN_MCP_TOKEN=x",
      "echo THEURIAN_MCP_TOKEN=x",
      "export THEURIAN_MCP_TOKEN",
    ]
  ) assert.equal(isShadowed(`${BLOCK}\n${line}\n`), false, line);
  assert.equal(isShadowed(`THEURIAN_MCP_TOKEN=x\n${BLOCK}\n`), false);
});
