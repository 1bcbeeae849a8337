import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import {
  KnowledgeProject,
  migrationId,
  revisionId,
} from "../../tests/support/knowledge_project.ts";
import { guardViolations, refusedIds } from "./guards.ts";
import { inspectMigrationSet, loadMigrationSet } from "./load_migrations.ts";

const load = (at: KnowledgeProject) => loadMigrationSet(at.project.paths);
const faultsOf = (at: KnowledgeProject) => inspectMigrationSet(at.project.paths).faults;

const exits = (exit: number) => (error: unknown) => {
  assert.ok(isFault(error), String(error));
  assert.equal(error.exit, exit, error.message);
  return true;
};

/** The text of a migration file with one createItem and one more line. */
const text = (n: number, more = "") =>
  `apiVersion: theurian.dev/v1\nid: ${migrationId(n)}\ncreatedAt: "2026-01-01T00:00:00Z"\n` +
  `author: ada\noperations:\n  - {op: createItem, itemId: a${n}, kind: domain, ` +
  `namespace: n, owner: o}\n${more}`;

Deno.test("loadMigrationSet() takes .yaml and hidden files and ignores other names and folders", () => {
  using at = new KnowledgeProject();
  at.write(".theurian/migrations/.hidden.yaml", text(1));
  at.write(".theurian/migrations/a.yml", "not read: [");
  at.write(".theurian/migrations/a.YAML", "not read: [");
  at.write(".theurian/migrations/notes.txt", "x");
  at.write(".theurian/migrations/x.yaml/inside.yaml", "not read: [");
  at.write(".theurian/migrations/sub/y.yaml", "not read: [");
  assert.deepEqual(load(at).applicationOrder, [migrationId(1)]);
});

Deno.test("loadMigrationSet() refuses a link that leads nowhere or in a circle, never a smaller set", () => {
  for (const target of ["none.yaml", "loop.yaml"]) {
    using at = new KnowledgeProject();
    at.write(".theurian/migrations/a.yaml", text(1));
    Deno.symlinkSync(target, at.path(".theurian/migrations/loop.yaml"));
    assert.throws(() => load(at), exits(4));
    assert.deepEqual(faultsOf(at).map((fault) => fault.path), [".theurian/migrations/loop.yaml"]);
  }
});

Deno.test("loadMigrationSet() follows a link inside the project and refuses one that leaves it", () => {
  using at = new KnowledgeProject();
  at.write("docs/m.txt", text(1));
  Deno.symlinkSync("../../docs/m.txt", at.path(".theurian/migrations/in.yaml"));
  assert.deepEqual(load(at).applicationOrder, [migrationId(1)]);
  Deno.writeTextFileSync(`${at.folder}/outside.yaml`, text(2));
  Deno.symlinkSync("../../../outside.yaml", at.path(".theurian/migrations/out.yaml"));
  assert.throws(() => load(at), exits(4));
  assert.deepEqual(faultsOf(at).map((fault) => fault.path), [".theurian/migrations/out.yaml"]);
});

Deno.test("loadMigrationSet() refuses a pipe named like a migration without opening it", () => {
  using at = new KnowledgeProject();
  at.write(".theurian/migrations/a.yaml", text(1));
  new Deno.Command("mkfifo", { args: [at.path(".theurian/migrations/p.yaml")] }).outputSync();
  assert.throws(() => load(at), exits(1));
  Deno.symlinkSync("p.yaml", at.path(".theurian/migrations/l.yaml"));
  assert.deepEqual(faultsOf(at).map(({ path }) => path.split("/").at(-1)), ["l.yaml", "p.yaml"]);
});

Deno.test("loadMigrationSet() refuses a migrations folder that is a link to nowhere, a loop or outside", () => {
  for (const target of ["none", "migrations", "../../outside"]) {
    using at = new KnowledgeProject();
    const { paths } = at.project;
    Deno.mkdirSync(`${at.folder}/outside`);
    at.remove(".theurian/migrations");
    Deno.symlinkSync(target, at.path(".theurian/migrations"));
    assert.throws(() => loadMigrationSet(paths), exits(4), target);
  }
});

