import assert from "node:assert/strict";
import { unifiedDiff } from "./unified_diff.ts";

const LABELS = ["old", "new"] as const;

Deno.test("unifiedDiff() is empty for equal texts", () => {
  assert.equal(unifiedDiff("a\nb", "a\nb", LABELS), "");
});

Deno.test("unifiedDiff() shows three lines around a change and leaves the rest out", () => {
  const lines = (six: string) => ["1", "2", "3", "4", "5", six, "7", "8", "9", "10"].join("\n");
  assert.equal(
    unifiedDiff(lines("6"), lines("six"), LABELS),
    ["--- old", "+++ new", "@@ -3,7 +3,7 @@", " 3", " 4", " 5", "-6", "+six", " 7", " 8", " 9"]
      .join("\n"),
  );
});

Deno.test("unifiedDiff() shows far changes in two parts, and additions alone", () => {
  const before = Array.from({ length: 30 }, (_, i) => `line ${i}`);
  const after = ["first", ...before.slice(0, -1)];
  const diff = unifiedDiff(before.join("\n"), after.join("\n"), LABELS);
  assert.equal(diff.match(/^@@/gm)?.length, 2);
  assert.match(diff, /^\+first$/m);
  assert.match(diff, /^-line 29$/m);
});
