import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { KnowledgeProject, migrationId } from "../../tests/support/knowledge_project.ts";
import { inspectMigrationSet, loadMigrationSet } from "./load_migrations.ts";
import { migrationStatus } from "./migration_status.ts";
import { knownDocumentsPath, openSourceCache, sourceCachePath } from "./source_cache.ts";

/** A project whose apply found every file settled. */
async function cached(): Promise<KnowledgeProject> {
  const at = new KnowledgeProject();
  at.now = Date.now() + 60_000;
  at.migration(1, [at.upsert("a", 1)]);
  at.migration(2, [at.upsert("b", 2)]);
  await at.apply();
  return at;
}

const load = (at: KnowledgeProject) =>
  loadMigrationSet(at.project.paths, {
    cache: openSourceCache(at.project.paths, at.dataDirectory, at.now),
  });

const cachePath = (at: KnowledgeProject) => sourceCachePath(at.project.paths);
const documentsPath = (at: KnowledgeProject) => knownDocumentsPath(at.project.paths);

/** Rewrites a file of the cache as someone who can write it would. */
function rewrite(path: string, change: (text: string) => string): void {
  Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
}

const authorOf = (at: KnowledgeProject) => load(at).byId.get(migrationId(1))!.migration.author;

interface Row {
  readonly signature: readonly number[] | null;
  /** Of the one body; zeros where it is not remembered. */
  readonly bodySignatures: readonly number[];
}

const isRemembered = ({ signature, bodySignatures }: Row) =>
  signature !== null && bodySignatures.length === 5 && bodySignatures.every((value) => value > 0);

/** Replaces the author of every migration in the cache, without moving a byte. */
const plant = (text: string) => text.replaceAll("ada@example.org", "planted@cache.x");

Deno.test("a settled file is taken from the cache, without reading or parsing it", async () => {
  using at = await cached();
  assert.equal(authorOf(at), "ada@example.org");
  rewrite(documentsPath(at), plant);
  assert.equal(authorOf(at), "planted@cache.x");
});

Deno.test("a cache with another seal, version or form is not believed", async () => {
  const changes: ((text: string) => string)[] = [
    (text) => text.replace(/"seal":"[^"]+"/, `"seal":"guessed"`),
    (text) => text.replace(/"version":"[^"]+"/, `"version":"0.0.1"`),
    (text) => text.replace(/"rules":\d+/, `"rules":0`),
    (text) => text.slice(0, -1),
    () => "",
    () => "null",
    () => "[]",
  ];
  for (const change of changes) {
    using at = await cached();
    rewrite(documentsPath(at), plant);
    rewrite(cachePath(at), change);
    assert.equal(authorOf(at), "ada@example.org", change.toString());
  }
  using at = await cached();
  rewrite(documentsPath(at), plant);
  Deno.removeSync(at.dataDirectory, { recursive: true });
  assert.equal(authorOf(at), "ada@example.org");
});

Deno.test("whole migrations of another seal, cut or moved are parsed again, and kept again", async () => {
  const changes: ((text: string) => string)[] = [
    (text) => text.replace(/"seal":"[^"]+"/, (seal) => seal.replace(/.(?="$)/, "~")),
    (text) => text.slice(0, 200),
    (text) =>
      text.replaceAll(/^[0-9a-f]{64}/gm, (checksum) => checksum.split("").reverse().join("")),
    (text) => text.replaceAll("}", "]"),
    () => "",
  ];
  for (const change of changes) {
    using at = await cached();
    rewrite(documentsPath(at), (text) => change(plant(text)));
    assert.equal(authorOf(at), "ada@example.org", change.toString());
    at.remove(".theurian/state");
    assert.equal((await at.apply()).applied.length, 2);
    rewrite(documentsPath(at), plant);
    assert.equal(authorOf(at), "planted@cache.x", "kept by the apply that needed it");
  }
});

Deno.test("whole migrations of files that are gone do not pile up", async () => {
  using at = await cached();
  const before = Deno.statSync(documentsPath(at)).size;
  for (let n = 3; n < 20; n++) {
    const items = Array.from({ length: 150 }, (_, i) => at.upsert(`c${i}`, 150 * n + i));
    at.migration(n, items);
    await at.apply();
    assert.ok(Deno.statSync(documentsPath(at)).size > before + 60_000);
    at.remove(`.theurian/migrations/${migrationId(n)}-m.yaml`);
  }
  assert.ok(Deno.statSync(documentsPath(at)).size < 400_000);
  assert.equal(authorOf(at), "ada@example.org");
});

