import assert from "node:assert/strict";
import { CORE_MISSING, judge } from "./verdict.ts";

const VERDICTS = [
  ["0.4.0", "0.4.0", "0.5.0", "compatible"],
  ["0.4.9", "0.4.0", "0.5.0", "compatible"],
  ["0.5.0", "0.4.0", "0.5.0", "core-too-new"],
  ["0.3.9", "0.4.0", "0.5.0", "core-too-old"],
  ["0.5.0rc1", "0.4.0", "0.5.0", "compatible"],
  ["0.5.0.dev0", "0.4.0", "0.5.0", "compatible"],
  ["0.5.0a1", "0.4.0", "0.5.0", "compatible"],
  ["0.5.0.dev0", "0.4.0", "0.5.0-dev.0", "core-too-new"],
  ["0.5.0rc1", "0.4.0", "0.5.0-dev.0", "core-too-new"],
  ["0.4.99", "0.4.0", "0.5.0-dev.0", "compatible"],
  ["0.4.0.dev0", "0.4.0", "0.5.0", "core-too-old"],
  ["0.4.0a1", "0.4.0", "0.5.0", "core-too-old"],
  ["0.4.0rc9", "0.4.0", "0.5.0", "core-too-old"],
  ["0.1.0.dev0", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0.dev1", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0a1", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0a1.dev1", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0b1", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0rc1", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.1.0", "0.1.0-dev.0", "0.2.0", "compatible"],
  ["0.0.9", "0.1.0-dev.0", "0.2.0", "core-too-old"],
  ["0.2.0a3.dev1", "0.2.0-alpha.3", "0.3.0", "core-too-old"],
  ["0.2.0a3", "0.2.0-alpha.3", "0.3.0", "compatible"],
  ["0.2.0a2", "0.2.0-alpha.3", "0.3.0", "core-too-old"],
  ["0.2.0a10", "0.2.0-alpha.3", "0.3.0", "compatible"],
  ["0.2.0b1", "0.2.0-alpha.3", "0.3.0", "compatible"],
  ["0.2.0.dev9", "0.2.0-alpha.3", "0.3.0", "core-too-old"],
  ["0.2.0a4.dev0", "0.2.0-alpha.3", "0.3.0", "compatible"],
  ["0.2.0a3.dev1", "0.2.0-alpha.3.dev.1", "0.3.0", "compatible"],
  ["0.2.0a3.dev0", "0.2.0-alpha.3.dev.1", "0.3.0", "core-too-old"],
  ["0.2.0a3", "0.2.0-alpha.3.dev.1", "0.3.0", "compatible"],
  ["0.2.0b2.dev1", "0.2.0-alpha.1", "0.2.0-beta.2", "compatible"],
  ["0.2.0b2", "0.2.0-alpha.1", "0.2.0-beta.2", "core-too-new"],
  ["0.2.0rc1", "0.2.0-alpha.1", "0.2.0-beta.2", "core-too-new"],
  ["0.2.0.dev5", "0.2.0-alpha.1", "0.2.0-beta.2", "core-too-old"],
  ["1.2", "1.2.0", "2.0.0", "compatible"],
  ["1.2", "1.2.1", "2.0.0", "core-too-old"],
  ["1.2.0a", "1.2.0-alpha.0", "2.0.0", "compatible"],
  ["1.2.0a0.dev5", "1.2.0-alpha.0", "2.0.0", "core-too-old"],
  ["1.2c2", "1.2.0-rc.1", "2.0.0", "compatible"],
  ["1.2.0-RC_4", "1.2.0-rc.3", "2.0.0", "compatible"],
  ["1.10.0", "1.9.0", "2.0.0", "compatible"],
  ["2.0.0rc1", "1.9.0", "2.0.0", "compatible"],
  ["0.10.0", "0.9.0", "0.10.0", "core-too-new"],
  ["0.4.0+local.7", "0.4.0", "0.5.0", "compatible"],
  ["0.5.0+x", "0.4.0", "0.5.0", "core-too-new"],
  ["0.4.0", "0.4.0+meta", "0.5.0", "compatible"],
  ["0.4.0-1", "0.4.0", "0.5.0", "core-too-old"],
  ["0.2.0rc1", "0.2.0-rc1", "0.3.0", "core-too-old"],
  ["0.2.0rc1", "0.2.0-rc", "0.3.0", "compatible"],
  ["0.2.0.dev1", "0.2.0-0", "0.3.0", "compatible"],
  ["0.2.0a0.dev0", "0.2.0-alpha", "0.3.0", "compatible"],
  ["0.4.0-0", "0.4.0-dev.0", "0.5.0", "core-too-old"],
  ["0.4.0-alpha.beta", "0.4.0-alpha.1", "0.5.0", "compatible"],
  ["0.4.0.dev10", "0.4.0-dev.9", "0.5.0", "compatible"],
  ["0.4.0B2", "0.4.0-beta.2", "0.5.0", "compatible"],
  ["0.4rc1.dev2", "0.4.0-rc.1", "0.5.0", "core-too-old"],
  ["0.5.0b3", "0.4.0", "0.5.0-beta.3", "core-too-new"],
  ["0.5.0b3.dev0", "0.4.0", "0.5.0-beta.3", "compatible"],
  ["9.99.99", "9.0.0", "10.0.0-dev.0", "compatible"],
] as const;

