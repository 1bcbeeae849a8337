/**
 * What `docs/ci.md` tells people to paste into a job, run as a job: the program is downloaded from a
 * server on 127.0.0.1, and then there is nothing on `PATH` but that one file, Git and a shell.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CORE_VERSION } from "../../src/compat/mod.ts";
import { HERE, serveReleases } from "../support/release_server.ts";
import { PROGRAM } from "../support/served_project.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";
import { testUlid, writeMigration } from "../support/corpus.ts";
import { sha256Hex } from "../../src/platform/hash.ts";

const PAGE = Deno.readTextFileSync(new URL("../../docs/ci.md", import.meta.url));
const RELEASES = "https://github.com/theurian/theurian/releases";

/** The blocks of shell, by the heading above them. */
function blocks(): Map<string, string> {
  const found = new Map<string, string>();
  for (const section of PAGE.split(/\n## /).slice(1)) {
    for (const [, text] of section.matchAll(/```sh\n([^]*?)```/g)) {
      found.set(section.slice(0, section.indexOf("\n")), text!);
    }
  }
  return found;
}

/** A folder with links to some of the system's programs, to be all of `PATH`. */
function programs(folder: string, names: readonly string[]): string {
  Deno.mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const path = ["/usr/local/bin", "/usr/bin", "/bin"].map((place) => join(place, name))
      .find((path) => {
        try {
          return Deno.statSync(path).isFile;
        } catch {
          return false;
        }
      });
    Deno.symlinkSync(path ?? assert.fail(`${name} is not installed`), join(folder, name));
  }
  return folder;
}

interface Job extends AsyncDisposable {
  readonly repository: TemporaryRepository;
  /** Runs a block of the page; its exit code and what it printed. */
  step(heading: string): Promise<{ code: number; stdout: string; stderr: string }>;
}

/** A checkout on a branch off `origin/main`, with the program installed as the page says. */
async function job(): Promise<Job> {
  const repository = temporaryRepository();
  const temporary = join(repository.folder, "runner");
  const tools = programs(join(repository.folder, "tools"), [
    ...["sh", "curl", "sha256sum", "mkdir", "tar", "gzip"],
  ]);
  Deno.mkdirSync(temporary);
  const run = async (block: string, path: string, cwd: string) => {
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-euc", block],
      cwd,
      clearEnv: true,
      env: { PATH: path, HOME: repository.folder, RUNNER_TEMP: temporary },
      stdin: "null",
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, stdout: text(stdout), stderr: text(stderr) };
  };
  await using server = await serveReleases([{ version: CORE_VERSION, program: program() }]);
  const install = blocks().get("Install")!;
  assert(install.includes(RELEASES) && install.includes(CORE_VERSION));
  const block = install.replace(RELEASES, server.url).replace(
    "x86_64-unknown-linux-gnu",
    HERE.triple,
  );
  const { code, stderr } = await run(block, tools, repository.root);
  assert.equal(code, 0, stderr);
  // Nothing but the program, Git and a shell from here on.
  const bin = join(temporary, "bin");
  assert.deepEqual([...Deno.readDirSync(bin)].map(({ name }) => name), ["theurian"]);
  programs(bin, ["git", "sh"]);
  return {
    repository,
    step: (heading) => run(blocks().get(heading) ?? assert.fail(heading), bin, repository.root),
    [Symbol.asyncDispose]: () => Promise.resolve(repository[Symbol.dispose]()),
  };
}

/** The executable, or a script that starts the source where there is none. */
function program(): Uint8Array {
  if (PROGRAM.prefix.length === 0) return Deno.readFileSync(PROGRAM.command);
  const variables = Object.entries(PROGRAM.environment).map(([name, value]) =>
    `export ${name}='${value}'`
  );
  const words = [PROGRAM.command, ...PROGRAM.prefix].map((word) => `'${word}'`);
  return new TextEncoder().encode(
    ["#!/bin/sh", ...variables, `exec ${words.join(" ")} "$@"\n`].join("\n"),
  );
}

function begin({ repository }: Job): void {
  writeMigration(repository, 1, [{ itemId: "guide.retry" }, { itemId: "guide.limits" }]);
  repository.write(
    "compatibility.yaml",
    "pluginVersion: 1.0.0\ncoreCompatibility:\n" +
      "  minimum: 0.6.0-dev.0\n  maximumExclusive: 0.7.0\nprotocolVersion: theurian/v1\n",
  );
  repository.commit();
  repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
}

const STEPS = [
  ...["Check a pull request", "Ask for a second reviewer", "Build everything once"],
  "Check a bundle or a client",
];

