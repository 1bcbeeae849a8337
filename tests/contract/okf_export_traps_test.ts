/**
 * The traps of okf.md section 8 that meet an export, and its preconditions.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeMigration } from "../support/corpus.ts";
import { applied, concept, exported, opened, relation, run, tree } from "../support/okf_project.ts";

const text = (bundlePath: string, path: string) => Deno.readTextFileSync(join(bundlePath, path));

Deno.test("okf trap 1: reserved names step aside, the manifest's at the root only", async () => {
  using repository = await applied(
    ["index", "a.b.log", "theurian-bundle", "a.theurian-bundle", "a.index"]
      .map((itemId) => ({ itemId })),
    [relation("index", "depends_on", "a.b.log")],
  );
  const { path } = await exported(repository);
  for (
    const [name, id] of [
      ["index_item.md", "index"],
      ["a/b/log_item.md", "a.b.log"],
      ["theurian-bundle_item.md", "theurian-bundle"],
      ["a/theurian-bundle.md", "a.theurian-bundle"],
      ["a/index_item.md", "a.index"],
    ]
  ) assert.equal(concept(path, name!).front["theurian_item_id"], id);
  assert.match(text(path, "index_item.md"), /\* \[a\.b\.log\]\(\/a\/b\/log_item\.md\)/);
  assert.match(text(path, "theurian-bundle.md"), /^---\ntype: Theurian Bundle\n/);
});

Deno.test("okf trap 2: a directory of directories has an index of them alone", async () => {
  using repository = await applied([{ itemId: "architecture.auth.session" }]);
  const { path, json } = await exported(repository);
  assert.equal(
    text(path, "architecture/index.md"),
    "# architecture\n\n* [auth](/architecture/auth/)\n",
  );
  assert.equal(json.indexes, 3);
});

Deno.test("okf traps 3 and 4: notes print no line that forges an entry, and empty ones none", async () => {
  using repository = await applied(
    [{ itemId: "a" }, { itemId: "b" }, { itemId: "c" }, { itemId: "d" }],
    [
      relation("a", "depends_on", "b", ""),
      relation("a", "depends_on", "c", "\n\n"),
      relation("a", "depends_on", "d", "\n- x\n# y\n\n1. one"),
    ],
  );
  const { path } = await exported(repository);
  const { front, rest } = concept(path, "a.md");
  const notes = (front["theurian_relations"] as { note: string }[]).map(({ note }) => note);
  assert.deepEqual(notes, ["", "\n\n", "\n- x\n# y\n\n1. one"]);
  assert(text(path, "a.md").includes("  note: ''\n"));
  assert(
    rest.endsWith(
      "* [b](/b.md)\n* [c](/c.md)\n* [d](/d.md)\n  * \\- x\n    \\# y\n\n    1\\. one\n",
    ),
    rest,
  );
});

Deno.test("okf trap 5: a title that would close its link is escaped in the index and raw as data", async () => {
  const title = "x ](u) <b> \\ ` [y]";
  using repository = await applied([{ itemId: "a", title }]);
  const { path } = await exported(repository);
  assert(text(path, "index.md").includes("* [x \\](u) \\<b\\> \\\\ \\` \\[y\\]](/a.md)\n"));
  assert.equal(concept(path, "a.md").front["title"], title);
});

Deno.test("okf traps 6 and 7: an edge shows at the ends that are exported, inverted where it can be", async () => {
  using repository = await applied(
    [
      { itemId: "a" },
      { itemId: "b" },
      { itemId: "draft", metadata: { status: "draft" } },
      { itemId: "withheld", metadata: { sensitivity: "restricted" } },
    ],
    [
      relation("a", "implements", "b"),
      relation("a", "depends_on", "b"),
      relation("a", "related_to", "draft"),
      relation("a", "related_to", "withheld"),
      relation("draft", "related_to", "a"),
      { op: "createItem", itemId: "bare", kind: "domain", namespace: "", owner: "team" },
      relation("a", "related_to", "bare"),
    ],
  );
  const { path, json } = await exported(repository);
  assert.equal(json.concepts, 2);
  const edges = (name: string) => concept(path, name).front["theurian_relations"];
  assert.deepEqual(
    edges("a.md"),
    [
      { type: "depends_on", target: "b" },
      { type: "implements", target: "b" },
    ].map((edge) => Object.assign(Object.create(null), edge)),
  );
  assert.deepEqual(edges("b.md"), [
    Object.assign(Object.create(null), { type: "implemented_by", target: "a" }),
  ]);
  for (const name of tree(path)) assert(!/draft|withheld|bare/.test(text(path, name)), name);
});

Deno.test("okf trap 8: no approved item's id can be an alias; aliases move no edge", async () => {
  using repository = await applied(
    [{ itemId: "a" }, { itemId: "b" }, { itemId: "c" }],
    [
      relation("a", "depends_on", "c"),
      relation("b", "related_to", "c"),
      { op: "addAlias", alias: "old.a", itemId: "b" },
      relation("old.a", "depends_on", "a"),
    ],
  );
  const { path } = await exported(repository);
  const types = (name: string) =>
    (concept(path, name).front["theurian_relations"] as { type: string }[]).map(({ type }) => type);
  assert.deepEqual([types("a.md"), types("b.md")], [["depends_on"], ["related_to"]]);
  writeMigration(repository, 2, [], [{ op: "addAlias", alias: "a", itemId: "b" }]);
  repository.commit();
  assert.equal((await run(repository, ["migrate", "apply"])).exit, 4);
});

Deno.test("okf trap 9: what is withdrawn or raised is gone from the next export", async () => {
  using repository = await applied([{ itemId: "a" }, { itemId: "b" }, { itemId: "c" }]);
  writeMigration(repository, 2, [], [
    { op: "deprecateItem", itemId: "a" },
    { op: "changeSensitivity", itemId: "b", sensitivity: "restricted", reason: "r" },
  ]);
  repository.commit();
  assert.equal((await run(repository, ["migrate", "apply"])).exit, 0);
  const { path } = await exported(repository);
  assert.deepEqual(tree(path), ["c.md", "index.md", "theurian-bundle.md"]);
});

Deno.test("okf traps 10 to 12, 14 and 37: a target that holds something is refused and untouched", async () => {
  using repository = await applied([{ itemId: "a" }]);
  const at = (name: string) => join(repository.folder, name);
  Deno.mkdirSync(at("behind"));
  Deno.symlinkSync("behind", at("link"));
  const first = await exported(repository, "../first");
  const before = Deno.readTextFileSync(join(first.path, "a.md"));
  for (const target of ["../link", "../first", ".", "", `../${"x".repeat(300)}`]) {
    const { exit, json } = await exported(repository, target);
    assert.equal(exit, 1, target);
    assert(json.error.length < 300 && json.remedy.length > 0);
  }
  assert.deepEqual([...Deno.readDirSync(at("behind"))], []);
  assert.equal(Deno.readTextFileSync(join(first.path, "a.md")), before);
  for (
    const [target, landed] of [["../absent/../one", "one"], ["../two/", "two"], [
      "../three/.",
      "three",
    ]]
  ) {
    assert.equal((await exported(repository, target)).path, at(landed!));
  }
  Deno.mkdirSync(at("real"));
  Deno.symlinkSync("real", at("via"));
  assert.equal((await exported(repository, "../via/four")).path, at("real/four"));
});

Deno.test("okf trap 13: of racing exports one lands whole, and nothing is left beside it", async () => {
  using repository = await applied([{ itemId: "a" }, { itemId: "b.c" }]);
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => exported(repository)));
  assert.deepEqual(outcomes.map(({ exit }) => exit).sort(), [0, 1, 1]);
  assert.equal(tree(join(repository.folder, "out")).length, 5);
  assert(![...Deno.readDirSync(repository.folder)].some(({ name }) => name.startsWith("_okf")));
});

Deno.test("okf trap 15: a ceiling of public takes internal items out, and an empty bundle tells nothing", async () => {
  using one = await applied([{ itemId: "a" }], [], "one");
  using two = await applied([{ itemId: "b" }, { itemId: "c" }], [], "two");
  const digests = [];
  for (const repository of [one, two]) {
    const auth = join(repository.dataDirectory, "auth");
    Deno.mkdirSync(auth, { recursive: true, mode: 0o700 });
    Deno.writeTextFileSync(join(auth, "serving-profile"), "public", { mode: 0o600 });
    const { json } = await exported(repository);
    assert.deepEqual([json.concepts, json.indexes], [0, 1]);
    digests.push(json.bundleDigest);
  }
  const empty = "4203d09ffdd56e1ca463ffe06effe62097463d99df56e44673415627b753b3fe";
  assert.deepEqual(digests, [empty, empty]);
});

Deno.test("okf trap 16: a state built elsewhere is exit 1, garbage is exit 4, and nothing is made", async () => {
  using repository = await applied([{ itemId: "a" }]);
  const moved = `${repository.dataDirectory}-moved`;
  Deno.renameSync(repository.dataDirectory, moved);
  assert.equal((await exported(repository)).exit, 1);
  Deno.renameSync(moved, repository.dataDirectory);
  const state = join(repository.root, ".theurian/state");
  const pointer = JSON.parse(Deno.readTextFileSync(join(state, "active.json")));
  Deno.writeTextFileSync(join(state, pointer.databaseFilename), "garbage".repeat(999));
  assert.equal((await exported(repository)).exit, 4);
  assert.deepEqual(tree(join(repository.folder, "out")), []);
});

Deno.test("okf trap 33: a body with a NUL exports whole", async () => {
  using repository = await applied([
    { itemId: "a", body: "# A\n\nbefore\u0000after\n" },
    { itemId: "b", contentType: "text/plain", body: "x\u0000y" },
  ]);
  const { path } = await exported(repository);
  assert(concept(path, "a.md").rest.includes("before\u0000after"));
  assert.equal(text(path, "b.txt"), "x\u0000y");
});

Deno.test("an export is refused in the order of its preconditions, with nothing at the target", async () => {
  using repository = await applied([{ itemId: "a" }]);
  assert.equal((await run(repository, ["okf", "export"])).exit, 2);
  assert.equal((await run(repository, ["okf", "export", "x"], repository.folder)).exit, 1);
  // A broken set comes before the target; a bad profile before it too.
  repository.write(".theurian/migrations/x.yaml", "x: [");
  assert.equal((await exported(repository, ".")).exit, 4);
  Deno.removeSync(join(repository.root, ".theurian/migrations/x.yaml"));
  const migration = [...Deno.readDirSync(join(repository.root, ".theurian/migrations"))][0]!.name;
  const file = `.theurian/migrations/${migration}`;
  const original = repository.read(file);
  repository.write(file, original.replace("team", "other"));
  assert.equal((await exported(repository)).exit, 4, "a changed migration");
  repository.write(file, original);
  Deno.removeSync(join(repository.root, ".theurian/state/active.json"));
  const unbuilt = await exported(repository);
  assert.equal(unbuilt.exit, 1);
  assert.match(unbuilt.json.remedy, /theurian migrate apply/);
  assert.deepEqual(tree(join(repository.folder, "out")), []);
});

Deno.test("the example of the contract comes out as it stands there", async () => {
  using repository = await applied([
    {
      itemId: "backend.retry",
      title: "Retry budget",
      contentType: "application/json",
      body: "{}",
      metadata: {
        labels: ["resilience"],
        namespace: "backend",
        owner: "platform",
        trustLevel: "reviewed",
        sourceAnchors: [{ provider: "git", sourceUri: "https://git.example/acme/api/commit/1f2e" }],
      },
    },
    { itemId: "backend.timeouts" },
  ], [relation("backend.retry", "depends_on", "backend.timeouts", "Budgets assume these limits.")]);
  const { path } = await exported(repository);
  assert.deepEqual(tree(path), [
    ...["backend/index.md", "backend/retry.json", "backend/retry.md", "backend/timeouts.md"],
    ...["index.md", "theurian-bundle.md"],
  ]);
  const { front, rest } = opened(text(path, "backend/retry.md"));
  assert.deepEqual(Object.keys(front), [
    ...["type", "title", "tags", "status", "generated", "sources", "theurian_export_version"],
    ...["theurian_item_id", "theurian_revision_id", "theurian_status", "theurian_namespace"],
    ...["theurian_owner", "theurian_trust_level", "theurian_sensitivity"],
    ...["theurian_content_type", "theurian_body_file", "theurian_relations"],
  ]);
  assert.equal(front["theurian_body_file"], "retry.json");
  assert.match(
    rest,
    /^\n[^\n]*\[retry\.json\]\(retry\.json\)[^\n]*\n\n## Relations\n\n### depends_on\n/,
  );
  assert(
    rest.endsWith("* [backend.timeouts](/backend/timeouts.md)\n  * Budgets assume these limits.\n"),
  );
});