const COMMANDS = [
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v1", "0", "compatible"],
  ["0.2.1", "0.5.3", "0.5.4", "theurian/v1", "0", "compatible"],
  ["0.2.1", "0.5.4", "0.6.0", "theurian/v1", "3", "core-too-old"],
  ["0.2.1", "0.4.0", "0.5.3", "theurian/v1", "3", "core-too-new"],
  ["0.2.1", "0.4.0", "0.5.4-dev.0", "theurian/v1", "0", "compatible"],
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v2", "3", "protocol-mismatch"],
  ["0.2.1", "0.6.0", "0.7.0", "theurian/v2", "3", "core-too-old"],
  ["0.2.1", "0.6.0", "0.5.0", "theurian/v1", "2", "invalid-declaration"],
  ["0.2.1", "0.5.0", "0.5.0", "theurian/v1", "2", "invalid-declaration"],
  ["0.2.1", "0.5.0+a", "0.5.0+b", "theurian/v1", "2", "invalid-declaration"],
  ["0.2", "0.5.0", "0.6.0", "theurian/v1", "2", "invalid-declaration"],
  ["0.2.1rc1", "0.5.0", "0.6.0", "theurian/v1", "2", "invalid-declaration"],
  ["v0.2.1", "0.5.0", "0.6.0", "theurian/v1", "2", "invalid-declaration"],
  ["0.2.1", "0.5.0.dev0", "0.6.0", "theurian/v1", "2", "invalid-declaration"],
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v0", "2", "invalid-declaration"],
  ["", "0.5.0", "0.6.0", "theurian/v1", "2", "invalid-declaration"],
  [" 0.2.1 ", " 0.5.0 ", " 0.6.0 ", "theurian/v1", "0", "compatible"],
  ["0.2.1+build.5", "0.5.0", "0.6.0", "theurian/v1", "0", "compatible"],
] as const;

function outcomeOf(
  core: string | null,
  minimum: string,
  ceiling: string,
  declared = "theurian/v1",
  protocol: string | null = "theurian/v1",
) {
  return judge(
    {
      pluginVersion: "0.2.1",
      coreMinimum: minimum,
      coreMaximumExclusive: ceiling,
      protocolVersion: declared,
    },
    { version: core, protocol },
  );
}

Deno.test("judge() decides every worked example", () => {
  for (const [core, minimum, ceiling, outcome] of VERDICTS) {
    assert.equal(
      outcomeOf(core, minimum, ceiling).outcome,
      outcome,
      `${core} ${minimum} ${ceiling}`,
    );
  }
});

Deno.test("judge() decides every command-level example for Core 0.5.3", () => {
  for (
    const [pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion, , outcome] of COMMANDS
  ) {
    const declaration = { pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion };
    const verdict = judge(declaration, { version: "0.5.3", protocol: "theurian/v1" });
    assert.equal(verdict.outcome, outcome, JSON.stringify(declaration));
  }
});

Deno.test("judge() has seven keys, and a remedy exactly when it is not compatible", () => {
  for (const [core, minimum, ceiling] of VERDICTS) {
    const verdict = outcomeOf(core, minimum, ceiling);
    assert.deepEqual(Object.keys(verdict), [
      "outcome",
      "compatible",
      "message",
      "remedy",
      "pluginVersion",
      "coreVersion",
      "protocolVersion",
    ]);
    assert("compatible" in verdict && verdict.message !== "");
    assert.equal(verdict.remedy === "", verdict.compatible);
  }
});