Deno.test("the page's job passes where all is well, with one file, Git and a shell", async () => {
  assert.deepEqual([...blocks().keys()], ["Install", ...STEPS]);
  await using checked = await job();
  begin(checked);
  writeMigration(checked.repository, 2, [{ itemId: "guide.queues" }]);
  checked.repository.commit();
  for (const heading of STEPS) {
    const { code, stderr } = await checked.step(heading);
    assert.equal(code, 0, `${heading}: ${stderr}`);
  }
  assert.match((await checked.step("Check a pull request")).stdout, /"version": "\d/);
});

Deno.test("the page's job stops at a set that apply would refuse, and at a source that does not parse", async () => {
  await using checked = await job();
  begin(checked);
  checked.repository.write(".theurian/specifications/x.yaml", "a: [");
  const sources = await checked.step("Check a pull request");
  assert.equal(sources.code, 4);
  assert.match(sources.stdout, /specifications\/x\.yaml/);
  checked.repository.write(".theurian/migrations/bad.yaml", "x: [");
  const set = await checked.step("Check a pull request");
  assert.equal(set.code, 4);
  assert.match(set.stderr, /bad\.yaml/);
});

Deno.test("the page's job asks for a second reviewer of what this change lowers, and of nothing older", async () => {
  await using checked = await job();
  begin(checked);
  const { repository } = checked;
  writeMigration(repository, 2, [], [
    { op: "changeSensitivity", itemId: "guide.retry", sensitivity: "confidential", reason: "r" },
  ]);
  // A revision that carries the old sensitivity along.
  const body = "# Retries\n";
  repository.write(".theurian/knowledge/test/retry.txt", body);
  writeMigration(repository, 3, [], [{
    op: "upsertRevision",
    itemId: "guide.retry",
    revisionId: testUlid("RV", 300),
    expectedRevision: testUlid("RV", 100),
    contentFile: "../knowledge/test/retry.txt",
    contentSha256: sha256Hex(body),
    metadata: {
      title: "Retries",
      contentType: "text/markdown",
      kind: "convention",
      status: "approved",
      sensitivity: "internal",
      namespace: "guide",
      owner: "team",
      labels: ["authored-in-theurian"],
    },
  }]);
  repository.commit();
  const asked = await checked.step("Ask for a second reviewer");
  assert.equal(asked.code, 1, asked.stderr);
  assert.match(asked.stderr, /0003-test\.yaml loosens a protection/);
  // Once it is merged, later changes are not stopped by it.
  repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
  writeMigration(repository, 4, [{ itemId: "guide.queues" }]);
  repository.commit();
  const later = await checked.step("Ask for a second reviewer");
  assert.deepEqual([later.code, later.stderr], [0, ""]);
});

Deno.test("the page's job stops at an uncommitted migration and at a secret", async () => {
  await using checked = await job();
  begin(checked);
  writeMigration(checked.repository, 2, [{ itemId: "guide.queues" }]);
  assert.equal((await checked.step("Build everything once")).code, 4);
  checked.repository.commit();
  const key = ["AKIA", "QYLPMN5HHHFPZAM2"].join("");
  writeMigration(checked.repository, 3, [{ itemId: "guide.keys", body: `# Keys\n\n${key}\n` }]);
  checked.repository.commit();
  const found = await checked.step("Build everything once");
  assert.equal(found.code, 6, found.stderr);
});

Deno.test("the page's install refuses an archive that does not match its checksum", async () => {
  const repository = temporaryRepository();
  try {
    const tools = programs(join(repository.folder, "tools"), [
      ...["sh", "curl", "sha256sum", "mkdir", "tar", "gzip"],
    ]);
    await using server = await serveReleases([{
      version: CORE_VERSION,
      program: new TextEncoder().encode("#!/bin/sh\n"),
      spoil: (archive) => archive.slice(0, -1),
    }]);
    const block = blocks().get("Install")!.replace(RELEASES, server.url)
      .replace("x86_64-unknown-linux-gnu", HERE.triple);
    const { code } = await new Deno.Command("/bin/sh", {
      args: ["-euc", block],
      cwd: repository.root,
      clearEnv: true,
      env: { PATH: tools, HOME: repository.folder, RUNNER_TEMP: repository.folder },
      stdout: "null",
      stderr: "null",
    }).output();
    assert.notEqual(code, 0);
    assert.throws(() => Deno.statSync(join(repository.folder, "bin")));
  } finally {
    repository[Symbol.dispose]();
  }
});
