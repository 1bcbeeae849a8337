import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { runForTest } from "./test_world.ts";

const CREATED = [
  ...["knowledge/architecture", "knowledge/domain", "knowledge/operations", "knowledge/security"],
  ...["knowledge/testing", "migrations", "specifications", "evaluations", "proposals"],
  ...["proposals-local", "schema", "state", "cache", "runtime", "generated"],
  ...["migrations/.gitkeep", "specifications/.gitkeep", "proposals/.gitkeep"],
].map((name) => `.theurian/${name}`);

type Repository = ReturnType<typeof temporaryRepository>;
const init = (repository: Repository, cwd = repository.root) =>
  runForTest(["init", "--json"], { cwd, environment: repository.environment });

Deno.test("init creates the layout in order, and a second run changes nothing", async () => {
  using repository = temporaryRepository();
  const first = await init(repository);
  assert.deepEqual([first.exit, first.stderr], [0, ""]);
  assert.deepEqual(JSON.parse(first.stdout), {
    projectId: "demo",
    root: repository.root,
    knowledgeDirectory: ".theurian",
    createdPaths: CREATED,
    gitignoreUpdated: true,
    changed: true,
  });
  Deno.mkdirSync(join(repository.root, "src"));
  const again = JSON.parse((await init(repository, join(repository.root, "src"))).stdout);
  assert.deepEqual([again.createdPaths, again.gitignoreUpdated, again.changed], [[], false, false]);
  const status = repository.git("status", "--porcelain", "-uall");
  assert(!/state|cache|runtime|generated|proposals-local/.test(status), status);
  assert(!repository.git("status", "--porcelain").includes("config.yaml"));
});

Deno.test("init refuses what stands in a directory's place, by name, and keeps what it made", async () => {
  for (
    const plant of [
      (path: string) => Deno.writeTextFileSync(path, "mine"),
      (path: string) => Deno.symlinkSync("nowhere", path),
    ]
  ) {
    using repository = temporaryRepository();
    Deno.mkdirSync(join(repository.root, ".theurian"));
    plant(join(repository.root, ".theurian/schema"));
    const { exit, stdout, stderr } = await init(repository);
    assert.deepEqual([exit, stdout], [1, ""]);
    assert.match(JSON.parse(stderr).error, /\.theurian\/schema/);
    assert(Deno.statSync(join(repository.root, ".theurian/proposals")).isDirectory);
  }
});

Deno.test("init takes a link to a directory inside the tree, and refuses one that leaves it", async () => {
  using repository = temporaryRepository();
  repository.write("docs/keep.md", "x");
  Deno.mkdirSync(join(repository.root, ".theurian/knowledge"), { recursive: true });
  Deno.symlinkSync("../../docs", join(repository.root, ".theurian/knowledge/domain"));
  assert.equal((await init(repository)).exit, 0);
  for (const name of ["schema", "knowledge/testing", "state"]) {
    using other = temporaryRepository();
    Deno.mkdirSync(join(other.root, ".theurian/knowledge"), { recursive: true });
    Deno.symlinkSync(other.folder, join(other.root, `.theurian/${name}`));
    const { exit, stdout } = await init(other);
    assert.deepEqual([exit, stdout], [4, ""], name);
    assert.throws(() => Deno.statSync(join(other.root, ".theurian/migrations")));
  }
});

Deno.test("init goes on over a broken migration set, with one warning", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/migrations/a.yaml", "x: [");
  repository.write(".theurian/migrations/b.yaml", "x: [");
  const { exit, stdout, stderr } = await init(repository);
  assert.equal(exit, 0);
  assert.equal(JSON.parse(stdout).changed, true);
  assert.match(stderr, /^warning: [^\n]*a\.yaml and 1 more[^\n]*theurian migrate status`\n$/);
});

Deno.test("init outside Git is exit 1 with both keys", async () => {
  using repository = temporaryRepository();
  const { exit, stdout, stderr } = await init(repository, repository.folder);
  assert.deepEqual([exit, stdout], [1, ""]);
  assert.deepEqual(Object.keys(JSON.parse(stderr)).sort(), ["error", "remedy"]);
});

Deno.test("init leaves directories it made when .gitignore cannot be written", async () => {
  using repository = temporaryRepository();
  Deno.symlinkSync("elsewhere", join(repository.root, ".gitignore"));
  const { exit, stderr } = await init(repository);
  assert.equal(exit, 1);
  assert.match(JSON.parse(stderr).error, /\.gitignore: it is a symbolic link/);
  assert(Deno.statSync(join(repository.root, ".theurian/state")).isDirectory);
});
