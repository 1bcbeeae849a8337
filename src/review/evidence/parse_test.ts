import assert from "node:assert/strict";
import { tamperedBytes, tamperedRows } from "../../../tests/support/tampered.ts";
import { projectRecord } from "../search/project_record.ts";
import { cureOf, EvidenceFault } from "./fault.ts";
import { parseEvidence, repositoryOf } from "./parse.ts";

const READING_STEPS: readonly unknown[] = [2, 3, 4, 5, 6, "projection"];

Deno.test("parseEvidence() accepts and rejects every golden document, for the golden reason", () => {
  let compared = 0;
  for (const row of tamperedRows()) {
    const bytes = tamperedBytes(row);
    if (bytes === null || row.step === 1) continue;
    compared++;
    let rule: string | null = null;
    try {
      projectRecord(parseEvidence(bytes, row.path), row.path);
    } catch (error) {
      assert.ok(error instanceof EvidenceFault, `${row.id}: ${error}`);
      rule = error.rule;
      assert.ok(cureOf(error, row.path).length > 20, row.id);
      if (row.field !== undefined) assert.equal(error.field, row.field, row.id);
    }
    assert.equal(rule === null ? "accept" : "reject", row.expect, `${row.id} ${rule}`);
    if (row.rule !== undefined) assert.equal(rule, row.rule, row.id);
    assert.ok(row.step === undefined || READING_STEPS.includes(row.step), row.id);
  }
  assert.ok(compared > 150, String(compared));
});

Deno.test("repositoryOf() reads the name of a broken record and nothing of an unreadable one", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  assert.equal(repositoryOf(bytes('{"repository": "acme/widgets"}')), "acme/widgets");
  assert.equal(repositoryOf(bytes('{"repository": "\\ud800"}')), null);
  assert.equal(repositoryOf(bytes('{"repository": 5}')), null);
  assert.equal(repositoryOf(bytes("{")), null);
});
