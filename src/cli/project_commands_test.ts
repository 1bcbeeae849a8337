import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { runForTest } from "./test_world.ts";

type Repository = ReturnType<typeof temporaryRepository>;

function runner(repository: Repository) {
  return async (args: string, cwd = repository.root) => {
    const result = await runForTest([...args.split(" "), "--json"], {
      cwd,
      environment: repository.environment,
    });
    const text = result.exit === 0 ? result.stdout : result.stderr;
    return { exit: result.exit, json: JSON.parse(text), stderr: result.stderr };
  };
}

function registry(repository: Repository, content: unknown): void {
  Deno.mkdirSync(repository.dataDirectory, { recursive: true, mode: 0o700 });
  const text = typeof content === "string" ? content : JSON.stringify(content);
  Deno.writeTextFileSync(join(repository.dataDirectory, "projects.json"), text);
}

Deno.test("project register shows what it stored, and once more changes nothing", async () => {
  using repository = temporaryRepository();
  repository.git("remote", "add", "origin", "https://ada:hunter2@git.example/acme/demo.git");
  const run = runner(repository);
  const { json } = await run("project register");
  assert.deepEqual(json, {
    projectId: "demo",
    root: repository.root,
    repositoryUrl: "https://git.example/acme/demo.git",
    defaultBranch: "main",
    initialized: false,
    changed: true,
  });
  assert.equal((await run("project register")).json.changed, false);
  const stored = Deno.readTextFileSync(join(repository.dataDirectory, "projects.json"));
  assert(!stored.includes("hunter2"));
  assert.equal(Deno.statSync(repository.dataDirectory).mode! & 0o777, 0o700);
  const { json: list } = await run("project list");
  assert.deepEqual([list.count, list.projects[0].projectId, list.unreadable, list.remedy], [
    1,
    "demo",
    [],
    undefined,
  ]);
});

Deno.test("project register by a path, from anywhere, and by an id that frees a clash", async () => {
  using repository = temporaryRepository("api");
  const second = join(repository.folder, "b/api");
  Deno.mkdirSync(join(repository.folder, "b"));
  repository.git("worktree", "add", "-q", second, "-b", "side");
  const run = runner(repository);
  assert.equal((await run(`project register ${repository.root}`, repository.folder)).exit, 0);
  const clash = await run("project register", second);
  assert.equal(clash.exit, 1);
  assert.match(clash.json.remedy, /--project-id/);
  const status = await run("project status", second);
  assert.equal(status.json.registered, false);
  assert.equal((await run("project register --project-id api-b", second)).json.changed, true);
  assert.equal((await run("project status", second)).json.projectId, "api-b");
  assert.equal((await run("project register --project-id other")).exit, 1);
  assert.equal((await run("project register /nonexistent/path")).exit, 1);
  assert.equal((await run("project register", repository.folder)).exit, 1);
});

Deno.test("project register takes an empty id for none and refuses a malformed one", async () => {
  using repository = temporaryRepository();
  const environment = repository.environment;
  const register = (id: string) =>
    runForTest(["project", "register", "--project-id", id, "--json"], {
      cwd: repository.root,
      environment,
    });
  assert.equal((await register("Not An Id")).exit, 1);
  assert.equal(JSON.parse((await register("")).stdout).projectId, "demo");
});

Deno.test("project register warns of a broken migration set and refuses a path that escapes", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/migrations/a.yaml", "x: [");
  const run = runner(repository);
  const { exit, stderr } = await run("project register");
  assert.equal(exit, 0);
  assert.match(stderr, /^warning: /);
  using other = temporaryRepository("other");
  Deno.symlinkSync(other.folder, join(other.root, ".theurian"));
  assert.equal((await runner(other)("project register")).exit, 4);
  assert.equal((await runner(other)("project status")).exit, 4);
});

Deno.test("project unregister takes any key and touches no project file", async () => {
  using repository = temporaryRepository();
  registry(repository, { "Team One/API": { rootPath: "." }, demo: { rootPath: repository.root } });
  repository.write(".theurian/state/x", "kept");
  const unregister = async (key: string) =>
    JSON.parse(
      (await runForTest(["project", "unregister", "--json", "--", key], {
        environment: repository.environment,
      })).stdout,
    );
  for (const [key, removed] of [["Team One/API", true], ["Team One/API", false], ["demo", true]]) {
    const json = await unregister(key as string);
    assert.deepEqual([json.projectId, json.removed, json.knowledgePreserved], [key, removed, true]);
    assert(json.note.length > 0);
  }
  assert.equal(repository.read(".theurian/state/x"), "kept");
});

