import assert from "node:assert/strict";
import { join } from "node:path";
import { changelogSection, gateFaults, isPreRelease, signatureFault } from "./gate.ts";

const CHANGELOG = `# Changelog

## 0.7.0 (unreleased)

Not yet.

## 0.6.0 - 2026-03-01

First release.

### Added

- Everything.

## 0.5.9 - 2026-02-01

## [0.5.8] - 2026-01-01

Old.
`;

const GOOD = { tag: "core-v0.6.0", built: "0.6.0", configured: "0.6.0", changelog: CHANGELOG };

Deno.test("gateFaults() finds nothing when tag, sources, configuration and changelog agree", () => {
  assert.deepEqual(gateFaults(GOOD), []);
});

for (
  const [what, over, fault] of [
    ["another tag", { tag: "v0.6.0" }, /not core-v0\.6\.0/],
    ["a plugin's tag", { tag: "plugin-v0.6.0" }, /not core-v0\.6\.0/],
    ["another configured version", { configured: "0.6.1" }, /deno\.json says 0\.6\.1/],
    [
      "no release version",
      { built: "0.6", tag: "core-v0.6", configured: "0.6" },
      /no release version/,
    ],
    ["an unreleased section", {
      built: "0.7.0",
      tag: "core-v0.7.0",
      configured: "0.7.0",
    }, /no section/],
    ["an empty section", {
      built: "0.5.9",
      tag: "core-v0.5.9",
      configured: "0.5.9",
    }, /says nothing/],
    ["no section", { changelog: "# Changelog\n" }, /no section/],
    ["a section of a longer version", { changelog: "## 0.6.01 - 2026-01-01\n\nx\n" }, /no section/],
  ] as const
) {
  Deno.test(`gateFaults() refuses ${what}`, () => {
    const faults = gateFaults({ ...GOOD, ...over });
    assert.ok(faults.some((line) => fault.test(line)), JSON.stringify(faults));
  });
}

Deno.test("changelogSection() is the text under a dated heading", () => {
  assert.equal(
    changelogSection(CHANGELOG, "0.6.0"),
    "First release.\n\n### Added\n\n- Everything.",
  );
  assert.equal(changelogSection(CHANGELOG, "0.5.8"), "Old.");
});

Deno.test("isPreRelease() knows a candidate from a release", () => {
  assert.deepEqual(["0.6.0", "0.6.0-rc.1"].map(isPreRelease), [false, true]);
});

async function run(cwd: string, program: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, { args, cwd, stdin: "null" }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}

/** A repository with one commit, two keys, and a list that names the first. */
async function signingRepository() {
  const root = Deno.makeTempDirSync({ prefix: "release-gate-" });
  const keys: string[] = [];
  for (const name of ["listed", "stranger"]) {
    const key = join(root, name);
    await run(root, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key);
    keys.push(key);
  }
  const signers = join(root, "signers");
  const listed = Deno.readTextFileSync(`${keys[0]}.pub`).split(" ").slice(0, 2).join(" ");
  Deno.writeTextFileSync(signers, `# who may sign\nreleases@example.org ${listed}\n`);
  const repository = join(root, "repository");
  Deno.mkdirSync(repository);
  const git = (...args: string[]) => run(repository, "git", ...args);
  await git("init", "-q", "-b", "main");
  for (
    const [key, value] of [
      ["user.name", "r"],
      ["user.email", "releases@example.org"],
      [
        "gpg.format",
        "ssh",
      ],
      ["commit.gpgsign", "false"],
      ["tag.gpgsign", "false"],
    ]
  ) await git("config", key!, value!);
  await git("commit", "-q", "--allow-empty", "-m", "one");
  const sign = (key: string, tag: string) =>
    git("-c", `user.signingkey=${key}`, "tag", "-s", "-m", tag, tag);
  return {
    repository,
    signers,
    git,
    signListed: (tag: string) => sign(keys[0]!, tag),
    signStranger: (tag: string) => sign(keys[1]!, tag),
    fault: (tag: string, list = signers) => signatureFault(repository, tag, list),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

Deno.test("signatureFault() lets a tag through that a listed key signed on this commit", async () => {
  using place = await signingRepository();
  await place.signListed("core-v1.0.0");
  assert.equal(await place.fault("core-v1.0.0"), null);
});

Deno.test("signatureFault() refuses every other tag", async () => {
  using place = await signingRepository();
  await place.signStranger("core-v1.0.1");
  assert.match((await place.fault("core-v1.0.1"))!, /not by a listed signer/);
  await place.git("tag", "core-v1.0.2");
  assert.match((await place.fault("core-v1.0.2"))!, /no annotated tag/);
  await place.git("tag", "-a", "-m", "x", "core-v1.0.3");
  assert.match((await place.fault("core-v1.0.3"))!, /no SSH signature/);
  assert.match((await place.fault("core-v9.9.9"))!, /no annotated tag/);
  await place.signListed("core-v1.0.4");
  const empty = join(place.repository, "nobody");
  Deno.writeTextFileSync(empty, "# nobody\n\n");
  assert.match((await place.fault("core-v1.0.4", empty))!, /list of signers is empty/);
  await place.git("commit", "-q", "--allow-empty", "-m", "two");
  assert.match((await place.fault("core-v1.0.4"))!, /not on the checked out commit/);
});