Deno.test("loadMigrationSet() reads a linked migrations folder from where it resolves", () => {
  using at = new KnowledgeProject();
  at.remove(".theurian/migrations");
  Deno.mkdirSync(at.path("docs/sub"), { recursive: true });
  Deno.symlinkSync("../docs/sub", at.path(".theurian/migrations"));
  at.write("docs/knowledge/a-1.md", "body 1 of a\n");
  at.migration(1, [at.upsert("a", 1)]);
  assert.equal(load(at).contentFileCount, 1);
});

Deno.test("loadMigrationSet() refuses a folder that cannot be listed", { ignore: isRoot() }, () => {
  using at = new KnowledgeProject();
  Deno.chmodSync(at.path(".theurian/migrations"), 0);
  try {
    assert.throws(() => load(at), exits(4));
  } finally {
    Deno.chmodSync(at.path(".theurian/migrations"), 0o755);
  }
});

function isRoot(): boolean {
  return Deno.uid() === 0;
}

Deno.test("inspectMigrationSet() names every bad file, where and by which rule", () => {
  using at = new KnowledgeProject();
  at.write(".theurian/migrations/1.yaml", text(1, "author: again\n"));
  at.write(".theurian/migrations/2.yaml", text(2, "extra: 1\n"));
  at.write(".theurian/migrations/3.yaml", text(3).replace("kind: domain", "kind: domani"));
  at.write(".theurian/migrations/4.yaml", text(4).replace("2026-01-01T00:00:00Z", "2026-02-30"));
  at.write(".theurian/migrations/5.yaml", text(5));
  const { set, faults, stateHash } = inspectMigrationSet(at.project.paths);
  assert.deepEqual([set, stateHash], [null, null]);
  assert.deepEqual(faults.map(({ path, location }) => [path.split("/").at(-1), location]), [
    ["1.yaml", "line 7, column 1"],
    ["2.yaml", "<root>"],
    ["3.yaml", "operations/0/kind"],
    ["4.yaml", "createdAt"],
  ]);
  assert.match(faults[1]!.rule, /"extra"/);
  assert.match(faults[2]!.rule, /one of architecture, .*\(enum\); found "domani" \(line 6\)/);
  assert.throws(() => load(at), (error) => isFault(error, "yaml-invalid"));
});

Deno.test("loadMigrationSet() refuses duplicate ids, missing and own dependencies, and cycles", () => {
  const sets: [string, (at: KnowledgeProject) => void, string, string][] = [
    ["duplicate", (at) => at.write(".theurian/migrations/z.yaml", text(1)), "z.yaml", "id"],
    ["missing", (at) => at.migration(2, op, { dependsOn: [migrationId(9)] }), "2", "dependsOn/0"],
    ["own", (at) => at.migration(2, op, { dependsOn: [migrationId(2)] }), "2", "dependsOn/0"],
    [
      "cycle",
      (at) => {
        at.migration(2, op, { dependsOn: [migrationId(3)] });
        at.migration(3, op, { dependsOn: [migrationId(2)] });
      },
      "2",
      "dependsOn",
    ],
  ];
  for (const [name, make, file, location] of sets) {
    using at = new KnowledgeProject();
    at.write(".theurian/migrations/a.yaml", text(1));
    make(at);
    assert.throws(() => load(at), exits(4), name);
    const [fault] = faultsOf(at);
    assert.equal(fault?.location, location, name);
    const id = file.endsWith(".yaml") ? file : `${migrationId(Number(file))}-m.yaml`;
    assert.equal(fault?.path, `.theurian/migrations/${id}`, name);
  }
});

const op = [{ op: "createItem", itemId: "x", kind: "domain", namespace: "n", owner: "o" }];

Deno.test("a missing body is named, an escaping one is not", () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1, {}, { contentFile: "../knowledge/gone.md" })]);
  assert.match(faultsOf(at)[0]!.rule, /gone\.md/);
  at.migration(1, [at.upsert("a", 1, {}, { contentFile: "../../../../etc/secret-name" })]);
  const [fault] = faultsOf(at);
  assert.doesNotMatch(JSON.stringify(fault), /secret-name/);
  assert.equal(fault?.location, "operations/0/contentFile");
});

