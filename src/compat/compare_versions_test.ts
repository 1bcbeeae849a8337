import assert from "node:assert/strict";
import { compareVersions } from "./compare_versions.ts";
import { parseCoreVersion, parseDeclaredVersion, type Version } from "./version.ts";

const CHAIN = [
  ..."1.0.0.dev0 1.0.0.dev1 1.0.0.dev10 1.0.0a0.dev0 1.0.0a0 1.0.0a1.dev1 1.0.0a1 1.0.0a2".split(
    " ",
  ),
  ..."1.0.0a10 1.0.0b1.dev0 1.0.0b1 1.0.0rc1.dev3 1.0.0rc1 1.0.0rc2 1.0.0 1.0.1.dev0".split(" "),
  ..."1.0.1 1.1.0a1 1.1.0 2.0.0".split(" "),
];

/** Left is lower. */
const OUTSIDE_THE_TRAIN = [
  ["1.0.0-alpha.1", "1.0.0-cat"],
  ["1.0.0-dev.1", "1.0.0-cat"],
  ["1.0.0-1", "1.0.0-dev.0"],
  ["1.0.0-alpha", "1.0.0-alpha.0.dev.0"],
  ["1.0.0-alpha.0.dev.0", "1.0.0-alpha.0"],
  ["1.0.0-alpha.1.1", "1.0.0-alpha.1"],
  ["1.0.0-dev", "1.0.0-dev.0"],
  ["1.0.0-Alpha.1", "1.0.0-alpha.1"],
  ["1.0.0-rc.1", "1.0.0-rc1"],
  ["1.0.0-dev.1", "1.0.0-beta.1"],
  ["1.0.0-alpha.1.dev.1.x", "1.0.0-alpha.1"],
  ["1.9.0", "1.10.0"],
  ["9007199254740993.0.0", "9007199254740994.0.0"],
  ["99999999999999999999.0.0", "100000000000000000000.0.0"],
];

const core = (text: string): Version => parseCoreVersion(text)!;
const declared = (text: string): Version => parseDeclaredVersion(text)!;

Deno.test("compareVersions() keeps the release train in order", () => {
  for (let i = 0; i < CHAIN.length; i++) {
    for (let j = 0; j < CHAIN.length; j++) {
      const order = compareVersions(core(CHAIN[i]!), core(CHAIN[j]!));
      assert.equal(Math.sign(order), Math.sign(i - j), `${CHAIN[i]} ${CHAIN[j]}`);
    }
  }
});

Deno.test("compareVersions() orders lists that are no train forms as the contract says", () => {
  for (const [lower, higher] of OUTSIDE_THE_TRAIN) {
    assert(compareVersions(declared(lower!), declared(higher!)) < 0, `${lower} ${higher}`);
    assert(compareVersions(declared(higher!), declared(lower!)) > 0, `${lower} ${higher}`);
  }
});

Deno.test("compareVersions() leaves build metadata out", () => {
  assert.equal(compareVersions(declared("1.0.0+a"), declared("1.0.0+b")), 0);
  assert.equal(compareVersions(declared("1.0.0-rc.1+a"), declared("1.0.0-rc.1")), 0);
});
