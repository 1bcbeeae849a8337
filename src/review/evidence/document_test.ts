import assert from "node:assert/strict";
import { goldenReviewPath, goldenRows } from "../../../tests/support/golden_review.ts";
import { anchorLines, evidenceText } from "./document.ts";
import type { Evidence } from "./model.ts";
import { parseEvidence } from "./parse.ts";

interface RecordRow {
  readonly file: string;
  readonly path: string;
}

Deno.test("evidenceText() writes every golden record byte for byte", () => {
  const rows = goldenRows<RecordRow>("evidence/records.jsonl");
  assert.equal(rows.length, 12);
  for (const row of rows) {
    const bytes = Deno.readFileSync(goldenReviewPath(`evidence/records/${row.file}`));
    const text = evidenceText(parseEvidence(bytes, row.path));
    assert.equal(text, new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), row.file);
  }
});

Deno.test("evidenceText() writes a 64-bit number with all its digits", () => {
  const row = goldenRows<RecordRow>("evidence/records.jsonl")[0]!;
  const bytes = Deno.readFileSync(goldenReviewPath(`evidence/records/${row.file}`));
  const evidence = parseEvidence(bytes, row.path);
  assert.ok(evidence.kind === "pull-request");
  const huge: Evidence = {
    ...evidence,
    record: { ...evidence.record, number: 9223372036854775807n },
  };
  const text = evidenceText(huge);
  assert.match(text, /"number": 9223372036854775807,/);
  assert.match(text, /"recordKey": "9223372036854775807",/);
});

Deno.test("evidenceText() refuses an unpaired surrogate wherever it stands", () => {
  const row = goldenRows<RecordRow>("evidence/records.jsonl")[0]!;
  const bytes = Deno.readFileSync(goldenReviewPath(`evidence/records/${row.file}`));
  const evidence = parseEvidence(bytes, row.path);
  assert.ok(evidence.kind === "pull-request");
  const broken = { ...evidence, record: { ...evidence.record, labels: ["a", "\ud800"] } };
  assert.throws(() => evidenceText(broken), RangeError);
});

Deno.test("anchorLines() drops what is no line and turns an end alone into the start", () => {
  const cases: [number | null, number | null, number | null, number | null][] = [
    [3, 5, 3, 5],
    [5, 3, 5, null],
    [null, 4, 4, null],
    [4, null, 4, null],
    [0, 4, 4, null],
    [4, 0, 4, null],
    [4, 4, 4, 4],
    [null, null, null, null],
    [-1, -2, null, null],
  ];
  for (const [start, line, lineStart, lineEnd] of cases) {
    assert.deepEqual(anchorLines(start, line), { lineStart, lineEnd }, `${start}/${line}`);
  }
});
