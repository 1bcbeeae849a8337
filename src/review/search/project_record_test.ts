import assert from "node:assert/strict";
import { asExpected, tamperedBytes, tamperedRows } from "../../../tests/support/tampered.ts";
import { EvidenceFault } from "../evidence/fault.ts";
import { parseEvidence } from "../evidence/parse.ts";
import { projectRecord, pullRequestOf } from "./project_record.ts";

Deno.test("projectRecord() gives the golden row of every accepted document", () => {
  let compared = 0;
  for (const row of tamperedRows()) {
    const bytes = tamperedBytes(row);
    if (bytes === null || row.expect !== "accept" || row.row === undefined) continue;
    compared++;
    const projected = projectRecord(parseEvidence(bytes, row.path), row.path);
    const { participants, texts, ...columns } = row.row;
    const actual: Record<string, unknown> = {
      ...projected,
      recordPath: projected.path,
      authorExternalId: projected.author.externalId,
      authorDisplayName: projected.author.displayName,
    };
    for (const [key, value] of Object.entries(columns)) {
      assert.deepEqual(asExpected(actual[key]), value, `${row.id} ${key}`);
    }
    assert.deepEqual(projected.participants.map(asExpected), participants, row.id);
    const shown = texts.filter(([channel]) => channel !== "...");
    const total = texts.find(([channel]) => channel === "...")?.[1] ?? shown.length;
    assert.equal(projected.texts.length, total, row.id);
    assert.deepEqual(
      projected.texts.slice(0, shown.length).map((t) => [t.channel, asExpected(t.content)]),
      shown,
      row.id,
    );
  }
  assert.ok(compared > 50, String(compared));
});

Deno.test("pullRequestOf() reads ASCII digits behind the last number sign, at the very end", () => {
  assert.equal(pullRequestOf("github:acme/widgets#007"), 7n);
  assert.equal(pullRequestOf("a#5#6"), 6n);
  assert.equal(pullRequestOf("#9223372036854775807"), 9223372036854775807n);
  for (const key of ["#7\n", "#-6", "#6x", "#\u0667", "#", "", "7"]) {
    assert.equal(pullRequestOf(key), null, JSON.stringify(key));
  }
  for (const key of ["#0", "#9223372036854775808", "#00000000000000000007"]) {
    assert.throws(() => pullRequestOf(key), EvidenceFault, key);
  }
});
