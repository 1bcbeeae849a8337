import assert from "node:assert/strict";
import { KnowledgeProject, migrationId } from "../../tests/support/knowledge_project.ts";
import { runForTest } from "./test_world.ts";

/** Runs a migrate command in the project. */
async function migrate(at: KnowledgeProject, ...words: readonly string[]) {
  const { exit, stdout, stderr } = await runForTest(["migrate", ...words], {
    cwd: at.root,
    environment: {
      HOME: at.folder,
      THEURIAN_DATA_DIR: at.dataDirectory,
      PATH: Deno.env.get("PATH") ?? "",
    },
  });
  return { exit, stdout, stderr };
}

const json = async (at: KnowledgeProject, ...words: readonly string[]) => {
  const { exit, stdout, stderr } = await migrate(at, ...words, "--json");
  return {
    exit,
    out: stdout === "" ? null : JSON.parse(stdout),
    err: stderr === "" ? null : JSON.parse(stderr),
  };
};

Deno.test("migrate status, validate and apply answer the documents of the contract", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  at.commit();
  const status = await json(at, "status");
  assert.deepEqual([status.exit, status.err], [0, null]);
  assert.deepEqual(Object.keys(status.out).sort(), [
    "applied",
    "pending",
    "pendingIds",
    "refusedIds",
    "stateBuilt",
    "stateHash",
    "total",
  ]);
  const validated = await json(at, "validate");
  assert.deepEqual(Object.keys(validated.out).sort(), [
    "applicationOrder",
    "contentFileCount",
    "migrationCount",
    "permissiveMoves",
    "stateHash",
    "valid",
  ]);
  assert.deepEqual(at.stateFiles(), []);
  const applied = await json(at, "apply");
  assert.deepEqual(Object.keys(applied.out).sort(), [
    "applied",
    "changed",
    "databaseCreated",
    "indexPurge",
    "operationsApplied",
    "permissiveMoves",
    "skipped",
    "stateHash",
  ]);
  assert.deepEqual(Object.keys(applied.out.indexPurge).sort(), [
    "failed",
    "indexBuildId",
    "published",
    "reason",
    "remedy",
    "removed",
  ]);
  assert.equal((await json(at, "status")).out.stateBuilt, true);
});

Deno.test("migrate apply refuses what is not committed, with the flag it takes it", async () => {
  using at = new KnowledgeProject();
  at.commit();
  at.migration(1, [at.upsert("a", 1)]);
  const refused = await json(at, "apply");
  assert.deepEqual([refused.exit, refused.out], [4, null]);
  assert.ok(refused.err.error.length > 0 && refused.err.remedy.length > 0);
  assert.equal((await json(at, "apply", "--allow-uncommitted")).exit, 0);
});

Deno.test("migrate validate passes a linked migration file and apply does not", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  Deno.renameSync(at.path(path), at.path("m.yaml"));
  Deno.symlinkSync("../../m.yaml", at.path(path));
  at.commit();
  assert.equal((await json(at, "validate")).exit, 0);
  assert.equal((await json(at, "apply")).exit, 4);
  assert.equal((await json(at, "apply", "--allow-uncommitted")).exit, 0);
});

Deno.test("migrate status prints its document over a broken set, exit 4 and nothing on stderr", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  at.write(".theurian/migrations/z.yaml", "a: [1\n");
  at.commit();
  const { exit, out, err } = await json(at, "status");
  assert.deepEqual([exit, err], [4, null]);
  assert.deepEqual([out.stateHash, out.total, out.pendingIds], [null, null, null]);
  assert.deepEqual(out.faults.map((fault: { path: string }) => fault.path), [
    ".theurian/migrations/z.yaml",
  ]);
  assert.equal((await json(at, "validate")).exit, 4);
  assert.equal((await json(at, "apply")).exit, 4);
});

Deno.test("migrate status says which migrations the guards refuse, and exits 0", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1, { aclGroup: "admins" })]);
  at.commit();
  const { exit, out } = await json(at, "status");
  assert.equal(exit, 0);
  assert.deepEqual(out.refusedIds, [migrationId(1)]);
});

Deno.test("a pipe in place of the pointer ends every command at once, exit 1", async () => {
  using at = new KnowledgeProject();
  at.commit();
  Deno.mkdirSync(at.path(".theurian/state"), { recursive: true });
  new Deno.Command("mkfifo", { args: [at.path(".theurian/state/active.json")] }).outputSync();
  for (const word of ["status", "validate", "apply"]) {
    assert.equal((await json(at, word)).exit, 1, word);
  }
});

Deno.test("migrate validate warns of relations in a circle and still passes", async () => {
  using at = new KnowledgeProject();
  const edge = (sourceItemId: string, targetItemId: string) => ({
    op: "addRelation",
    sourceItemId,
    relationType: "depends_on",
    targetItemId,
  });
  at.migration(1, [edge("a", "b"), edge("b", "a")]);
  at.commit();
  const { exit, stdout, stderr } = await migrate(at, "validate", "--json");
  assert.equal(exit, 0);
  assert.equal(JSON.parse(stdout).valid, true);
  assert.match(stderr, /a → b → a/);
});

Deno.test("migrate commands refuse a directory outside of a repository, exit 1, and options, exit 2", async () => {
  using at = new KnowledgeProject();
  for (const word of ["status", "validate", "apply"]) {
    assert.equal((await json(at, word)).exit, 1, word);
    assert.equal((await migrate(at, word, "--no-such-option")).exit, 2, word);
  }
});

Deno.test("the human output escapes what a file name tries to do to a terminal", async () => {
  using at = new KnowledgeProject();
  at.write(".theurian/migrations/\x1b[31mred\n.yaml", "a: [1\n");
  at.commit();
  const { exit, stdout } = await migrate(at, "status");
  assert.equal(exit, 4);
  assert.equal(stdout.includes("\x1b"), false);
  assert.ok(stdout.includes("\\x1b[31mred\\x0a.yaml"), stdout);
});
