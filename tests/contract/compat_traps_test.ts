/**
 * Every trap of compat.md section 12 and every command-level example of 9.4, through the command
 * line.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { PermissionRow } from "../../src/cli/command.ts";
import { NO_PERMISSIONS, READ_FILES } from "../../src/cli/permission_rows.ts";
import { judge } from "../../src/compat/mod.ts";
import { runForTest, type TestWorld } from "../../src/cli/test_world.ts";

interface Asked {
  readonly core?: string;
  readonly plugin?: string;
  readonly minimum?: string;
  readonly ceiling?: string;
  readonly protocol?: string;
  readonly more?: readonly string[];
}

const VERDICT_KEYS = [
  ...["compatible", "coreVersion", "message", "outcome", "pluginVersion", "protocolVersion"],
  "remedy",
];

function argumentsOf(asked: Asked): string[] {
  const { core = "0.4.0", plugin = "0.2.1", minimum = "0.4.0", ceiling = "0.5.0" } = asked;
  return [
    ...["compat", "check", "--plugin-version", plugin, "--core-minimum", minimum],
    ...["--core-maximum-exclusive", ceiling, "--protocol-version", asked.protocol ?? "theurian/v1"],
    ...["--core-version", core, ...asked.more ?? []],
  ];
}

/** Asks with `--json` and checks what holds for every answer on stdout. */
async function check(asked: Asked = {}, world: TestWorld = {}) {
  const { exit, stdout, stderr } = await runForTest([...argumentsOf(asked), "--json"], world);
  assert.equal(stderr, "");
  const document = JSON.parse(stdout);
  const { outcome } = document;
  const malformed = outcome === "invalid-declaration";
  assert.deepEqual(Object.keys(document), malformed ? ["error", "outcome"] : VERDICT_KEYS);
  assert.equal(exit, malformed ? 2 : outcome === "compatible" ? 0 : 3);
  if (!malformed) assert.equal(document.remedy === "", outcome === "compatible");
  return document;
}

const outcomeOf = async (asked: Asked) => (await check(asked)).outcome;

type Row = readonly [asked: Asked, outcome: string];

/** Traps that one verdict each shows. */
const VERDICTS: Readonly<Record<string, readonly Row[]>> = {
  "1: a ceiling of a release admits its pre-releases, and -dev.0 shuts them out": [
    ...["0.5.0.dev0", "0.5.0a1", "0.5.0rc1"].flatMap((core): Row[] => [
      [{ core }, "compatible"],
      [{ core, ceiling: "0.5.0-dev.0" }, "core-too-new"],
    ]),
  ],
  "2: a minimum of a release refuses its pre-releases, and -dev.0 admits them": [
    [{ core: "0.4.0rc9" }, "core-too-old"],
    [{ core: "0.4.0rc9", minimum: "0.4.0-dev.0" }, "compatible"],
    [{ core: "0.4.0.dev0", minimum: "0.4.0-dev.0" }, "compatible"],
  ],
  "3: dev sorts below alpha": [
    [{ core: "0.4.0.dev9", minimum: "0.4.0-alpha.0" }, "core-too-old"],
    [{ core: "0.4.0a0", minimum: "0.4.0-dev.9" }, "compatible"],
  ],
  "4: a development build of a pre-release sorts below it": [
    [{ core: "0.4.0a3.dev1", minimum: "0.4.0-alpha.3" }, "core-too-old"],
    [{ core: "0.4.0a3", minimum: "0.4.0-alpha.3.dev.1" }, "compatible"],
  ],
  "5: numbers compare as numbers, beyond 2^53 too": [
    [{ core: "0.4.0a10", minimum: "0.4.0-alpha.3" }, "compatible"],
    [{ core: "1.10.0", minimum: "1.9.0", ceiling: "2.0.0" }, "compatible"],
    [{
      core: "9007199254740993.0.0",
      minimum: "9007199254740992.0.0",
      ceiling: `${"9".repeat(40)}.0.0`,
    }, "compatible"],
    [{
      core: "9007199254740992.0.0",
      minimum: "9007199254740993.0.0",
      ceiling: `${"9".repeat(40)}.0.0`,
    }, "core-too-old"],
  ],
  "6: rc1 is a phase in a Core's version and one opaque word in a bound": [
    [{ core: "0.2.0rc1", minimum: "0.2.0-rc1" }, "core-too-old"],
    [{ core: "0.2.0-rc1", minimum: "0.2.0-rc.1" }, "compatible"],
  ],
  "7: leading zeros of a pre-release number do not count": [
    [{ core: "0.4.0a01", minimum: "0.4.0-alpha.1" }, "compatible"],
    [{ core: "0.4.0a01", minimum: "0.4.0-dev.0", ceiling: "0.4.0-alpha.1" }, "core-too-new"],
  ],
  "8: a minimum of -alpha without a number admits every alpha": [
    [{ core: "0.4.0a0.dev0", minimum: "0.4.0-alpha" }, "compatible"],
    [{ core: "0.4.0a0", minimum: "0.4.0-alpha" }, "compatible"],
  ],
  "9: an implicit post release reads as pre-release 1": [
    [{ core: "0.4.0-1" }, "core-too-old"],
  ],
  "10: bounds that are equal up to build metadata are malformed": [
    [{ minimum: "0.5.0", ceiling: "0.5.0" }, "invalid-declaration"],
    [{ minimum: "0.5.0+a", ceiling: "0.5.0+b" }, "invalid-declaration"],
    [{ minimum: "0.5.0", ceiling: "0.4.0" }, "invalid-declaration"],
  ],
  "11: out of range with another protocol reports the range": [
    [{ core: "0.3.0", protocol: "theurian/v2" }, "core-too-old"],
    [{ core: "0.6.0", protocol: "theurian/v2" }, "core-too-new"],
  ],
  "14: the plugin's version decides nothing, but a bad one is malformed": [
    [{ plugin: "0.0.0" }, "compatible"],
    [{ plugin: "99.0.0-rc.1+b" }, "compatible"],
    [{ plugin: "0.2" }, "invalid-declaration"],
  ],
  "16: white space is forgiven around a version and not around the protocol": [
    [
      { plugin: " 0.2.1\n", minimum: "\t0.4.0 ", ceiling: " 0.5.0 ", core: " 0.4.0 " },
      "compatible",
    ],
    [{ protocol: "theurian/v1 " }, "invalid-declaration"],
    [{ protocol: "theurian/v1\n" }, "invalid-declaration"],
    [{ protocol: " theurian/v1" }, "invalid-declaration"],
  ],
  "19: case matters in SemVer and not in PEP 440": [
    [{ core: "0.4.0ALPHA1", minimum: "0.4.0-alpha.1" }, "compatible"],
    [{ core: "0.4.0a9", minimum: "0.4.0-Alpha.1" }, "compatible"],
    [{ core: "0.4.0.dev9", minimum: "0.4.0-Alpha.1" }, "core-too-old"],
    [{ protocol: "Theurian/v1" }, "invalid-declaration"],
  ],
  "21: U+0085 and U+3000 are forgiven, U+FEFF and U+200B are not": [
    [{ minimum: "\u00850.4.0\u3000" }, "compatible"],
    [{ minimum: "\ufeff0.4.0" }, "invalid-declaration"],
    [{ minimum: "0.4.0\u200b" }, "invalid-declaration"],
    [{ minimum: "\u180e0.4.0" }, "invalid-declaration"],
  ],
};