Deno.test("project list publishes stored entries verbatim and names what it cannot read", async () => {
  using repository = temporaryRepository();
  registry(repository, {
    "Bad Id": { rootPath: "/x", projectId: "shadowed", extra: 1 },
    rootless: { rootPath: "." },
  });
  const { json } = await runner(repository)("project list");
  assert.deepEqual(json.projects, [{ rootPath: "/x", projectId: "Bad Id", extra: 1 }]);
  assert.deepEqual(json.unreadable, ["rootless"]);
  assert.match(json.remedy, /theurian project unregister -- rootless/);
  registry(repository, "{bad");
  const broken = await runner(repository)("project list");
  assert.equal(broken.exit, 1);
  assert.match(broken.json.remedy, /^Inspect /);
});

Deno.test("project status answers for a fresh repository", async () => {
  using repository = temporaryRepository();
  const { json } = await runner(repository)("project status");
  assert.deepEqual(json, {
    projectId: "demo",
    root: repository.root,
    registered: false,
    initialized: false,
    stateHash: "d9a6a7bd8afcfe74d9a0b3236b671a809b28602494f8b094092279e89cbd1049",
    activeStateHash: null,
    stateBuilt: false,
    indexStale: true,
    statePointerCorrupt: false,
    migrationCount: 0,
    headCommit: repository.git("rev-parse", "HEAD").trim(),
    schemaVersion: 4,
    engineVersion: 1,
    unreadable: [],
  });
  Deno.mkdirSync(join(repository.folder, "empty"));
  new Deno.Command("git", { args: ["init", "-q"], cwd: join(repository.folder, "empty") })
    .outputSync();
  const unborn = await runner(repository)("project status", join(repository.folder, "empty"));
  assert.equal(unborn.json.headCommit, null);
});

Deno.test("project status is exit 0 outside Git, with a reason", async () => {
  using repository = temporaryRepository();
  const { exit, json } = await runner(repository)("project status", repository.folder);
  assert.equal(exit, 0);
  assert.deepEqual(Object.keys(json).sort(), ["reason", "registered", "remedy", "unreadable"]);
  assert.deepEqual([json.registered, json.unreadable], [false, []]);
});

Deno.test("project status is exit 0 where nothing of the machine can be asked", async () => {
  using repository = temporaryRepository();
  const gone = () => {
    throw new Deno.errors.NotFound();
  };
  const worlds = [
    { cwd: repository.root, environment: {} },
    { environment: repository.environment, world: { currentDirectory: gone } },
  ];
  for (const world of worlds) {
    const { exit, stdout } = await runForTest(["project", "status", "--json"], world);
    assert.equal(exit, 0);
    const { registered, reason, remedy, unreadable } = JSON.parse(stdout);
    assert.deepEqual([registered, unreadable], [null, []]);
    assert(reason.length > 0 && remedy.length > 0);
  }
});

Deno.test("project status says why it cannot tell: migrations, registry, entries, two ids", async () => {
  using repository = temporaryRepository();
  const status = async () => {
    const { exit, json } = await runner(repository)("project status");
    assert.equal(exit, 0);
    assert(json.reason.length > 0 && json.remedy.length > 0);
    return json;
  };
  registry(repository, { demo: { rootPath: repository.root } });
  repository.write(".theurian/migrations/a.yaml", "x: [");
  const broken = await status();
  assert.equal(broken.registered, true);
  assert.match(broken.reason, /a\.yaml/);
  registry(repository, "{bad");
  const both = await status();
  assert.equal(both.registered, null);
  assert.match(both.reason, /a\.yaml/);
  assert(both.registryReason.length > 0 && both.registryRemedy.length > 0);
  Deno.removeSync(join(repository.root, ".theurian/migrations/a.yaml"));
  const corrupt = await status();
  assert.deepEqual([corrupt.registered, corrupt.reason], [null, corrupt.registryReason]);
  registry(repository, { demo: { rootPath: repository.root }, x: { rootPath: "." } });
  const rootless = await status();
  assert.deepEqual([rootless.registered, rootless.unreadable], [null, ["x"]]);
  assert.match(rootless.remedy, /unregister -- x/);
  registry(repository, { a: { rootPath: repository.root }, b: { rootPath: repository.root } });
  assert.equal((await status()).registered, true);
});

Deno.test("project status reports a pointer that cannot be read, at once", async () => {
  using repository = temporaryRepository();
  const pointer = join(repository.root, ".theurian/state/active.json");
  for (const content of ["[]", "{", '{"stateHash":"x"}']) {
    repository.write(".theurian/state/active.json", content);
    const { exit, json } = await runner(repository)("project status");
    assert.deepEqual([exit, json.statePointerCorrupt, json.activeStateHash], [0, true, null]);
    assert.match(json.remedy, /theurian migrate apply/);
  }
  Deno.removeSync(pointer);
  new Deno.Command("mkfifo", { args: [pointer] }).outputSync();
  const { json } = await runner(repository)("project status");
  assert.equal(json.statePointerCorrupt, true);
});
