import assert from "node:assert/strict";
import { goldenReviewPath, goldenRows } from "../../../tests/support/golden_review.ts";
import type { Evidence } from "../evidence/model.ts";
import { parseEvidence } from "../evidence/parse.ts";
import { FINDINGS_A_RECORD, scanRecord } from "./scan_record.ts";

function golden(file: string): Evidence {
  const row = goldenRows<{ file: string; path: string }>("evidence/records.jsonl")
    .find((one) => one.file === file)!;
  return parseEvidence(Deno.readFileSync(goldenReviewPath(`evidence/records/${file}`)), row.path);
}

const KEY = "AKIA" + "ABCDEFGHIJKLMNOP";
const where = (evidence: Evidence) =>
  scanRecord(evidence).map(({ field, line, column }) => [field, line, column]);

Deno.test("scanRecord() names values in their order, with line and column inside the value", () => {
  const event = golden("event-merged.json");
  assert.ok(event.kind === "pull-request");
  const leaky = {
    ...event,
    record: {
      ...event.record,
      title: `see ${KEY}`,
      body: `one\n😀 ${KEY}`,
      author: { ...event.record.author, displayName: KEY },
      headRefName: KEY,
      labels: ["fine", KEY],
      milestone: KEY,
      url: KEY,
      headCommit: KEY,
    },
  };
  assert.deepEqual(where(leaky), [
    ["title", 1, 5],
    ["body", 2, 3],
    ["author.displayName", 1, 1],
    ["headRefName", 1, 1],
    ["labels[1]", 1, 1],
    ["milestone", 1, 1],
  ]);
  assert.deepEqual(scanRecord(event), []);
});

Deno.test("scanRecord() scans comments, their authors and who resolved, and names the comment", () => {
  const thread = golden("thread-resolved-two-comments.json");
  assert.ok(thread.kind === "review-thread");
  const [first, second] = thread.record.comments;
  const person = { provider: "github", externalId: KEY, displayName: "x" };
  const leaky = {
    ...thread,
    record: {
      ...thread.record,
      externalId: KEY,
      filePath: KEY,
      comments: [first!, { ...second!, author: person }],
      resolution: { ...thread.record.resolution!, resolvedBy: person },
    },
  };
  const found = scanRecord(leaky);
  assert.deepEqual(found.map(({ field, commentId }) => [field, commentId]), [
    ["filePath", null],
    ["comments[1].author.externalId", second!.externalId],
    ["resolution.resolvedBy.externalId", null],
  ]);
  assert.ok(found.every(({ prefix }) => prefix === "AKIA"));
});

Deno.test("scanRecord() takes a long mixed node id for a secret, as for any other value", () => {
  const submission = golden("submission-fraction.json");
  assert.ok(submission.kind === "review-submission");
  const externalId = "U_kgDOaZ9xQ7LmN3pR8sTv2WyB5cE1fG4h";
  const author = { ...submission.record.author, externalId };
  const found = scanRecord({ ...submission, record: { ...submission.record, author } });
  assert.deepEqual(found.map(({ family, field }) => [family, field]), [
    ["high-entropy-token", "author.externalId"],
  ]);
});

Deno.test("scanRecord() stops at twenty findings of a record", () => {
  const submission = golden("submission-fraction.json");
  assert.ok(submission.kind === "review-submission");
  const body = Array.from({ length: 50 }, () => KEY).join(" ");
  const found = scanRecord({ ...submission, record: { ...submission.record, body } });
  assert.equal(found.length, FINDINGS_A_RECORD);
});
