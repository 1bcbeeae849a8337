/**
 * Planted links, pipes and variables, met by the program under the flags it ships with: there
 * `O_NOFOLLOW` means nothing, so each case proves that no link is followed and no pipe is waited for.
 *
 * @module
 */

import assert from "node:assert/strict";
import { findProgram, run } from "../../scripts/program.ts";
import { fixturePath, git, putCompanion } from "../support/golden_review.ts";

const FOLDER = "sha256-fbb3a4a6c6ad6d7148b57f375ca1c6efc445ca58cf8934ffa2528bad424e9f15";
const program = findProgram();

interface Stage {
  readonly root: string;
  readonly home: string;
  readonly outside: string;
  /** Variables of the program, besides `HOME` and `PATH`. */
  readonly variables: Record<string, string>;
  command(...argv: string[]): Promise<{ exit: number; stdout: string; stderr: string }>;
}

async function staged(work: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-hazards-" }));
  const [root, home, outside] = [`${folder}/p`, `${folder}/home`, `${folder}/outside`];
  Deno.mkdirSync(`${root}/.theurian/state`, { recursive: true });
  Deno.mkdirSync(`${home}/.config/gh`, { recursive: true });
  Deno.writeTextFileSync(outside, "mine");
  git(root, "init", "-q", "-b", "main", ".");
  const config = 'providers:\n  review:\n    repositories: ["acme/widgets"]\n';
  Deno.writeTextFileSync(`${root}/.theurian/config.yaml`, config);
  const path = `${fixturePath("fake-gh")}:/usr/local/bin:/usr/bin:/bin`;
  const variables: Record<string, string> = {};
  try {
    await work({
      root,
      home,
      outside,
      variables,
      command: (...argv) => {
        const env = { ...variables, HOME: home, PATH: path };
        return run(program, [...argv, "--json"], { cwd: root, env, limitMs: 20_000 });
      },
    });
    assert.equal(Deno.readTextFileSync(outside), "mine");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("a link at a record's temporary or place is refused and its target left as it is", () =>
  staged(async ({ root, outside, command }) => {
    const kind = `${root}/.theurian/review/${FOLDER}/pull-request`;
    Deno.mkdirSync(kind, { recursive: true });
    Deno.symlinkSync(outside, `${kind}/7.json.writing`);
    const temporary = await command("review", "ingest", "acme/widgets");
    assert.equal(temporary.exit, 1);
    assert.match(JSON.parse(temporary.stderr).remedy, /7\.json\.writing/);
    Deno.removeSync(`${kind}/7.json.writing`);
    Deno.symlinkSync(outside, `${kind}/7.json`);
    const place = await command("review", "ingest", "acme/widgets");
    assert.equal(place.exit, 1);
    assert.ok(Deno.lstatSync(`${kind}/7.json`).isSymlink);
  }));

Deno.test("a link out of the folder, a pipe and a device-like leaf cost one record each", () =>
  staged(async ({ root, outside, command }) => {
    putCompanion(root);
    const kind = `${root}/.theurian/review/${FOLDER}/pull-request`;
    Deno.symlinkSync(outside, `${kind}/1.json`);
    new Deno.Command("mkfifo", { args: [`${kind}/2.json`] }).outputSync();
    Deno.symlinkSync("/dev/zero", `${kind}/3.json`);
    const { exit, stdout } = await command("review", "build");
    const { records, skippedRecords } = JSON.parse(stdout);
    assert.deepEqual([exit, records, skippedRecords.length], [1, 1, 3]);
    assert.ok(!stdout.includes("mine"));
  }));

Deno.test("a link at a store's draft or place is never written through", () =>
  staged(async ({ root, outside, command }) => {
    putCompanion(root);
    const store = `${root}/.theurian/state/theurian-review-local.sqlite`;
    Deno.writeTextFileSync(`${root}/inside`, "mine too");
    Deno.symlinkSync(outside, `${store}.building`);
    Deno.symlinkSync(outside, `${store}.building-journal`);
    Deno.symlinkSync("../../inside", store);
    const { exit, stderr } = await command("review", "build");
    assert.equal(exit, 0, stderr);
    assert.ok(Deno.lstatSync(store).isFile);
    assert.equal(Deno.readTextFileSync(`${root}/inside`), "mine too");
  }));

Deno.test("a pipe at the settings of the project or of gh is not waited for", () =>
  staged(async ({ root, command }) => {
    const pipe = (path: string) => new Deno.Command("mkfifo", { args: [path] }).outputSync();
    pipe(`${root}/../home/.config/gh/config.yml`);
    assert.equal((await command("review", "ingest", "acme/widgets")).exit, 0);
    Deno.removeSync(`${root}/.theurian/config.yaml`);
    pipe(`${root}/.theurian/config.yaml`);
    assert.equal((await command("review", "ingest", "acme/widgets")).exit, 1);
  }));

Deno.test("gh gets nine variables at most, and none of a token, host or proxy", () =>
  staged(async ({ home, variables, command }) => {
    const names = ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "HTTPS_PROXY", "FAKE_GH_LEAK", "LC_ALL"];
    for (const name of names) variables[name] = "leaked";
    assert.equal((await command("review", "ingest", "acme/widgets")).exit, 0);
    const calls = Deno.readTextFileSync(`${home}/.config/gh/fake-gh.log`).split("\n");
    assert.deepEqual(calls.filter((call) => call.startsWith("LEAK")), []);
    const given = /env=(.*),$/.exec(calls[0]!)![1]!.split(",").filter((name) => name !== "PWD");
    assert.deepEqual(given, [
      "GH_NO_EXTENSION_UPDATE_NOTIFIER",
      "GH_NO_UPDATE_NOTIFIER",
      "GH_PROMPT_DISABLED",
      "HOME",
      "NO_COLOR",
      "PATH",
    ]);
  }));

Deno.test("no variable makes findings build read another repository or under other settings", () =>
  staged(async ({ root, home, variables, command }) => {
    Deno.removeSync(root, { recursive: true });
    new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] }).outputSync();
    const other = `${home}/other`;
    Deno.mkdirSync(other);
    git(other, "init", "-q", "-b", "main", ".");
    git(other, "commit", "-q", "--allow-empty", "-m", "Review-Finding: security LOW \u2014 other");
    git(other, "update-ref", "refs/remotes/origin/main", "HEAD");
    Object.assign(variables, {
      GIT_DIR: `${other}/.git`,
      GIT_WORK_TREE: other,
      GIT_OBJECT_DIRECTORY: `${other}/.git/objects`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "i18n.logOutputEncoding",
      GIT_CONFIG_VALUE_0: "UTF-16",
      GIT_SHALLOW_FILE: `${other}/none`,
    });
    const { exit, stdout, stderr } = await command("findings", "build");
    assert.equal(exit, 0, stderr);
    const { findings, rejected } = JSON.parse(stdout);
    assert.deepEqual([findings, rejected], [13, 10]);
  }));
