import assert from "node:assert/strict";
import { join } from "node:path";
import { CORE_VERSION } from "../compat/mod.ts";
import { runForTest } from "./test_world.ts";

const GOOD = [
  ...["compat", "check", "--plugin-version", "0.2.1", "--core-minimum", "0.6.0"],
  ...["--core-maximum-exclusive", "0.7.0", "--protocol-version", "theurian/v1"],
];

function replaced(option: string, value: string): string[] {
  const args = [...GOOD];
  args[args.indexOf(option) + 1] = value;
  return args;
}

Deno.test("compat check answers 0, 3 or 2 on stdout, with nothing on stderr", async () => {
  const cases: [string[], number, string][] = [
    [GOOD, 0, "compatible"],
    [[...GOOD, "--core-version", "0.5.9"], 3, "core-too-old"],
    [[...GOOD, "--core-version", "0.7.0rc1"], 0, "compatible"],
    [[...GOOD, "--core-version", "nonsense"], 2, "invalid-declaration"],
    [replaced("--protocol-version", "theurian/v2"), 3, "protocol-mismatch"],
    [replaced("--plugin-version", "--json"), 2, "invalid-declaration"],
  ];
  for (const [args, exit, outcome] of cases) {
    const result = await runForTest([...args, "--json"]);
    assert.deepEqual([result.exit, result.stderr], [exit, ""]);
    assert.equal(JSON.parse(result.stdout).outcome, outcome);
  }
});

Deno.test("compat check prints the same keys as lines, in verdict order", async () => {
  const { stdout } = await runForTest(GOOD);
  assert.deepEqual(stdout.split("\n").map((line) => line.split(":")[0]), [
    ...["outcome", "compatible", "message", "remedy", "pluginVersion", "coreVersion"],
    ...["protocolVersion", ""],
  ]);
  const swallowed = await runForTest(replaced("--plugin-version", "--json"));
  assert.equal(swallowed.exit, 2);
  assert.match(swallowed.stdout, /^outcome: invalid-declaration\nerror: /);
});

Deno.test("compat check shows the asked Core translated and its own protocol", async () => {
  const { stdout } = await runForTest([...GOOD, "--core-version", "0.6.1A2", "--json"]);
  const verdict = JSON.parse(stdout);
  assert.equal(verdict.coreVersion, "0.6.1-alpha.2");
  assert.equal(verdict.protocolVersion, "theurian/v1");
});

Deno.test("compat check names every missing flag in one usage error", async () => {
  const { exit, stdout, stderr } = await runForTest(["compat", "check", "--core-minimum", "1.0.0"]);
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.match(
    stderr,
    /Missing options --plugin-version, --core-maximum-exclusive, --protocol-ver/,
  );
  const extra = await runForTest([...GOOD, "extra"]);
  assert.deepEqual([extra.exit, extra.stdout], [2, ""]);
});

Deno.test("compat check reads the declaration of a file", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-compat-" });
  try {
    const check = async (text: string | null, ...more: string[]) => {
      if (text !== null) Deno.writeTextFileSync(join(folder, "c.yaml"), text);
      const args = ["compat", "check", "--declaration", "c.yaml", "--json", ...more];
      return await runForTest(args, { cwd: folder });
    };
    const outcome = async (text: string | null) => {
      const { exit, stdout, stderr } = await check(text);
      assert.equal(stderr, "");
      return [exit, JSON.parse(stdout).outcome];
    };
    const good = 'pluginVersion: 0.2.1 # ours\ncoreCompatibility:\n  minimum: "0.6.0-dev.0"\n' +
      "  maximumExclusive: 0.7.0\nprotocolVersion: theurian/v1\n";
    assert.deepEqual(await outcome(null), [2, "invalid-declaration"]);
    assert.deepEqual(await outcome(good), [0, "compatible"]);
    assert.deepEqual(await outcome(good.replace("0.7.0", "0.5.0")), [2, "invalid-declaration"]);
    assert.deepEqual(await outcome(good.replace("0.7.0", "1.10")), [2, "invalid-declaration"]);
    assert.deepEqual(await outcome(`${good}extra: 1\n`), [2, "invalid-declaration"]);
    assert.deepEqual(await outcome("pluginVersion: ["), [2, "invalid-declaration"]);
    assert.deepEqual(await outcome(good.replace("v1", "v2")), [3, "protocol-mismatch"]);
    const both = await check(good, "--plugin-version", "1.0.0");
    assert.deepEqual([both.exit, both.stdout], [2, ""]);
    assert.match(both.stderr, /--plugin-version/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("compat check works without a home, a data directory or a current directory", async () => {
  const { exit } = await runForTest(GOOD, {
    environment: {},
    world: {
      currentDirectory: () => {
        throw new Deno.errors.NotFound();
      },
    },
  });
  assert.equal(exit, 0);
});

Deno.test("a release reports a version that can be compared", async () => {
  const { stdout } = await runForTest([...GOOD, "--json"]);
  assert.match(JSON.parse(stdout).coreVersion, /^\d+\.\d+\.\d+/);
  assert(CORE_VERSION.length > 0);
});
