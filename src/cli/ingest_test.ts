import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { runForTest } from "./test_world.ts";

type Repository = ReturnType<typeof temporaryRepository>;

async function ingest(repository: Repository) {
  const { exit, stdout, stderr } = await runForTest(["ingest", "--json"], {
    cwd: repository.root,
    environment: repository.environment,
  });
  return { exit, json: stdout === "" ? null : JSON.parse(stdout), stderr };
}

const manifest = (repository: Repository) =>
  JSON.parse(repository.read(".theurian/cache/ingestion.json"));

Deno.test("ingest reads knowledge, then specifications, component by component", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/knowledge/a-b/x.md", "# X");
  repository.write(".theurian/knowledge/a/.hidden/y.MD", "# Y");
  repository.write(".theurian/knowledge/a/.hidden.md", "# hidden");
  repository.write(".theurian/knowledge/a/z.txt", "no type");
  repository.write(".theurian/specifications/s.yaml", "openapi: 3.0.0\n");
  const { exit, json, stderr } = await ingest(repository);
  assert.deepEqual([exit, stderr], [0, ""]);
  assert.deepEqual(Object.keys(json).sort(), [
    ...["documents", "failed", "failures", "ingested", "skipped", "succeeded", "unchanged"],
    "warnings",
  ]);
  assert.deepEqual(json.documents, [
    {
      path: ".theurian/knowledge/a/.hidden/y.MD",
      title: "Y",
      contentType: "text/markdown",
      parser: "markdown",
      structured: true,
    },
    {
      path: ".theurian/knowledge/a-b/x.md",
      title: "X",
      contentType: "text/markdown",
      parser: "markdown",
      structured: true,
    },
    {
      path: ".theurian/specifications/s.yaml",
      title: "s.yaml",
      contentType: "application/vnd.oai.openapi",
      parser: "openapi",
      structured: true,
    },
  ]);
  assert.deepEqual([json.ingested, json.skipped, json.failed, json.succeeded], [3, 1, 0, true]);
  const text = repository.read(".theurian/cache/ingestion.json");
  assert(text.endsWith("}\n"));
  assert.deepEqual(Object.keys(manifest(repository)), Object.keys(manifest(repository)).sort());
});

Deno.test("ingest goes on behind a bad file, exits 4, and fails on it again", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/knowledge/a.md", "---\nstatus: x\n---\n\n# A");
  repository.write(".theurian/knowledge/b.md", new Uint8Array([0xff]));
  repository.write(".theurian/knowledge/c.json", "{");
  repository.write(".theurian/knowledge/d.yaml", "d: 1");
  const first = await ingest(repository);
  assert.equal(first.exit, 4);
  assert.deepEqual([first.json.ingested, first.json.failed, first.json.succeeded], [2, 2, false]);
  assert.deepEqual(
    first.json.failures.map((
      row: { path: string; mediaType: string },
    ) => [row.path, row.mediaType]),
    [
      [".theurian/knowledge/b.md", "text/markdown"],
      [".theurian/knowledge/c.json", "application/json"],
    ],
  );
  assert.deepEqual(Object.keys(manifest(repository)), [
    ".theurian/knowledge/a.md",
    ".theurian/knowledge/d.yaml",
  ]);
  assert.equal(first.json.warnings[0].code, "front-matter-governed-field");
  const again = await ingest(repository);
  assert.deepEqual([again.exit, again.json.unchanged, again.json.failed], [4, 2, 2]);
  assert.deepEqual([again.json.ingested, again.json.warnings], [0, []]);
});

Deno.test("ingest parses again what changed, also when it is as long as before", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/knowledge/a.md", "---\nx: 1\n---\n\n# A");
  repository.write(".theurian/knowledge/b.md", "# B");
  await ingest(repository);
  repository.write(".theurian/knowledge/a.md", "---\nx: 2\n---\n\n# A");
  const { json } = await ingest(repository);
  assert.deepEqual([json.ingested, json.unchanged], [1, 1]);
});

Deno.test("ingest contains every read and never waits", async () => {
  using repository = temporaryRepository();
  const at = (name: string) => join(repository.root, ".theurian/knowledge", name);
  repository.write(".theurian/knowledge/real.md", "# R");
  repository.write(".theurian/knowledge/deep/x.md", "# X");
  Deno.symlinkSync("/etc/hostname", at("out.md"));
  Deno.symlinkSync("nowhere.md", at("dangling.md"));
  Deno.symlinkSync("real.md", at("in.md"));
  Deno.symlinkSync("deep", at("link"));
  Deno.symlinkSync("/etc", at("etc"));
  new Deno.Command("mkfifo", { args: [at("pipe.md")] }).outputSync();
  repository.write(".theurian/knowledge/big.md", new Uint8Array(8_388_609).fill(0x61));
  const { exit, json } = await ingest(repository);
  assert.equal(exit, 4);
  const names = (rows: { path: string }[]) => rows.map((row) => row.path.split("/knowledge/")[1]);
  assert.deepEqual(names(json.documents), ["deep/x.md", "in.md", "real.md"]);
  assert.deepEqual(names(json.failures), ["big.md", "dangling.md", "out.md", "pipe.md"]);
  assert(json.failures.every((row: { mediaType: null }) => row.mediaType === null));
});

Deno.test("ingest takes an unreadable manifest for an empty one, and drops what is gone", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/knowledge/a.md", "# A");
  for (const content of ["{", "[]", "7", '{"x": 1}', '{".theurian/knowledge/gone.md": "0"}']) {
    repository.write(".theurian/cache/ingestion.json", content);
    const { exit, json } = await ingest(repository);
    assert.deepEqual([exit, json.ingested], [0, 1], content);
    assert.deepEqual(Object.keys(manifest(repository)), [".theurian/knowledge/a.md"]);
  }
});

Deno.test("ingest that cannot write its manifest is exit 4", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/knowledge/a.md", "# A");
  const path = join(repository.root, ".theurian/cache/ingestion.json");
  repository.write("victim", "mine");
  Deno.mkdirSync(join(repository.root, ".theurian/cache"));
  for (
    const plant of [
      () => Deno.symlinkSync("../../victim", path),
      () => Deno.mkdirSync(path),
      () => new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    ]
  ) {
    plant();
    const { exit, json, stderr } = await ingest(repository);
    assert.deepEqual([exit, json], [4, null]);
    assert(JSON.parse(stderr).error.includes("ingestion.json"));
    Deno.removeSync(path);
  }
  assert.equal(repository.read("victim"), "mine");
});

Deno.test("ingest refuses a broken migration set and a directory outside Git", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/migrations/a.yaml", "x: [");
  assert.equal((await ingest(repository)).exit, 4);
  const outside = await runForTest(["ingest", "--json"], {
    cwd: repository.folder,
    environment: repository.environment,
  });
  assert.equal(outside.exit, 1);
});