Deno.test({
  name: "a body that the system withholds asks for its mode, not for another text",
  ignore: Deno.build.os === "windows" || Deno.uid() === 0, // The superuser may read everything.
  fn: () => {
    using at = new KnowledgeProject();
    at.migration(1, [at.upsert("a", 1)]);
    Deno.chmodSync(at.path(".theurian/knowledge/a-1.md"), 0);
    assert.throws(() => load(at), (error) => {
      assert.ok(isFault(error), String(error));
      assert.equal(error.exit, 4);
      assert.match(error.remedy, /ls -ld .*a-1\.md/);
      return true;
    });
  },
});

Deno.test("one body file stands for one revision, whatever its spelling; equal bytes are no claim", () => {
  const variants: [string, (at: KnowledgeProject) => string, boolean][] = [
    ["hard link", (at) => {
      Deno.linkSync(at.path(".theurian/knowledge/a-1.md"), at.path(".theurian/knowledge/h.md"));
      return "../knowledge/h.md";
    }, true],
    ["other spelling", () => "../knowledge/./a-1.md", true],
    ["link", (at) => {
      Deno.symlinkSync("a-1.md", at.path(".theurian/knowledge/l.md"));
      return "../knowledge/l.md";
    }, true],
    ["copy", (at) => {
      at.write(".theurian/knowledge/c.md", "body 1 of a\n");
      return "../knowledge/c.md";
    }, false],
  ];
  for (const [name, make, refused] of variants) {
    using at = new KnowledgeProject();
    const first = at.upsert("a", 1);
    at.migration(1, [first]);
    const contentFile = make(at);
    at.migration(2, [{ ...first, itemId: "b", revisionId: revisionId(2), contentFile }]);
    const set = load(at);
    assert.equal(set.contentFileCount, 1, name);
    assert.deepEqual(refusedIds(set), refused ? [migrationId(2)] : [], name);
    if (!refused) continue;
    const reason = guardViolations(set)[0]?.reason ?? "";
    for (const part of [revisionId(1), revisionId(2), migrationId(1), migrationId(2)]) {
      assert.ok(reason.includes(part), name);
    }
  }
});

Deno.test("a body may be any file inside the project, also through links that stay inside", () => {
  using at = new KnowledgeProject();
  at.write("README.md", "body 1 of a\n");
  at.write("docs/sub/x.md", "");
  at.write("docs/a.md", "body 1 of a\n");
  Deno.symlinkSync("../../docs/sub", at.path(".theurian/knowledge/l"));
  for (
    const contentFile of ["../../README.md", "../knowledge/l/../a.md", "none/../../../README.md"]
  ) {
    at.migration(1, [at.upsert("a", 1, {}, { contentFile })]);
    assert.equal(load(at).contentFileCount, 1, contentFile);
  }
  Deno.mkdirSync(`${at.folder}/outside`);
  Deno.symlinkSync("../../../outside", at.path(".theurian/knowledge/hop"));
  Deno.symlinkSync("../ledger/docs", `${at.folder}/outside/back`);
  at.migration(1, [at.upsert("a", 1, {}, { contentFile: "../knowledge/hop/back/a.md" })]);
  assert.throws(() => load(at), (error) => isFault(error, "path-escape"));
});

Deno.test("a folder that became a link out of the project is refused by the next load", () => {
  using at = new KnowledgeProject();
  const upsert = at.upsert("a", 1, {}, { contentFile: "../knowledge/sub/a.md" });
  at.write(".theurian/knowledge/sub/a.md", "body 1 of a\n");
  at.migration(1, [upsert]);
  load(at);
  Deno.renameSync(at.path(".theurian/knowledge/sub"), `${at.folder}/moved`);
  Deno.symlinkSync("../../../moved", at.path(".theurian/knowledge/sub"));
  assert.throws(() => load(at), (error) => isFault(error, "path-escape"));
});
