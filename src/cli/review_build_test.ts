import assert from "node:assert/strict";
import { putCompanion, putNode, writeGoldenEvidence } from "../../tests/support/golden_review.ts";
import { type IngestProject, inIngestProject } from "../../tests/support/ingest_project.ts";
import { asExpected, tamperedRows } from "../../tests/support/tampered.ts";
import { openForReading } from "../platform/sqlite/mod.ts";

const FOLDER = "sha256-fbb3a4a6c6ad6d7148b57f375ca1c6efc445ca58cf8934ffa2528bad424e9f15";
const STORE = "state/theurian-review-local.sqlite";

async function build(project: IngestProject) {
  const outcome = await project.run("review", "build", "--json");
  return {
    ...outcome,
    document: outcome.stdout === "" ? null : JSON.parse(outcome.stdout),
    error: outcome.stderr === "" ? null : JSON.parse(outcome.stderr),
  };
}

interface StoredRow {
  readonly record_key: string;
  readonly path: string;
  readonly first_text: number;
  readonly last_text: number;
}

function storedRows(project: IngestProject): StoredRow[] {
  using connection = openForReading(`${project.root}/.theurian/${STORE}`);
  return connection.all<StoredRow>("SELECT * FROM review_records ORDER BY rank");
}

Deno.test("review build accepts, names or ignores every tampered tree of the golden rows", () =>
  inIngestProject({}, async (project) => {
    const rows = tamperedRows();
    assert.equal(rows.length, 174);
    for (const row of rows) {
      putCompanion(project.root);
      for (const node of row.nodes ?? [row]) putNode(project.root, node);
      const { exit, document } = await build(project);
      assert.equal(document.records, row.expect === "accept" ? 2 : 1, row.id);
      assert.equal(exit, row.expect === "reject" ? 1 : 0, row.id);
      const skipped = document.skippedRecords ?? [];
      assert.deepEqual(
        skipped.map((one: { path: string }) => one.path),
        row.expect === "reject" ? [`.theurian/review/${row.path}`] : [],
        row.id,
      );
      for (const one of skipped) {
        assert.deepEqual(Object.keys(one).sort(), ["error", "path", "remedy", "repository"]);
        assert.ok(one.error.length > 20 && one.remedy.length > 20, row.id);
      }
      if (row.expect === "accept") assertRow(project, row.path, row.row);
      Deno.removeSync(`${project.root}/.theurian/review`, { recursive: true });
    }
  }));

function assertRow(project: IngestProject, path: string, row: Record<string, unknown> | undefined) {
  if (row === undefined) return;
  using connection = openForReading(`${project.root}/.theurian/${STORE}`);
  const stored = connection.get<Record<string, unknown>>(
    "SELECT rank, record_key AS recordKey, kind, provider, repository, " +
      "CAST(pull_request AS TEXT) AS pullRequest, thread_state AS threadState, " +
      "file_path AS filePath, source_uri AS sourceUri, author_id AS authorExternalId, " +
      "author_name AS authorDisplayName, run_id AS lastSeenRunId, seen_at AS lastSeenAt, " +
      "first_text, last_text FROM review_records WHERE path = ?",
    path,
  )!;
  const number = stored["pullRequest"];
  const columns: Record<string, unknown> = {
    ...stored,
    pullRequest: number === null ? null : BigInt(number as string),
  };
  for (const [key, value] of Object.entries(row)) {
    if (key === "participants" || key === "texts") continue;
    assert.deepEqual(asExpected(columns[key]), value, `${path} ${key}`);
  }
  const participants = connection.all<{ external_id: string }>(
    "SELECT external_id FROM review_participants WHERE rank = ?",
    stored["rank"] as number,
  ).map((one) => one.external_id);
  assert.deepEqual(participants.sort(), [...row["participants"] as string[]].sort(), path);
}

