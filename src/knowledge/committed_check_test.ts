import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { KnowledgeProject } from "../../tests/support/knowledge_project.ts";
import { checkCommitted } from "./committed_check.ts";
import { loadMigrationSet } from "./load_migrations.ts";

const check = (at: KnowledgeProject) =>
  checkCommitted(at.root, loadMigrationSet(at.project.paths, { toApply: true }));

const refuses = (at: KnowledgeProject, why: RegExp) =>
  assert.rejects(check(at), (error) => {
    assert.ok(isFault(error, "migration-uncommitted"), String(error));
    assert.equal(error.exit, 4);
    assert.match(error.message, why);
    assert.match(error.remedy, /--allow-uncommitted/);
    return true;
  });

Deno.test("checkCommitted() passes what HEAD holds and refuses untracked, staged and changed files", async () => {
  using at = new KnowledgeProject();
  at.commit();
  const path = at.migration(1, [at.upsert("a", 1)]);
  await refuses(at, /is not committed/);
  at.git("add", "--all");
  await refuses(at, /is not committed/);
  at.commit();
  await check(at);
  Deno.writeTextFileSync(at.path(path), "\n", { append: true });
  await refuses(at, /differs from HEAD/);
  at.git("add", "--all");
  await refuses(at, /differs from HEAD/);
});

Deno.test("checkCommitted() needs no repository for no migrations, and a commit for one", async () => {
  using at = new KnowledgeProject();
  await check(at);
  at.migration(1, [at.upsert("a", 1)]);
  await refuses(at, /is not committed/);
  at.git("init", "--quiet");
  await refuses(at, /is not committed/);
});

Deno.test("checkCommitted() wants a renamed file committed under its new name", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  at.commit();
  Deno.renameSync(at.path(path), at.path(".theurian/migrations/new.yaml"));
  await refuses(at, /new\.yaml: it is not committed/);
});

Deno.test("checkCommitted() refuses a committed migration whose name the loader cannot see", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  // A name that holds the replacement character itself is an ordinary one.
  Deno.renameSync(at.path(path), at.path(".theurian/migrations/\ufffd.yaml"));
  at.commit();
  await check(at);
  const bytes = [
    "-c",
    "cp * $(printf 'x\\377.yaml'); cp x* $(printf 'x\\377.md'); mkdir d; cp *.yaml d",
  ];
  new Deno.Command("sh", { args: bytes, cwd: at.path(".theurian/migrations") }).outputSync();
  at.commit();
  await assert.rejects(check(at), (error) => {
    assert.ok(isFault(error, "migration-set-invalid"), String(error));
    assert.equal(error.exit, 4);
    assert.match(error.message, /x\ufffd\.yaml: its name is not UTF-8/);
    return true;
  });
});

Deno.test("checkCommitted() does not look at bodies: their pin is committed", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  at.git("init", "--quiet");
  at.git("add", path);
  at.git("commit", "--quiet", "--message", "m");
  await check(at);
});

Deno.test("checkCommitted() honours line-end rules: CRLF on disk, LF at HEAD", async () => {
  for (const rule of ["attribute", "autocrlf"]) {
    using at = new KnowledgeProject();
    const path = at.migration(1, [at.upsert("a", 1)]);
    if (rule === "attribute") at.write(".gitattributes", "*.yaml text eol=crlf\n");
    at.commit();
    if (rule === "autocrlf") at.git("config", "core.autocrlf", "true");
    at.write(path, at.read(path).replaceAll("\n", "\r\n"));
    await check(at);
    at.write(path, at.read(path).replace("team", "toam"));
    await refuses(at, /differs from HEAD/);
  }
});

Deno.test("checkCommitted() passes committed files with strange names", async () => {
  using at = new KnowledgeProject();
  const names = [
    "-dash.yaml",
    ":(top)x é.yaml",
    `quote".yaml`,
    "back\\slash.yaml",
    "new\nline.yaml",
  ];
  names.forEach((name, i) => {
    const path = at.migration(i + 1, [at.upsert(`i${i}`, i + 1)]);
    Deno.renameSync(at.path(path), at.path(`.theurian/migrations/${name}`));
  });
  await refuses(at, /is not committed/);
  at.commit();
  await check(at);
});

Deno.test("checkCommitted() never passes a symbolic link, or a file behind one", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  Deno.mkdirSync(at.path("docs"));
  Deno.renameSync(at.path(path), at.path("docs/m.yaml"));
  Deno.symlinkSync("../../docs/m.yaml", at.path(path));
  at.commit();
  await refuses(at, /is not committed/);
  using behind = new KnowledgeProject();
  behind.migration(1, [behind.upsert("a", 1)]);
  Deno.renameSync(behind.path(".theurian/migrations"), behind.path(".theurian/real"));
  Deno.symlinkSync("real", behind.path(".theurian/migrations"));
  behind.commit();
  await refuses(behind, /is not committed/);
});

Deno.test("checkCommitted() works in a repository that names objects by SHA-256", async () => {
  using at = new KnowledgeProject();
  at.git("init", "--quiet", "--object-format=sha256");
  const path = at.migration(1, [at.upsert("a", 1)]);
  at.commit();
  await check(at);
  at.write(path, at.read(path) + "\n");
  await refuses(at, /differs from HEAD/);
});

Deno.test("apply refuses an uncommitted migration and leaves nothing; the flag lets it pass", async () => {
  using at = new KnowledgeProject();
  at.commit();
  at.migration(1, [at.upsert("a", 1)]);
  await assert.rejects(
    at.apply({ allowUncommitted: false }),
    (error) => isFault(error, "migration-uncommitted"),
  );
  assert.deepEqual(at.stateFiles(), []);
  assert.equal((await at.apply()).changed, true);
  at.commit();
  assert.equal((await at.apply({ allowUncommitted: false })).changed, false);
});
