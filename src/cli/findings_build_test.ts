import assert from "node:assert/strict";
import { fixturePath, git } from "../../tests/support/golden_review.ts";
import { runForTest } from "./test_world.ts";

const STAMP = "377169e2220e57090b7f0fb79f0453ff1f4f3c120d4f742cb352a388dafe2376";

async function inFolder(work: (folder: string, build: typeof buildIn) => Promise<void>) {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-cli-" }));
  try {
    await work(folder, buildIn);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function buildIn(cwd: string, home: string) {
  const environment = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin" };
  const outcome = await runForTest(["findings", "build", "--json"], { cwd, environment });
  const parsed = (text: string) => text === "" ? null : JSON.parse(text);
  return { exit: outcome.exit, document: parsed(outcome.stdout), stderr: outcome.stderr };
}

Deno.test("findings build prints counts, stamp and path, and no text of a finding", () =>
  inFolder(async (folder, build) => {
    const root = `${folder}/r`;
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] }).outputSync();
    const { exit, document } = await build(root, folder);
    assert.deepEqual([exit, document], [0, {
      built: true,
      findings: 13,
      rejected: 10,
      parserStamp: STAMP,
      storePath: `${root}/.theurian/state/theurian-findings-local.sqlite`,
    }]);
  }));

Deno.test("findings build outside a working tree, and without the ref, answers exit 1", () =>
  inFolder(async (folder, build) => {
    const outside = await build(folder, folder);
    assert.deepEqual([outside.exit, outside.document], [1, null]);
    git(folder, "init", "-q", "-b", "main", ".");
    const { exit, stderr } = await build(folder, folder);
    assert.equal(exit, 1);
    assert.match(JSON.parse(stderr).remedy, /git fetch origin main/);
    assert.throws(() => Deno.statSync(`${folder}/.theurian`), Deno.errors.NotFound);
  }));

Deno.test("findings build takes no notice of a broken migration", () =>
  inFolder(async (folder, build) => {
    const root = `${folder}/r`;
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] }).outputSync();
    Deno.mkdirSync(`${root}/.theurian/migrations`, { recursive: true });
    Deno.writeTextFileSync(`${root}/.theurian/migrations/x.yaml`, "{");
    assert.equal((await build(root, folder)).exit, 0);
  }));

Deno.test("findings build answers exit 4 for a folder that leads out", () =>
  inFolder(async (folder, build) => {
    const root = `${folder}/r`;
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] }).outputSync();
    Deno.mkdirSync(`${folder}/out`);
    Deno.symlinkSync("../out", `${root}/.theurian`);
    assert.equal((await build(root, folder)).exit, 4);
    assert.deepEqual([...Deno.readDirSync(`${folder}/out`)], []);
  }));

Deno.test("findings build warns of a shallow clone and says so in its document", () =>
  inFolder(async (folder, build) => {
    const root = `${folder}/r`;
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] }).outputSync();
    git(folder, "clone", "-q", "--depth=1", "--branch=main", `file://${root}`, "s");
    const { exit, document, stderr } = await build(`${folder}/s`, folder);
    assert.deepEqual([exit, document.findings, document.shallow], [0, 1, true]);
    assert.match(stderr, /git fetch --unshallow origin main/);
  }));

Deno.test("findings and review without a subcommand print help", async () => {
  for (const group of ["findings", "review"]) {
    const { stdout, stderr } = await runForTest([group]);
    assert.match(stdout + stderr, /build/);
    const help = await runForTest([group, "--help"]);
    assert.equal(help.exit, 0);
  }
});