Deno.test("review build reports its four keys and publishes an empty store for an empty folder", () =>
  inIngestProject({}, async (project) => {
    for (const prepare of [() => {}, () => project.write("review/README.md", "x")]) {
      prepare();
      const { exit, document } = await build(project);
      assert.deepEqual([exit, document], [0, {
        built: true,
        records: 0,
        withheld: 0,
        storePath: `${project.root}/.theurian/${STORE}`,
      }]);
    }
    putCompanion(project.root);
    assert.equal((await build(project)).document.records, 1);
    Deno.removeSync(`${project.root}/.theurian/review`, { recursive: true });
    Deno.symlinkSync("nowhere", `${project.root}/.theurian/review`);
    assert.equal((await build(project)).document.records, 0);
  }));

Deno.test("review build needs no init, asks no program but git and no allowlist", () =>
  inIngestProject({}, async (project) => {
    Deno.removeSync(`${project.root}/.theurian`, { recursive: true });
    assert.equal((await build(project)).exit, 0);
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review build refuses a review folder that is a file, and leaves it", () =>
  inIngestProject({}, async (project) => {
    project.write("review", "evidence?");
    const { exit, error } = await build(project);
    assert.equal(exit, 1);
    assert.match(error.remedy, /do not delete/);
    assert.equal(Deno.readTextFileSync(`${project.root}/.theurian/review`), "evidence?");
  }));

Deno.test("review build names every bad file in one go and serves the others", () =>
  inIngestProject({}, async (project) => {
    putCompanion(project.root);
    project.write(`review/${FOLDER}/pull-request/1.json`, '{"repository": "acme/widgets"}');
    project.write(`review/${FOLDER}/pull-request/2.json`, "{");
    project.write(`review/${FOLDER}/review-thread/x.json/y`, "a folder named as a record");
    const { exit, document } = await build(project);
    assert.deepEqual([exit, document.records], [1, 1]);
    assert.deepEqual(
      document.skippedRecords.map((one: { path: string; repository: string | null }) => [
        one.path.slice(-26),
        one.repository,
      ]),
      [
        [`${FOLDER}/pull-request/1.json`.slice(-26), "acme/widgets"],
        [`${FOLDER}/pull-request/2.json`.slice(-26), null],
        [`${FOLDER}/review-thread/x.json`.slice(-26), null],
      ],
    );
    assert.match(document.skippedRecords[0].remedy, /git log -p -- \.theurian\/review/);
  }));

Deno.test("review build publishes the good of an otherwise bad corpus, even when that is none", () =>
  inIngestProject({}, async (project) => {
    project.write(`review/${FOLDER}/pull-request/1.json`, "{");
    const { exit, document } = await build(project);
    assert.deepEqual([exit, document.records, document.skippedRecords.length], [1, 0, 1]);
  }));

Deno.test("review build says how to rename a file whose path differs in case", () =>
  inIngestProject({}, async (project) => {
    putCompanion(project.root);
    const at = `${project.root}/.theurian/review/${FOLDER}/pull-request`;
    Deno.renameSync(`${at}/99.json`, `${at}/99.JSON`);
    const { document } = await build(project);
    assert.match(document.skippedRecords[0].remedy, /pull-request\/99\.json in two steps/);
  }));

Deno.test("review build answers a link out of the folder with exit 1, not 4, and lists nothing of it", () =>
  inIngestProject({}, async (project) => {
    putCompanion(project.root);
    Deno.mkdirSync(`${project.folder}/outside/pull-request`, { recursive: true });
    Deno.writeTextFileSync(`${project.folder}/outside/pull-request/secret.json`, "{}");
    Deno.symlinkSync("../../../outside", `${project.root}/.theurian/review/linked`);
    const { exit, document, stdout } = await build(project);
    assert.deepEqual([exit, document.records], [1, 1]);
    assert.deepEqual(document.skippedRecords[0].path, ".theurian/review/linked");
    assert.ok(!stdout.includes("secret"));
  }));

Deno.test("review build serves a forked corpus once a record and names both folders", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    await project.ingest();
    const upper = "sha256-cb088537c13f405af2c644717ef3254a347d170f8f1132185c483c3f6eb6d995";
    for (const path of project.files()) {
      const text = project.readFile(path).replaceAll("acme/widgets#", "Acme/widgets#")
        .replaceAll('"repository": "acme/widgets"', '"repository": "Acme/widgets"')
        .replace(/"observedAt": "\d{4}/, '"observedAt": "2099');
      project.write(`review/${path.replace(FOLDER, upper)}`, text);
    }
    const { exit, document } = await build(project);
    assert.deepEqual([exit, document.records], [0, 9]);
    assert.deepEqual(document.forkedFolders, [upper, FOLDER]);
    assert.ok(storedRows(project).every(({ path }) => path.startsWith(upper)));
    using connection = openForReading(`${project.root}/.theurian/${STORE}`);
    const { n } = connection.get<{ n: number }>("SELECT count(*) AS n FROM review_texts")!;
    assert.equal(
      n,
      storedRows(project).reduce((sum, r) => sum + r.last_text - r.first_text + 1, 0),
    );
  }));

Deno.test("review build leaves no byte of a removed record and no draft behind", () =>
  inIngestProject({}, async (project) => {
    writeGoldenEvidence(project.root);
    putCompanion(project.root);
    const path = `review/${FOLDER}/pull-request/99.json`;
    const text = Deno.readTextFileSync(`${project.root}/.theurian/${path}`);
    project.write(path, text.replace("Second line.", "A withdrawn sentence."));
    const storeHolds = (sentence: string) =>
      new TextDecoder("latin1").decode(Deno.readFileSync(`${project.root}/.theurian/${STORE}`))
        .includes(sentence);
    await build(project);
    assert.ok(storeHolds("A withdrawn sentence."));
    Deno.removeSync(`${project.root}/.theurian/${path}`);
    assert.equal((await build(project)).document.records, 80);
    assert.ok(!storeHolds("A withdrawn sentence."));
    assert.deepEqual(
      [...Deno.readDirSync(`${project.root}/.theurian/state`)].map((entry) => entry.name),
      ["theurian-review-local.sqlite"],
    );
  }));

Deno.test("review build replaces a foreign store, its sidecars and a pipe at its place", () =>
  inIngestProject({}, async (project) => {
    putCompanion(project.root);
    const store = `${project.root}/.theurian/${STORE}`;
    for (const suffix of ["", "-wal", "-shm", ".building", ".building-journal"]) {
      project.write(`${STORE}${suffix}`, "not a database");
    }
    assert.equal((await build(project)).document.records, 1);
    Deno.removeSync(store);
    new Deno.Command("mkfifo", { args: [store] }).outputSync();
    assert.equal((await build(project)).document.records, 1);
    Deno.removeSync(store);
    project.write(`${STORE}/x`, "a folder");
    const { exit, error } = await build(project);
    assert.equal(exit, 1);
    assert.match(error.remedy, /run `theurian review build` again/);
  }));

Deno.test("review build answers exit 4 when the store's place leads out of the project", () =>
  inIngestProject({}, async (project) => {
    Deno.mkdirSync(`${project.root}/.theurian/state`);
    Deno.symlinkSync("../../../out.sqlite", `${project.root}/.theurian/${STORE}`);
    assert.equal((await build(project)).exit, 4);
    assert.throws(() => Deno.statSync(`${project.folder}/out.sqlite`), Deno.errors.NotFound);
  }));

Deno.test("two review builds at once both end well, one after the other", () =>
  inIngestProject({}, async (project) => {
    writeGoldenEvidence(project.root);
    const ran = await Promise.all([build(project), build(project), build(project)]);
    assert.deepEqual(ran.map(({ document }) => document.records), [80, 80, 80]);
  }));