Deno.test("every change of a file is seen, also one that keeps size and time", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  at.migration(2, [at.upsert("b", 2)]);
  await new Promise((resolve) => setTimeout(resolve, 3000)); // Settled by the machine's own clock.
  at.now = Date.now();
  await at.apply();
  const { migrations } = JSON.parse(Deno.readTextFileSync(cachePath(at)));
  assert.ok(migrations.every(isRemembered));
  const body = at.path(".theurian/knowledge/a-1.md");
  const { mtime, atime } = Deno.statSync(body);
  Deno.writeTextFileSync(body, "BODY 1 of a\n");
  Deno.utimeSync(body, atime!, mtime!);
  assert.throws(() => load(at), (error) => isFault(error, "migration-invalid"));
  Deno.writeTextFileSync(body, "body 1 of a\n");
  load(at);
  const below = `.theurian/migrations/${migrationId(2)}-m.yaml`;
  const path = at.path(below);
  const stat = Deno.statSync(path);
  at.write(below, at.read(below).replace("team", "maet"));
  Deno.utimeSync(path, stat.atime!, stat.mtime!);
  const { stateHash } = JSON.parse(at.read(".theurian/state/active.json"));
  assert.notEqual(load(at).stateHash, stateHash);
  assert.equal(load(at).stateHash, loadMigrationSet(at.project.paths).stateHash);
});

Deno.test("a body that was replaced, linked or moved away is looked at again", async () => {
  using at = await cached();
  const body = at.path(".theurian/knowledge/a-1.md");
  Deno.renameSync(body, at.path("moved.md"));
  assert.throws(() => load(at), (error) => isFault(error, "file-missing"));
  Deno.symlinkSync("../../moved.md", body);
  load(at);
  Deno.renameSync(at.path("moved.md"), `${at.folder}/outside.md`);
  Deno.removeSync(body);
  Deno.symlinkSync("../../../outside.md", body);
  assert.throws(() => load(at), (error) => isFault(error, "path-escape"));
});

Deno.test("a folder that became a link out of the project is refused although its files are known", async () => {
  using at = new KnowledgeProject();
  at.now = Date.now() + 60_000;
  at.write(".theurian/knowledge/sub/a.md", "body 1 of a\n");
  at.migration(1, [at.upsert("a", 1, {}, { contentFile: "../knowledge/sub/a.md" })]);
  await at.apply();
  load(at);
  Deno.renameSync(at.path(".theurian/knowledge/sub"), `${at.folder}/moved`);
  Deno.symlinkSync("../../../moved", at.path(".theurian/knowledge/sub"));
  assert.throws(() => load(at), (error) => isFault(error, "path-escape"));
});

Deno.test("a file that changed a moment ago is not remembered by its signature", async () => {
  using at = new KnowledgeProject();
  at.now = Date.now();
  at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  const { migrations } = JSON.parse(Deno.readTextFileSync(cachePath(at)));
  assert.deepEqual(migrations.map((row: Row) => row.signature), [null]);
  assert.deepEqual(migrations.map((row: Row) => row.bodySignatures), [[0, 0, 0, 0, 0]]);
  at.now += 60_000;
  await at.apply();
  const later = JSON.parse(Deno.readTextFileSync(cachePath(at)));
  assert.ok(later.migrations.every(isRemembered));
});

Deno.test("an apply of a known set reads the bodies it needs and keeps the cache as it is", async () => {
  using at = await cached();
  const before = Deno.readTextFileSync(cachePath(at));
  at.remove(".theurian/state");
  assert.equal((await at.apply()).applied.length, 2);
  assert.equal(Deno.readTextFileSync(cachePath(at)), before);
  at.remove(`.theurian/migrations/${migrationId(2)}-m.yaml`);
  await at.apply();
  assert.equal(JSON.parse(Deno.readTextFileSync(cachePath(at))).migrations.length, 1);
});

Deno.test("faults are the same with the cache as without it", async () => {
  using at = await cached();
  at.write(".theurian/migrations/z.yaml", "a: [1\n");
  at.write(".theurian/knowledge/b-2.md", "other");
  const cache = openSourceCache(at.project.paths, at.dataDirectory, at.now);
  const { faults } = inspectMigrationSet(at.project.paths, { cache });
  assert.equal(faults.length, 2);
  assert.deepEqual(faults, inspectMigrationSet(at.project.paths).faults);
  assert.deepEqual(migrationStatus(at.project, at.dataDirectory).faults, faults);
});

Deno.test("a link where the cache belongs is neither read nor written, and stops nothing", async () => {
  using at = new KnowledgeProject();
  at.now = Date.now() + 60_000;
  at.migration(1, [at.upsert("a", 1)]);
  at.write("victim", "mine");
  Deno.mkdirSync(at.path(".theurian/cache"));
  Deno.symlinkSync("../../victim", cachePath(at));
  assert.equal((await at.apply()).changed, true);
  assert.equal(at.read("victim"), "mine");
});