for (const [trap, rows] of Object.entries(VERDICTS)) {
  Deno.test(`compat trap ${trap}`, async () => {
    for (const [asked, outcome] of rows) {
      assert.equal(await outcomeOf(asked), outcome, JSON.stringify(asked));
    }
  });
}

Deno.test("compat trap 12: a mismatch shows Core's protocol, not the declared one", async () => {
  const { protocolVersion, message } = await check({ protocol: "theurian/v2" });
  assert.equal(protocolVersion, "theurian/v1");
  assert(message.includes("theurian/v1") && message.includes("theurian/v2"));
});

Deno.test("compat trap 13: malformed is a document on stdout, a missing flag is text on stderr", async () => {
  assert.equal((await check({ plugin: "x" })).outcome, "invalid-declaration");
  const line = argumentsOf({});
  line.splice(line.indexOf("--core-minimum"), 2);
  const { exit, stdout, stderr } = await runForTest(line);
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.match(stderr, /--core-minimum/);
});

Deno.test("compat trap 15: a remedy is the empty text exactly when compatible", async () => {
  assert.equal((await check()).remedy, "");
  for (const core of ["0.3.0", "0.9.0"]) assert.notEqual((await check({ core })).remedy, "");
});

Deno.test("compat trap 17: a control character comes out escaped", async () => {
  for (const asked of [{ plugin: "\u001b[2J" }, { protocol: "\u009b\r" }, { core: "\u007f" }]) {
    const { exit, stdout } = await runForTest(argumentsOf(asked));
    assert.equal(exit, 2);
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(stdout), JSON.stringify(stdout));
    assert.match(stdout, /\\x(?:1b|9b|7f)/);
  }
});

