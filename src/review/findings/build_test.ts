import assert from "node:assert/strict";
import { join } from "node:path";
import {
  fixturePath,
  git,
  goldenRows,
  type TrailerRow,
  writeHistory,
  writeLooseObject,
} from "../../../tests/support/golden_review.ts";
import { systemClock } from "../../platform/clock.ts";
import { isFault } from "../../platform/errors.ts";
import { openForReading } from "../../platform/sqlite/mod.ts";
import { isBuiltHere, projectPaths } from "../../projects/mod.ts";
import { buildFindings, type FindingsBuild } from "./build.ts";

const D = "\u2014";
const TRAILER = `Review-Finding: security LOW ${D} `;

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-findings-" }));
  try {
    await work(folder);
  } finally {
    Deno.chmodSync(folder, 0o755);
    Deno.removeSync(folder, { recursive: true });
  }
}

const build = (root: string, data = `${root}/../data`): Promise<FindingsBuild> =>
  buildFindings(projectPaths(root), {
    dataDirectory: data,
    clock: systemClock,
    seal: () => crypto.randomUUID(),
  });

function texts(built: FindingsBuild): string[] {
  using connection = openForReading(built.storePath);
  return connection.all<{ finding_text: string }>("SELECT finding_text FROM findings ORDER BY rank")
    .map((row) => row.finding_text);
}

function emptyRepository(root: string, format = "sha1"): void {
  Deno.mkdirSync(root);
  git(root, "init", "-q", `--object-format=${format}`, "-b", "main", ".");
}

function commit(root: string, message: string, ...more: string[]): string {
  git(root, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message, ...more);
  const id = git(root, "rev-parse", "HEAD");
  git(root, "update-ref", "refs/remotes/origin/main", id);
  return id;
}

function findingsRepository(folder: string): string {
  const root = `${folder}/r`;
  const { code } = new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), root] })
    .outputSync();
  assert.equal(code, 0);
  return root;
}

Deno.test("buildFindings() reads merges, side branches and what stands before a NUL, and no shadow", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    const built = await build(root);
    assert.deepEqual([built.findings, built.rejected, built.shallow], [13, 10, false]);
    const found = texts(built);
    assert.equal(found[0], "written on the merge commit itself");
    assert.equal(found[1], "found on the side branch");
    assert.ok(found.includes("before the NUL"));
    for (const text of ["unpushed", "forged by git replace", "after the NUL", "never read"]) {
      assert.ok(!found.includes(text), text);
    }
    assert.ok(isBuiltHere(`${folder}/data`, root, "findings", "local"));
  }));

Deno.test("buildFindings() ignores settings of the repository that change what log prints", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    git(root, "config", "i18n.logOutputEncoding", "UTF-16");
    git(root, "config", "log.showSignature", "true");
    git(root, "config", "log.mailmap", "true");
    git(root, "config", "format.pretty", "oneline");
    git(root, "config", "log.date", "relative");
    const built = await build(root);
    assert.deepEqual([built.findings, built.rejected], [13, 10]);
  }));

Deno.test("buildFindings() is not blinded by a grafts file", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    Deno.mkdirSync(`${root}/.git/info`, { recursive: true });
    Deno.writeTextFileSync(`${root}/.git/info/grafts`, git(root, "rev-parse", "HEAD") + "\n");
    assert.equal((await build(root)).findings, 13);
  }));

Deno.test("buildFindings() says that a shallow clone hides history", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    git(folder, "clone", "-q", "--depth=1", "--branch=main", `file://${root}`, "s");
    const built = await build(`${folder}/s`);
    assert.deepEqual([built.findings, built.shallow], [1, true]);
  }));

Deno.test("buildFindings() gives the golden counts and reads them again after a rewrite", () =>
  inFolder(async (folder) => {
    const root = `${folder}/r`;
    const ids = writeHistory(root, goldenRows<TrailerRow>("trailers.jsonl"));
    const built = await build(root);
    assert.deepEqual([built.findings, built.rejected], [74, 43]);
    git(root, "update-ref", "refs/remotes/origin/main", ids[1]!);
    const again = await build(root);
    assert.equal(again.findings, 2);
    assert.deepEqual(texts(again).sort(), ["plain", "x"]);
  }));

