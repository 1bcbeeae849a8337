import assert from "node:assert/strict";
import { type FaultCode, isFault, TheurianError } from "../platform/errors.ts";
import { stateRefusal } from "./_state_refusals.ts";

const refusalOf = (fault: FaultCode, sqlite: number) =>
  stateRefusal(
    new TheurianError(fault, "Cannot read x.sqlite", { remedy: "Wait", details: { sqlite } }),
  ) as TheurianError;

Deno.test("stateRefusal() tells to build again only what is damaged", () => {
  for (const [fault, sqlite] of [["database-unreadable", 11], ["internal", 19]] as const) {
    const damaged = refusalOf(fault, sqlite);
    assert.ok(isFault(damaged, "state-unreadable"));
    assert.match(damaged.remedy, /^Delete \.theurian\/state\/.*theurian migrate apply/);
  }
});

Deno.test("stateRefusal() never tells to delete what the system withholds or another holds", () => {
  const withheld = [
    ["database-unreadable", 14],
    ["database-unreadable", 10],
    ["database-not-writable", 8],
  ] as const;
  for (const [fault, sqlite] of withheld) {
    const refused = refusalOf(fault, sqlite);
    assert.ok(isFault(refused, "state-unreadable"));
    assert.equal(refused.exit, 4);
    assert.match(refused.remedy, /ls -la \.theurian\/state/);
    assert.doesNotMatch(refused.remedy, /[Dd]elete/);
  }
  assert.equal(refusalOf("database-busy", 5).remedy, "Wait");
});