Deno.test("compat trap 18: it works outside a repository, without a home, and makes nothing", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-compat-" });
  try {
    await check({}, { cwd: folder, environment: { HOME: folder } });
    await check({}, { cwd: folder, environment: { HOME: join(folder, "absent") } });
    await check({}, { cwd: folder, environment: {} });
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("compat trap 20: a Core that reports no protocol is a mismatch", () => {
  const declaration = {
    pluginVersion: "0.2.1",
    coreMinimum: "0.4.0",
    coreMaximumExclusive: "0.5.0",
    protocolVersion: "theurian/v1",
  };
  for (const protocol of [null, ""]) {
    const verdict = judge(declaration, { version: "0.4.0", protocol });
    assert.equal(verdict.outcome, "protocol-mismatch");
    assert("protocolVersion" in verdict && verdict.protocolVersion === null);
  }
});

Deno.test("compat trap 22: the last of a repeated flag counts, and nothing is abbreviated", async () => {
  assert.equal(
    await outcomeOf({ minimum: "nonsense", more: ["--core-minimum", "0.4.0"] }),
    "compatible",
  );
  assert.equal(await outcomeOf({ more: ["--core-minimum", "x"] }), "invalid-declaration");
  const line = argumentsOf({}).map((word) => word === "--plugin-version" ? "--plug" : word);
  const { exit, stdout } = await runForTest(line);
  assert.deepEqual([exit, stdout], [2, ""]);
});

Deno.test("compat trap 23: a Core that cannot be represented is named, behind a bad minimum", async () => {
  const { error } = await check({ core: "1.2.3.post1" });
  assert(error.includes("1.2.3.post1"));
  const both = await check({ core: "1.2.3.post1", minimum: "worse" });
  assert(both.error.includes("worse") && !both.error.includes("post1"));
});

/** Plugin, minimum, ceiling, protocol; Core is 0.5.3. Compat.md 9.4. */
const COMMANDS = [
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v1", "compatible"],
  ["0.2.1", "0.5.3", "0.5.4", "theurian/v1", "compatible"],
  ["0.2.1", "0.5.4", "0.6.0", "theurian/v1", "core-too-old"],
  ["0.2.1", "0.4.0", "0.5.3", "theurian/v1", "core-too-new"],
  ["0.2.1", "0.4.0", "0.5.4-dev.0", "theurian/v1", "compatible"],
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v2", "protocol-mismatch"],
  ["0.2.1", "0.6.0", "0.7.0", "theurian/v2", "core-too-old"],
  ["0.2.1", "0.6.0", "0.5.0", "theurian/v1", "invalid-declaration"],
  ["0.2.1", "0.5.0", "0.5.0", "theurian/v1", "invalid-declaration"],
  ["0.2.1", "0.5.0+a", "0.5.0+b", "theurian/v1", "invalid-declaration"],
  ["0.2", "0.5.0", "0.6.0", "theurian/v1", "invalid-declaration"],
  ["0.2.1rc1", "0.5.0", "0.6.0", "theurian/v1", "invalid-declaration"],
  ["v0.2.1", "0.5.0", "0.6.0", "theurian/v1", "invalid-declaration"],
  ["0.2.1", "0.5.0.dev0", "0.6.0", "theurian/v1", "invalid-declaration"],
  ["0.2.1", "0.5.0", "0.6.0", "theurian/v0", "invalid-declaration"],
  ["", "0.5.0", "0.6.0", "theurian/v1", "invalid-declaration"],
  [" 0.2.1 ", " 0.5.0 ", " 0.6.0 ", "theurian/v1", "compatible"],
  ["0.2.1+build.5", "0.5.0", "0.6.0", "theurian/v1", "compatible"],
] as const;

Deno.test("compat check answers every command-level example", async () => {
  for (const [plugin, minimum, ceiling, protocol, outcome] of COMMANDS) {
    const asked = { core: "0.5.3", plugin, minimum, ceiling, protocol };
    const document = await check(asked);
    assert.equal(document.outcome, outcome, JSON.stringify(asked));
    if (outcome === "invalid-declaration") continue;
    assert.equal(document.pluginVersion, plugin.trim());
    assert.equal(document.coreVersion, "0.5.3");
  }
});

Deno.test("compat alone prints its help on stderr and exits 2", async () => {
  const { exit, stdout, stderr } = await runForTest(["compat"]);
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.match(stderr, /check/);
});

Deno.test("compat check keeps the permission to read only where a declaration is to be read", async () => {
  const kept: PermissionRow[] = [];
  const world = {
    dropPermissions: (row: { permissions: PermissionRow }) => void kept.push(row.permissions),
  };
  await runForTest(argumentsOf({}), { world });
  await runForTest(["compat", "check", "--declaration", "absent.yaml"], { world });
  assert.deepEqual(kept, [NO_PERMISSIONS, READ_FILES]);
});

Deno.test("compat check refuses a declaration that is no readable file, without waiting", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-compat-" });
  try {
    new Deno.Command("mkfifo", { args: [join(folder, "pipe")] }).outputSync();
    Deno.symlinkSync("loop", join(folder, "loop"));
    Deno.writeTextFileSync(join(folder, "latin"), "");
    Deno.writeFileSync(join(folder, "latin"), new Uint8Array([0xe9]));
    const files = ["", ".", "absent", "pipe", "loop", "latin", "latin/x", "x".repeat(300)];
    for (const file of [...files, "/dev/zero", "/proc/self/mem", "~", "a\u001bb"]) {
      const line = ["compat", "check", "--declaration", file, "--json"];
      const { exit, stdout, stderr } = await runForTest(line, { cwd: folder });
      assert.deepEqual([exit, stderr], [2, ""], file);
      assert.equal(JSON.parse(stdout).outcome, "invalid-declaration");
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