Deno.test("buildFindings() reads SHA-256 repositories and re-encodes what a commit declares", () =>
  inFolder(async (folder) => {
    const root = `${folder}/r`;
    emptyRepository(root, "sha256");
    const first = commit(root, TRAILER + "long ids");
    assert.equal(first.length, 64);
    const tree = git(root, "rev-parse", "HEAD^{tree}");
    const who = "Rae Viewer <rae@example.test> 1767225600 +0000\n";
    const head = `tree ${tree}\nparent ${first}\nauthor ${who}committer ${who}` +
      "encoding ISO-8859-1\n\nsubject\nReview-Finding: ";
    const latin1 = Uint8Array.from(head + "caf\u00e9", (c) => c.charCodeAt(0));
    const id = writeLooseObject(`${root}/.git`, "commit", latin1, "sha256");
    git(root, "update-ref", "refs/remotes/origin/main", id);
    const built = await build(root);
    assert.deepEqual([built.findings, built.rejected], [1, 1]);
    using connection = openForReading(built.storePath);
    const row = connection.get<{ raw_line: string }>("SELECT raw_line FROM rejected_trailers");
    assert.equal(row?.raw_line, "Review-Finding: caf\u00e9");
  }));

Deno.test("buildFindings() is not misled by a file named like the ref", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    Deno.mkdirSync(`${root}/refs/remotes/origin`, { recursive: true });
    Deno.writeTextFileSync(`${root}/refs/remotes/origin/main`, "x");
    assert.equal((await build(root)).findings, 13);
  }));

Deno.test("buildFindings() without the ref names the fetch and leaves no folder", () =>
  inFolder(async (folder) => {
    const root = `${folder}/r`;
    emptyRepository(root);
    git(root, "commit", "-q", "--allow-empty", "-m", "x");
    git(root, "branch", "origin/main");
    await assert.rejects(
      build(root),
      (e) => isFault(e) && e.exit === 1 && e.remedy.includes("git fetch origin main"),
    );
    assert.throws(() => Deno.statSync(`${root}/.theurian`), Deno.errors.NotFound);
  }));

Deno.test("buildFindings() works without .theurian, over leftovers and over a link or pipe there", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    await build(root);
    const store = `${root}/.theurian/state/theurian-findings-local.sqlite`;
    for (const name of ["", "-wal", "-shm", "-journal"]) {
      Deno.writeTextFileSync(`${store}.building${name}`, "leftover");
    }
    Deno.writeTextFileSync(`${store}-wal`, "leftover");
    assert.equal((await build(root)).findings, 13);
    assert.deepEqual([...Deno.readDirSync(`${root}/.theurian/state`)].map((e) => e.name), [
      "theurian-findings-local.sqlite",
    ]);
    Deno.removeSync(store);
    new Deno.Command("mkfifo", { args: [store] }).outputSync();
    assert.equal(texts(await build(root)).length, 13);
  }));

Deno.test("buildFindings() cannot replace a directory and answers exit 1", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    const store = `${root}/.theurian/state/theurian-findings-local.sqlite`;
    Deno.mkdirSync(join(store, "x"), { recursive: true });
    await assert.rejects(build(root), (e) => isFault(e) && e.exit === 1);
    assert.deepEqual([...Deno.readDirSync(`${root}/.theurian/state`)].length, 1);
  }));

Deno.test("buildFindings() refuses a path out of the project with exit 4", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    Deno.mkdirSync(`${root}/.theurian/state`, { recursive: true });
    const store = `${root}/.theurian/state/theurian-findings-local.sqlite`;
    Deno.symlinkSync("../../../outside.sqlite", store);
    await assert.rejects(build(root), (e) => isFault(e, "path-escape") && e.exit === 4);
    Deno.removeSync(`${root}/.theurian/state`, { recursive: true });
    Deno.symlinkSync("../../outside", `${root}/.theurian/state`);
    await assert.rejects(
      async () => await build(root),
      (e) => isFault(e, "path-escape") && e.exit === 4,
    );
  }));

Deno.test("buildFindings() keeps the old store while another writer holds the lock", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    const built = await build(root);
    Deno.mkdirSync(`${root}/.theurian/runtime`, { recursive: true });
    Deno.removeSync(`${root}/.theurian/runtime/write.lock`);
    Deno.mkdirSync(`${root}/.theurian/runtime/write.lock`);
    await assert.rejects(build(root), (e) => isFault(e) && e.exit === 1);
    assert.equal(texts(built).length, 13);
  }));

Deno.test("buildFindings() says that an unrecorded store will be refused", () =>
  inFolder(async (folder) => {
    const root = findingsRepository(folder);
    Deno.writeTextFileSync(`${folder}/data`, "a file");
    await assert.rejects(
      build(root),
      (e) => isFault(e) && e.exit === 1 && /rebuilt, but it will be refused/.test(e.message),
    );
  }));
