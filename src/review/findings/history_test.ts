import assert from "node:assert/strict";
import { goldenRows, messageBytes, type TrailerRow } from "../../../tests/support/golden_review.ts";
import { isFault } from "../../platform/errors.ts";
import { readHistory, splitRecords } from "./history.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const record = (commitSha: string, message: string, gitDate = "2026-01-01T00:00:00+00:00") => ({
  commitSha,
  gitDate,
  message: bytes(message),
});
const D = "\u2014";

Deno.test("readHistory() gives the golden findings and rejections of every message", () => {
  const rows = goldenRows<TrailerRow>("trailers.jsonl");
  assert.equal(rows.length, 94);
  for (const row of rows) {
    const { findings, rejections } = readHistory([
      { commitSha: row.sha, gitDate: row.gitDate, message: messageBytes(row) },
    ]);
    assert.deepEqual(
      findings.map(({ position, reviewer, severity, text }) => ({
        position,
        reviewer,
        severity,
        text,
      })),
      row.expect.findings,
      row.id,
    );
    assert.deepEqual(
      rejections.map((rejection) => ({
        position: rejection.position,
        class: rejection.class,
        rawLine: rejection.rawLine,
      })),
      row.expect.rejected,
      row.id,
    );
    for (const finding of findings) {
      assert.equal(finding.committedAt, row.expect.committedAt, row.id);
      assert.equal(finding.commitSha, row.sha);
    }
    assert.ok(rejections.every(({ reason }) => reason.length > 20), row.id);
  }
});

Deno.test("readHistory() names the bad byte of a message that is not UTF-8", () => {
  const [rejection] = readHistory([{
    commitSha: "a",
    gitDate: "%cI",
    message: new Uint8Array([0x61, 0xc3, 0x28, 0x62]),
  }]).rejections;
  assert.match(rejection!.reason, /0x28 at offset 2/);
  const [cut] =
    readHistory([{ commitSha: "a", gitDate: "", message: new Uint8Array([0x61, 0xe2]) }])
      .rejections;
  assert.match(cut!.reason, /0xe2 at offset 1/);
});

Deno.test("readHistory() sorts by instant, then commit, then line", () => {
  const line = `Review-Finding: security LOW ${D} x`;
  const { findings } = readHistory([
    record("c", `${line}\n${line}`, "2026-01-01T14:00:00+14:00"),
    record("b", line, "2025-12-31T13:00:00-11:00"),
    record("a", line, "2026-01-01T00:00:01Z"),
  ]);
  assert.deepEqual(findings.map((f) => `${f.commitSha}${f.position}`), ["b0", "c0", "c1", "a0"]);
});

Deno.test("readHistory() numbers accepted and rejected lines of a commit on their own", () => {
  const { findings, rejections } = readHistory([record(
    "a",
    [`security HIGH ${D} one`, "bad", `code LOW ${D} two`, "worse"].map((l) =>
      `Review-Finding: ${l}`
    )
      .join("\n"),
  )]);
  assert.deepEqual(findings.map((f) => [f.position, f.text]), [[0, "one"], [1, "two"]]);
  assert.deepEqual(rejections.map((r) => [r.position, r.rawLine]), [
    [0, "Review-Finding: bad"],
    [1, "Review-Finding: worse"],
  ]);
});

Deno.test("splitRecords() keeps empty messages and tolerates one empty token at the end", () => {
  assert.equal(splitRecords(bytes("s1\0d1\0\0s2\0d2\0m2")).length, 2);
  assert.equal(splitRecords(bytes("s1\0d1\0m1\0")).length, 1);
  assert.deepEqual(splitRecords(bytes("s1\0d1\0")).map((r) => r.message.length), [0]);
});

Deno.test("splitRecords() refuses a count that is no multiple of three and headers that are not UTF-8", () => {
  for (
    const output of [
      bytes("s1\0d1"),
      bytes("s1\0d1\0m1\0x"),
      new Uint8Array([0xff, 0, 0x61, 0, 0x61]),
    ]
  ) {
    assert.throws(
      () => splitRecords(output),
      (error) => isFault(error, "process-failed") && error.exit === 1,
    );
  }
});

Deno.test("splitRecords() lets no other separator forge a record", () => {
  const forged = "m\x1es9\x1fd9\x1em9\n";
  assert.deepEqual(splitRecords(bytes(`s1\0d1\0${forged}`)).map((r) => r.commitSha), ["s1"]);
});
