import assert from "node:assert/strict";
import { lineLog } from "./log.ts";

Deno.test("lineLog() writes one JSON object a line and nothing below its level", () => {
  const lines: string[] = [];
  const log = lineLog((line) => lines.push(line), { now: () => 0 });
  log("info", "quiet");
  log("warn", "token-unusable");
  log("error", "tool-defect", "a\nb\u001b[31m\u0085\u2028");
  assert.equal(lines.length, 2);
  assert.deepEqual(JSON.parse(lines[0]!), {
    ts: "1970-01-01T00:00:00.000000+00:00",
    level: "warn",
    event: "token-unusable",
  });
  assert.equal(JSON.parse(lines[1]!).detail, "a\nb\u001b[31m\u0085\u2028");
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(lines[1]!, /[\u0000-\u001f\u007f-\u009f\u2028]/);
});
