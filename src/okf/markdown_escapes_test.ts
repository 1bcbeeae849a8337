import assert from "node:assert/strict";
import { escapeLabel, escapeListLine } from "./markdown_escapes.ts";

Deno.test("escapeLabel() keeps a label on one line and inside its brackets", () => {
  assert.equal(escapeLabel("x ](u) <b> \\ `"), "x \\](u) \\<b\\> \\\\ \\`");
  assert.equal(escapeLabel("a\r\nb\nc\rd\te\u2028f\u0085g\u2029h"), "a b c d e f g h");
});

Deno.test("escapeListLine() lets no line open a block", () => {
  const cases: [string, string][] = [
    ["- x", "\\- x"],
    ["# y", "\\# y"],
    ["  + z", "  \\+ z"],
    ["*", "\\*"],
    ["=", "\\="],
    ["_a", "\\_a"],
    ["~~~", "\\~~~"],
    ["> q", "\\> q"],
    ["`code", "\\`code"],
    ["1. one", "1\\. one"],
    ["12) two", "12\\) two"],
    ["1.5 is a number", "1\\.5 is a number"],
    ["plain - text", "plain - text"],
    ["", ""],
  ];
  for (const [line, escaped] of cases) assert.equal(escapeListLine(line), escaped);
});