Deno.test("judge() names in each sentence what the reader has to know", () => {
  const text = (verdict: ReturnType<typeof outcomeOf>) => {
    assert("message" in verdict);
    return `${verdict.message} ${verdict.remedy}`;
  };
  for (const part of ["0.4.0", "0.5.0", "new session", "0.3.9"]) {
    assert(text(outcomeOf("0.3.9", "0.4.0", "0.5.0")).includes(part), part);
  }
  for (const part of ["0.2.1", "0.5.0", "0.7.0", "Core was not changed"]) {
    assert(text(outcomeOf("0.7.0", "0.4.0", "0.5.0")).includes(part), part);
  }
  const mismatch = text(outcomeOf("0.4.0", "0.4.0", "0.5.0", "theurian/v2"));
  assert(mismatch.includes("theurian/v1") && mismatch.includes("theurian/v2"));
  assert(text(outcomeOf("0.4.0", "0.4.0", "0.5.0", "theurian/v1", null)).includes("no protocol"));
});

Deno.test("judge() names no upgrade command and never a downgrade", () => {
  const verdicts = [
    outcomeOf("0.3.9", "0.4.0", "0.5.0"),
    outcomeOf("0.7.0", "0.4.0", "0.5.0"),
    outcomeOf("0.4.0", "0.4.0", "0.5.0", "theurian/v2"),
    outcomeOf(null, "0.4.0", "0.5.0"),
  ];
  for (const verdict of verdicts) {
    assert("remedy" in verdict);
    assert(!/theurian upgrade|downgrade/i.test(verdict.remedy));
  }
});

Deno.test("judge() answers core-missing with the installer before the setup command", () => {
  const verdict = outcomeOf(null, "0.4.0", "0.5.0");
  assert("remedy" in verdict && verdict.outcome === "core-missing");
  assert.equal(verdict.coreVersion, null);
  const at = (part: string) => CORE_MISSING.remedy.indexOf(part);
  assert(at("install.sh") > 0 && at("install.sh") < at("/theurian:setup"));
});

Deno.test("judge() takes an unknown protocol for a mismatch, behind the range", () => {
  for (const protocol of [null, ""]) {
    const of = (core: string) => outcomeOf(core, "0.4.0", "0.5.0", "theurian/v1", protocol);
    assert.equal(of("0.4.5").outcome, "protocol-mismatch");
    assert.equal(of("0.3.0").outcome, "core-too-old");
    assert.equal(of("0.6.0").outcome, "core-too-new");
    const verdict = of("0.4.5");
    assert("protocolVersion" in verdict && verdict.protocolVersion === null);
  }
});

Deno.test("judge() shows Core's protocol on a mismatch, never the declared one", () => {
  const verdict = outcomeOf("0.4.0", "0.4.0", "0.5.0", "theurian/v2");
  assert("protocolVersion" in verdict && verdict.protocolVersion === "theurian/v1");
});

Deno.test("judge() reads the protocol to its absolute end", () => {
  for (
    const protocol of [
      "theurian/v0",
      "theurian/v01",
      "Theurian/v1",
      "theurian/v1 ",
      "theurian/v1\n",
      "",
    ]
  ) {
    assert.equal(outcomeOf("0.4.0", "0.4.0", "0.5.0", protocol).outcome, "invalid-declaration");
  }
});

Deno.test("judge() names the first of several faults", () => {
  const error = (values: readonly [string, string, string, string], core = "0.4.0") => {
    const [pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion] = values;
    const verdict = judge(
      { pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion },
      { version: core, protocol: "theurian/v1" },
    );
    assert("error" in verdict);
    assert.deepEqual(Object.keys(verdict), ["outcome", "error"]);
    return verdict.error;
  };
  assert.match(error(["p", "m", "c", "x"]), /"p"/);
  assert.match(error(["1.0.0", "m", "c", "x"]), /"m"/);
  assert.match(error(["1.0.0", "1.0.0", "c", "x"]), /"c"/);
  assert.match(error(["1.0.0", "2.0.0", "1.0.0", "x"]), /1\.0\.0.*2\.0\.0/);
  assert.match(error(["1.0.0", "1.0.0", "2.0.0", "x"], "y"), /"x"/);
  assert.match(error(["1.0.0", "1.0.0", "2.0.0", "theurian/v1"], "y"), /"y"/);
});

Deno.test("judge() cuts and escapes what it repeats", () => {
  const verdict = outcomeOf("0.4.0", `\u001b[2J${"9".repeat(5000)}`, "0.5.0");
  assert("error" in verdict);
  assert(verdict.error.length < 400 && !verdict.error.includes("\u001b"));
});
