import assert from "node:assert/strict";
import { parseCoreVersion, parseDeclaredVersion, versionText } from "./version.ts";

const TRANSLATED = [
  ["0.1.0", "0.1.0"],
  ["0.1.0.dev0", "0.1.0-dev.0"],
  ["0.1.0.dev", "0.1.0-dev.0"],
  ["0.1.0.DEV0", "0.1.0-dev.0"],
  ["0.1.0-dev.0", "0.1.0-dev.0"],
  ["0.1.0-dev0", "0.1.0-dev.0"],
  ["0.1.0_dev_0", "0.1.0-dev.0"],
  ["0.2.0a3", "0.2.0-alpha.3"],
  ["0.2.0A3", "0.2.0-alpha.3"],
  ["0.2.0alpha3", "0.2.0-alpha.3"],
  ["0.2.0-alpha.3", "0.2.0-alpha.3"],
  ["0.2.0.alpha.3", "0.2.0-alpha.3"],
  ["0.2.0a3.dev1", "0.2.0-alpha.3.dev.1"],
  ["0.2.0a3dev1", "0.2.0-alpha.3.dev.1"],
  ["0.2.0a3-dev-1", "0.2.0-alpha.3.dev.1"],
  ["0.2.0b1", "0.2.0-beta.1"],
  ["0.2.0beta1", "0.2.0-beta.1"],
  ["0.2.0c1", "0.2.0-rc.1"],
  ["0.2.0RC1", "0.2.0-rc.1"],
  ["0.2.0pre1", "0.2.0-rc.1"],
  ["0.2.0preview1", "0.2.0-rc.1"],
  ["0.2.0-rc1", "0.2.0-rc.1"],
  ["1.2", "1.2.0"],
  ["1.2rc", "1.2.0-rc.0"],
  ["1.2.0a", "1.2.0-alpha.0"],
  ["1.2.dev3", "1.2.0-dev.3"],
  ["1.2.3-rc1.dev2", "1.2.3-rc.1.dev.2"],
  ["1.2.3-alpha", "1.2.3-alpha.0"],
  ["1.2.3-dev", "1.2.3-dev.0"],
  ["1.2.3-cat.1", "1.2.3-cat.1"],
  ["1.2.3+local.1", "1.2.3+local.1"],
  [" 1.2.3 \n", "1.2.3"],
  ["1.2.3-1", "1.2.3-1"],
  ["1.2.3-post1", "1.2.3-post1"],
] as const;

const REFUSED_CORES = [
  ...["1", "1.2.3.4", "1!1.2.3", "1.2.3.post1", "1.2.3.post1.dev2", "1.2.3rev1", "1.2.3r1"],
  ...["1.2.3.dev0+local", "1.2.3rc1+build5", "1.2.3a1+x", "1.2.3+abc_def", "v1.2.3", "01.2.3"],
  ...["1.02.3", "", "dev", "1.2.3-", "1.2.3-a..b", "1.2.3a1b2", "1.2.3dev1a2", "1.2.3..dev1"],
  ...["1.2.3__dev1", "1.2.\u0663", "\ufeff1.2.3", "1.2.3\u200b", "\u180e1.2.3"],
];

const REFUSED_DECLARATIONS = [
  ...["", "1.2", "1", "v1.2.3", "01.2.3", "1.2.3.4", "0.5.0.dev0", "0.2.1rc1", "0.2.1-rc.01"],
  ...["\u0661.2.3", "\ufeff1.2.3", "1.2.3\u200b", "1.2.3-\u00e9", "1.2.3+", "1.2.3-+x"],
];

Deno.test("parseCoreVersion() translates every worked example", () => {
  for (const [reported, canonical] of TRANSLATED) {
    const version = parseCoreVersion(reported);
    assert.equal(version && versionText(version), canonical, reported);
  }
});

Deno.test("parseCoreVersion() drops leading zeros of a pre-release number", () => {
  assert.equal(versionText(parseCoreVersion("1.2.3a01")!), "1.2.3-alpha.1");
  assert.equal(versionText(parseCoreVersion("1.2.3a000")!), "1.2.3-alpha.0");
});

Deno.test("parseCoreVersion() refuses what neither grammar can represent", () => {
  for (const text of REFUSED_CORES) assert.equal(parseCoreVersion(text), null, text);
});

Deno.test("parseDeclaredVersion() refuses everything but strict SemVer", () => {
  for (const text of REFUSED_DECLARATIONS) assert.equal(parseDeclaredVersion(text), null, text);
});

Deno.test("parseDeclaredVersion() trims the contract's white space and no other", () => {
  for (const around of ["\u0085", "\u001c", "\u001f", "\u3000", "\n", "\u2029", "\u00a0"]) {
    assert.equal(versionText(parseDeclaredVersion(`${around}1.2.3${around}`)!), "1.2.3");
  }
});

Deno.test("parseDeclaredVersion() keeps numbers of any length", () => {
  const text = "99999999999999999999.0.0-18446744073709551616";
  assert.equal(versionText(parseDeclaredVersion(text)!), text);
});

Deno.test("parseDeclaredVersion() keeps build metadata", () => {
  assert.equal(versionText(parseDeclaredVersion("0.2.1+build.5")!), "0.2.1+build.5");
});
