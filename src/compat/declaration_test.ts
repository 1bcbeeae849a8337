import assert from "node:assert/strict";
import { declarationOf } from "./declaration.ts";

const GOOD = {
  pluginVersion: "0.2.1",
  coreCompatibility: { minimum: "0.6.0-dev.0", maximumExclusive: "0.7.0" },
  protocolVersion: "theurian/v1",
};

Deno.test("declarationOf() reads the nested bounds", () => {
  assert.deepEqual(declarationOf(GOOD), {
    pluginVersion: "0.2.1",
    coreMinimum: "0.6.0-dev.0",
    coreMaximumExclusive: "0.7.0",
    protocolVersion: "theurian/v1",
  });
});

Deno.test("declarationOf() refuses every other shape and says what is wrong", () => {
  const core = GOOD.coreCompatibility;
  const cases: [unknown, RegExp][] = [
    [null, /mapping/],
    ["x", /mapping/],
    [[GOOD], /mapping/],
    [{ ...GOOD, pluginVersion: undefined, extra: 1 }, /only/],
    [{ coreCompatibility: core, protocolVersion: "theurian/v1" }, /pluginVersion/],
    [{ ...GOOD, extra: 1 }, /only/],
    [{ ...GOOD, coreCompatibility: "0.6.0" }, /coreCompatibility/],
    [{ ...GOOD, coreCompatibility: { minimum: "0.6.0" } }, /maximumExclusive/],
    [{ ...GOOD, coreCompatibility: { ...core, protocolVersion: "theurian/v1" } }, /only/],
    [{ ...GOOD, pluginVersion: 1.1 }, /pluginVersion/],
    [{ ...GOOD, pluginVersion: " 0.2.1" }, /pluginVersion/],
    [{ ...GOOD, coreCompatibility: { ...core, minimum: "0.6.0.dev0" } }, /minimum/],
    [{ ...GOOD, coreCompatibility: { ...core, maximumExclusive: "v0.7.0" } }, /maximumExclusive/],
    [{ ...GOOD, protocolVersion: "theurian/v0" }, /protocolVersion/],
    [{ ...GOOD, protocolVersion: 1 }, /protocolVersion/],
  ];
  for (const [value, reason] of cases) {
    const result = declarationOf(value);
    assert("fault" in result, JSON.stringify(value));
    assert.match(result.fault, reason);
  }
});
