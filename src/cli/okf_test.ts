import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { type TestItem, writeMigration } from "../../tests/support/corpus.ts";
import { runForTest } from "./test_world.ts";

type Repository = ReturnType<typeof temporaryRepository>;
type Json = Record<string, unknown>;

async function run(repository: Repository, args: string[], cwd = repository.root) {
  const { exit, stdout, stderr } = await runForTest([...args, "--json"], {
    cwd,
    environment: repository.environment,
  });
  const text = stdout === "" ? stderr : stdout;
  return { exit, stdout, json: JSON.parse(text) };
}

async function applied(name: string, items: readonly TestItem[], operations: Json[] = []) {
  const repository = temporaryRepository(name);
  writeMigration(repository, 1, items, operations as never);
  repository.commit();
  const { exit, json } = await run(repository, ["migrate", "apply"]);
  assert.equal(exit, 0, JSON.stringify(json));
  return repository;
}

function relation(sourceItemId: string, relationType: string, targetItemId: string, note?: string) {
  return {
    op: "addRelation",
    sourceItemId,
    relationType,
    targetItemId,
    ...(note === undefined ? {} : { note }),
  };
}

const exporting = (repository: Repository, target = "../out", cwd?: string) =>
  run(repository, ["okf", "export", target], cwd);

const IMPORT = [
  ...["--owner", "team", "--author", "ada@example.org", "--agent-id", "a", "--task-id", "t"],
  ...["--model", "m", "--reasoning", "r"],
];
const importing = (repository: Repository, bundle: string, ...more: string[]) =>
  run(repository, ["okf", "import", bundle, ...IMPORT, ...more]);

function tree(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) =>
    entry.isDirectory
      ? tree(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`]
  ).sort();
}

Deno.test("okf export writes what is served, and twice the same bytes", async () => {
  using repository = await applied("demo", [
    { itemId: "backend.retry", contentType: "application/json", body: '{"a":"\u0000"}' },
    { itemId: "backend.timeouts" },
    { itemId: "secret.key", metadata: { sensitivity: "confidential" } },
    { itemId: "draft.page", metadata: { status: "draft" } },
  ], [
    relation("backend.retry", "depends_on", "backend.timeouts"),
    relation("backend.retry", "implements", "backend.timeouts", "why"),
    relation("backend.retry", "related_to", "secret.key"),
    relation("draft.page", "related_to", "backend.retry"),
    { op: "addAlias", alias: "backend.retry-old", itemId: "backend.retry" },
  ]);
  const first = await exporting(repository);
  assert.deepEqual([first.exit, first.json.concepts, first.json.sidecars, first.json.indexes], [
    0,
    2,
    1,
    2,
  ]);
  const out = join(repository.folder, "out");
  assert.equal(first.json.bundlePath, out);
  assert.deepEqual(tree(out), [
    "backend/index.md",
    "backend/retry.json",
    "backend/retry.md",
    "backend/timeouts.md",
    "index.md",
    "theurian-bundle.md",
  ]);
  assert.equal(Deno.readTextFileSync(join(out, "backend/retry.json")), '{"a":"\u0000"}');
  const timeouts = Deno.readTextFileSync(join(out, "backend/timeouts.md"));
  assert.match(timeouts, /type: implemented_by\n {2}target: backend\.retry\n {2}note: why\n/);
  assert(!/depends_on|related_to/.test(timeouts));
  const again = await exporting(repository, "../again");
  assert.equal(again.json.bundleDigest, first.json.bundleDigest);
  for (const path of tree(out)) {
    assert.deepEqual(
      Deno.readFileSync(join(out, path)),
      Deno.readFileSync(join(repository.folder, "again", path)),
    );
  }
});

Deno.test("okf export follows the state: what is withdrawn or raised is gone from the next one", async () => {
  using repository = await applied("demo", [{ itemId: "a" }, { itemId: "b" }, { itemId: "c" }]);
  assert.equal((await exporting(repository)).json.concepts, 3);
  writeMigration(repository, 2, [], [
    { op: "deprecateItem", itemId: "a" },
    { op: "changeSensitivity", itemId: "b", sensitivity: "restricted", reason: "r" },
  ]);
  repository.commit();
  assert.equal((await exporting(repository, "../before")).json.concepts, 3);
  await run(repository, ["migrate", "apply"]);
  assert.equal((await exporting(repository, "../after")).json.concepts, 1);
});

Deno.test("okf export obeys the serving profile and refuses a bad one", async () => {
  using repository = await applied("demo", [{ itemId: "a" }, {
    itemId: "b",
    metadata: { sensitivity: "public" },
  }]);
  const auth = join(repository.dataDirectory, "auth");
  Deno.mkdirSync(auth, { mode: 0o700 });
  Deno.writeTextFileSync(join(auth, "serving-profile"), "public", { mode: 0o600 });
  assert.equal((await exporting(repository)).json.concepts, 1);
  Deno.writeTextFileSync(join(auth, "serving-profile"), "everything");
  assert.equal((await exporting(repository, "../two")).exit, 1);
  assert.throws(() => Deno.statSync(join(repository.folder, "two")));
});

Deno.test("okf export of nothing is a bundle with the digest of every empty one", async () => {
  using repository = await applied("demo", []).catch(async () => {
    const empty = temporaryRepository("demo");
    await run(empty, ["migrate", "apply"]);
    return empty;
  });
  const { exit, json } = await exporting(repository);
  assert.deepEqual([exit, json.concepts, json.indexes], [0, 0, 1]);
  assert.equal(
    json.bundleDigest,
    "4203d09ffdd56e1ca463ffe06effe62097463d99df56e44673415627b753b3fe",
  );
});

Deno.test("okf export refuses a state that is not built, not ours, led away or damaged", async () => {
  using repository = temporaryRepository();
  assert.equal((await exporting(repository)).exit, 1);
  assert.equal((await exporting(repository, "x", repository.folder)).exit, 1);
  writeMigration(repository, 1, [{ itemId: "a" }]);
  repository.commit();
  await run(repository, ["migrate", "apply"]);
  const elsewhere = { HOME: repository.folder, THEURIAN_DATA_DIR: join(repository.folder, "d2") };
  const foreign = await runForTest(["okf", "export", "../out", "--json"], {
    cwd: repository.root,
    environment: elsewhere,
  });
  assert.equal(foreign.exit, 1);
  const pointer = join(repository.root, ".theurian/state/active.json");
  const stored = JSON.parse(Deno.readTextFileSync(pointer));
  const state = join(repository.root, ".theurian/state", stored.databaseFilename);
  Deno.writeTextFileSync(
    pointer,
    JSON.stringify({ ...stored, databaseFilename: "../../x.sqlite" }),
  );
  assert.equal((await exporting(repository)).exit, 1);
  Deno.writeTextFileSync(pointer, JSON.stringify(stored));
  Deno.renameSync(state, join(repository.folder, "moved"));
  assert.equal((await exporting(repository)).exit, 1);
  Deno.symlinkSync(join(repository.folder, "moved"), state);
  assert.equal((await exporting(repository)).exit, 1);
  Deno.removeSync(state);
  Deno.writeTextFileSync(state, "garbage".repeat(1_000));
  assert.equal((await exporting(repository)).exit, 4);
  assert.throws(() => Deno.statSync(join(repository.folder, "out")));
  assert.deepEqual(tree(repository.folder).filter((path) => path.includes("_okf")), []);
});

Deno.test("okf export refuses every target that holds something, and leaves it as it was", async () => {
  using repository = await applied("demo", [{ itemId: "a" }]);
  const at = (name: string) => join(repository.folder, name);
  Deno.mkdirSync(at("empty"));
  Deno.symlinkSync("empty", at("link"));
  Deno.symlinkSync("nowhere", at("dangling"));
  Deno.symlinkSync("loop", at("loop"));
  Deno.writeTextFileSync(at("file"), "mine");
  Deno.mkdirSync(at("full"));
  Deno.writeTextFileSync(at("full/.hidden"), "mine");
  new Deno.Command("mkfifo", { args: [at("pipe")] }).outputSync();
  const targets = [
    ...["../link", "../dangling", "../loop", "../file", "../full", "../pipe", "../file/below"],
    ...["../loop/below", "../dangling/below", ".", "", "..", "x".repeat(300)],
  ];
  for (const target of targets) {
    const { exit, json } = await exporting(repository, target);
    assert.equal(exit, 1, target);
    assert(!/delete|remove|rm /i.test(json.remedy), json.remedy);
  }
  assert.deepEqual([...Deno.readDirSync(at("empty"))], []);
  assert.equal(Deno.readTextFileSync(at("full/.hidden")), "mine");
  assert.deepEqual(tree(repository.folder).filter((path) => path.includes("_okf")), []);
});

Deno.test("okf export lands where the target says, through links above it", async () => {
  using repository = await applied("demo", [{ itemId: "a" }]);
  Deno.mkdirSync(join(repository.folder, "real"));
  Deno.symlinkSync("real", join(repository.folder, "via"));
  const cases: [string, string][] = [
    ["../absent/../one", "one"],
    ["../two/", "two"],
    ["../three/.", "three"],
    ["../via/four", "real/four"],
    ["../via/../five", "five"],
    ["../deep/er/six", "deep/er/six"],
    ["../seven/x/..", "seven"],
  ];
  for (const [target, landed] of cases) {
    const { exit, json } = await exporting(repository, target);
    assert.deepEqual([exit, json.bundlePath], [0, join(repository.folder, landed)], target);
    assert(Deno.statSync(join(json.bundlePath, "a.md")).isFile);
  }
  assert.equal((await exporting(repository, "../one")).exit, 1);
});

Deno.test("okf export keeps the mode of an empty target", async () => {
  using repository = await applied("demo", [{ itemId: "a" }]);
  Deno.mkdirSync(join(repository.folder, "out"), { mode: 0o700 });
  assert.equal((await exporting(repository)).exit, 0);
  assert.equal(Deno.statSync(join(repository.folder, "out")).mode! & 0o777, 0o700);
  assert.equal(Deno.statSync(join(repository.folder, "out/a.md")).mode! & 0o777, 0o644);
});

Deno.test("of two exports to one target exactly one lands, whole", async () => {
  using repository = await applied("demo", [{ itemId: "a" }, { itemId: "b.c" }]);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => exporting(repository)));
  assert.deepEqual(outcomes.map(({ exit }) => exit).sort(), [0, 1, 1, 1]);
  assert.equal(tree(join(repository.folder, "out")).length, 5);
  assert.deepEqual(tree(repository.folder).filter((path) => path.includes("_okf")), []);
});

// Import.

function bundle(repository: Repository, files: Record<string, string | Uint8Array>): string {
  const root = join(repository.folder, "bundle");
  Deno.mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    Deno.mkdirSync(join(root, path, ".."), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(join(root, path), content);
    else Deno.writeFileSync(join(root, path), content);
  }
  return root;
}

function page(front: string, body = "\nText.\n"): string {
  return `---\ntype: convention\ntitle: T\nstatus: stable\n${front}---\n${body}`;
}

Deno.test("okf import drafts one proposal a concept and takes no governance from it", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "index.md": "# x",
    "theurian-bundle.md": "# x",
    "a/log.md": "# x",
    "a/page.md": page(
      "tags: [x, x, 7, y]\ntheurian_owner: evil\ntheurian_trust_level: authoritative\n" +
        "theurian_status: approved\ntheurian_namespace: evil\ntheurian_sensitivity: public\n" +
        "generated: {by: 'human:x'}\nsources:\n- resource: https://x.example/a\n" +
        "- resource: '/etc/passwd'\n- resource: 'BigQuery: all of X'\n- resource: docs/a.md\n- 7\n",
      "Body.\r\n",
    ),
    "secret.md": page("theurian_sensitivity: restricted\n"),
  });
  const { exit, json } = await importing(repository, root);
  assert.deepEqual([exit, json.conceptsAdmitted, json.refusals, json.refusalsByKind], [
    0,
    2,
    [],
    {},
  ]);
  assert.equal(json.proposalIds.length, 2);
  const proposal = join(repository.root, ".theurian/proposals", json.proposalIds[0]);
  const names = tree(proposal);
  const migration = Deno.readTextFileSync(
    join(proposal, names.find((name) => name.endsWith("-t.yaml"))!),
  );
  for (const part of ["itemId: a.page", "owner: team", "trustLevel: inferred", "namespace: a\n"]) {
    assert(migration.includes(part), migration);
  }
  assert(!/evil|sensitivity|authoritative|passwd|BigQuery/.test(migration), migration);
  assert.match(migration, /provider: okf-bundle\n\s+sourceUri: '?okf-bundle:a\/page\.md/);
  assert.equal(migration.split("provider: okf-source").length, 3);
  assert.match(migration, /labels:\n\s+- x\n\s+- '?y/);
  const body = names.find((name) => name.startsWith("knowledge/"))!;
  assert.equal(Deno.readTextFileSync(join(proposal, body)), "Body.\r\n");
  const raised = join(repository.root, ".theurian/proposals", json.proposalIds[1]);
  assert(
    tree(raised).some((name) =>
      name.endsWith(".yaml") && Deno.readTextFileSync(join(raised, name)).includes("restricted")
    ),
  );
});

Deno.test("okf import refuses each bad concept by itself, in walk order", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    ".hid/h.md": page(""),
    "UPPER.md": page(""),
    "bom.md": `\ufeff${page("")}`,
    "bare-equals.md": page("x: =\n"),
    "blank-first.md": `\n${page("")}`,
    "deep.md": page(`x: ${"[".repeat(600)}${"]".repeat(600)}\n`),
    "dots-end.md": "---\ntype: convention\n...\nx\n",
    "dup-key.md": page("title: U\n"),
    "empty-front.md": "---\n---\nx",
    "fence-suffix.md": "---\ntype: convention\n---foo\nx\n",
    "kind.md": page("").replace("convention", "nonsense"),
    "latin.md": new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]),
    "list.md": "---\n- a\n---\nx",
    "missing.md": "---\ntype: convention\ntitle: 2024\n---\nx",
    "no-front.md": "# Just text",
    "off.md": page("").replace("title: T", "title: off"),
    "hex.md": page("").replace("title: T", "title: 0x1f"),
    "tag.md": page("x: !!binary aGk=\n"),
    "good.md": page(""),
    "x.md/deep/inner.md": page(""),
  });
  new Deno.Command("mkfifo", { args: [join(root, "f.md")] }).outputSync();
  Deno.symlinkSync("/etc/hostname", join(root, "out.md"));
  Deno.symlinkSync("nowhere", join(root, "gone.md"));
  Deno.symlinkSync("good.md", join(root, "linked.md"));
  const { exit, json } = await importing(repository, root);
  assert.equal(exit, 0);
  const reasons = Object.fromEntries(
    json.refusals.map(({ key, literal }: { key: string; literal: string }) => [key, literal]),
  );
  assert.deepEqual(json.refusals.map(({ key }: { key: string }) => key), Object.keys(reasons));
  assert.deepEqual(Object.keys(reasons), [...Object.keys(reasons)].sort());
  const expected: [string, RegExp][] = [
    [".hid/h.md", /^invalid item id: \.hid\.h$/],
    ["UPPER.md", /^invalid item id: UPPER$/],
    ["bom.md", /^no front matter$/],
    ["bare-equals.md", /^YAML invalid/],
    ["blank-first.md", /^no front matter$/],
    ["deep.md", /^YAML invalid/],
    ["dots-end.md", /^no front matter$/],
    ["dup-key.md", /^YAML invalid/],
    ["empty-front.md", /^no front matter$/],
    ["f.md", /^is not a regular file$/],
    ["fence-suffix.md", /^no front matter$/],
    ["gone.md", /^does not exist$/],
    ["hex.md", /^required key\(s\) missing: title$/],
    ["kind.md", /^unrecognised type: nonsense$/],
    ["latin.md", /^not UTF-8$/],
    ["list.md", /^YAML invalid/],
    ["missing.md", /^required key\(s\) missing: title, status$/],
    ["no-front.md", /^no front matter$/],
    ["off.md", /^required key\(s\) missing: title$/],
    ["out.md", /^link target is not anchored in the bundle$/],
    ["tag.md", /^YAML invalid/],
    ["x.md", /^is a directory$/],
  ];
  for (const [key, reason] of expected) assert.match(reasons[key] ?? "", reason, key);
  assert.equal(json.refusals.length, expected.length);
  assert.deepEqual(json.refusalsByKind, { concept: expected.length });
  assert.equal(json.conceptsAdmitted, 3);
});

Deno.test("okf import reads texts as a YAML 1.1 reader with our table does", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "a.md": page("").replace("title: T", "title: 1e3"),
    "b.md": page("").replace("title: T", "title: n"),
    "c.md": page("").replace("title: T", "title: 2026-01-01"),
    "d.md": page("x: &q [1]\ny: *q\n").replaceAll("\n", "\r\n"),
  });
  const { json } = await importing(repository, root);
  assert.deepEqual([json.conceptsAdmitted, json.refusals], [4, []]);
});

Deno.test("okf import gives an id to the bytewise first concept that maps", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "a-bad.md": page("theurian_item_id: one\n").replace("convention", "nonsense"),
    "b.md": page("theurian_item_id: one\n"),
    "c.md": page("theurian_item_id: one\n"),
    "d.md": page('theurian_item_id: ""\n'),
    "e.md": page("theurian_item_id: 5\n"),
  });
  const { json } = await importing(repository, root);
  assert.deepEqual(
    json.refusals.map(({ key, literal }: Json) => [key, literal]),
    [["a-bad.md", "unrecognised type: nonsense"], ["c.md", "duplicate id: one"]],
  );
  assert.equal(json.conceptsAdmitted, 3);
});

Deno.test("okf import takes a body from beside the concept, by three exact media types", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "a.md": page("theurian_content_type: application/json\ntheurian_body_file: a.json\n"),
    "a.json": '{"a": 1}',
    "sub/b.md": page("theurian_content_type: application/yaml\ntheurian_body_file: ../b.yaml\n"),
    "b.yaml": "b: 1\n",
    "c.md": page("theurian_content_type: application/schema+json\ntheurian_body_file: a.json\n"),
    "d.md": page("theurian_body_file: a.json\n"),
    "e.md": page('theurian_content_type: application/json\ntheurian_body_file: ""\n'),
    "f.md": page("theurian_content_type: application/json\ntheurian_body_file: 5\n", "Inline.\n"),
    "g.md": page("theurian_content_type: application/json\ntheurian_body_file: ../../etc/x\n"),
    "h.md": page("theurian_content_type: application/json\ntheurian_body_file: /etc/hostname\n"),
    "i.md": page("theurian_content_type: application/json\n", "Inline too.\n"),
    "j.md": page("theurian_content_type: text/markdown\ntheurian_body_file: k.md\n"),
    "k.md": "Side.\n",
  });
  const { json } = await importing(repository, root);
  assert.deepEqual(
    json.refusals.map(({ kind, key, literal, concept }: Json) => [kind, key, literal, concept]),
    [
      ["reference", "theurian_content_type", "application/schema+json", "c.md"],
      ["reference", "theurian_content_type", "the key is absent", "d.md"],
      ["reference", "theurian_body_file", "", "e.md"],
      ["reference", "theurian_body_file", "../../etc/x", "g.md"],
      ["reference", "theurian_body_file", "/etc/hostname", "h.md"],
      ["concept", "k.md", "no front matter", undefined],
    ],
  );
  assert.equal(json.conceptsAdmitted, 5);
  assert.deepEqual(json.refusalsByKind, { reference: 5, concept: 1 });
});

Deno.test("okf import of listed ids reads only those, by path, and names what matched nothing", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "over.md": page("theurian_item_id: renamed.id\n"),
    "other.md": "not a concept",
  });
  const only = async (...ids: string[]) =>
    (await importing(repository, root, ...ids.flatMap((id) => ["--item", id]))).json;
  const declared = await only("renamed.id", "absent");
  assert.deepEqual([declared.conceptsAdmitted, declared.refusals.map(({ key }: Json) => key)], [
    0,
    ["absent", "renamed.id"],
  ]);
  assert.equal((await only("over")).conceptsAdmitted, 1);
  assert.deepEqual((await only("over", "renamed.id")).refusals, []);
});

Deno.test("okf import collects an edge once, whichever end lists it, and drops a bad one alone", async () => {
  using repository = temporaryRepository();
  const edges = (...list: string[]) =>
    `theurian_relations:\n${list.map((e) => `- ${e}\n`).join("")}`;
  const root = bundle(repository, {
    "a.md": page(edges(
      "{type: implements, target: b, note: n}",
      "{type: nonsense, target: b}",
      "{type: related_to, target: A}",
      "{type: related_to, target: a}",
      "{type: depends_on, target: far}",
      "{type: 7, target: b}",
    )),
    "b.md": page(edges(
      "{type: implemented_by, target: a, note: n}",
      "{type: implemented_by, target: a, note: other}",
      "{type: implemented_by, target: a, note: third}",
    )),
    "c.md": page(edges("{type: depends_on, target: a}"), ""),
  });
  const { exit, json } = await importing(repository, root);
  assert.equal(exit, 0);
  assert.equal(json.conceptsAdmitted, 2);
  assert.equal(json.proposalIds.length, 3);
  assert.deepEqual(
    json.refusals.map(({ kind, key }: Json) => [kind, key]),
    [
      ["draft", "c"],
      ["relations", "a"],
      ["relations", "a"],
      ["relations", "a"],
      ["relations", "b"],
      ["relations", "c"],
    ],
  );
  const proposal = join(repository.root, ".theurian/proposals", json.proposalIds[2]);
  const migration = Deno.readTextFileSync(
    join(proposal, tree(proposal).find((name) => name.endsWith(".yaml"))!),
  );
  assert.equal(migration.split("op: addRelation").length - 1, 3);
  assert(!migration.includes("description"));
});

Deno.test("okf import refuses drafts one by one: existing item, empty body, long title", async () => {
  using repository = temporaryRepository();
  writeMigration(repository, 1, [{ itemId: "here" }]);
  repository.commit();
  const root = bundle(repository, {
    "empty.md": page("", ""),
    "here.md": page("theurian_relations:\n- {type: depends_on, target: x}\n"),
    "long.md": page("").replace("title: T", `title: ${"x".repeat(301)}`),
  });
  const { exit, json } = await importing(repository, root);
  assert.deepEqual([exit, json.conceptsAdmitted, json.proposalIds], [0, 0, []]);
  assert.deepEqual(
    json.refusals.map(({ kind, key }: Json) => [kind, key]),
    [["draft", "empty"], ["draft", "here"], ["draft", "long"], ["relations", "here"]],
  );
});

Deno.test("okf import stops before 251 operations, with nothing drafted", async () => {
  using repository = temporaryRepository();
  const pages = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}.md`, page("")]));
  const root = bundle(repository, pages(126));
  const { exit, stdout } = await importing(repository, root);
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.throws(() => Deno.statSync(join(repository.root, ".theurian/proposals")));
  Deno.removeSync(join(root, "p0.md"));
  const all = await importing(repository, root);
  assert.deepEqual([all.exit, all.json.conceptsAdmitted], [0, 125]);
});

Deno.test("okf import refuses no directory, blank evidence and a directory outside Git", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, { "a.md": page("") });
  assert.equal((await importing(repository, "nowhere")).exit, 2);
  assert.equal((await importing(repository, join(root, "a.md"))).exit, 2);
  const blank = IMPORT.map((word) => word === "m" ? " " : word);
  assert.equal((await run(repository, ["okf", "import", root, ...blank])).exit, 2);
  const owner = IMPORT.map((word) => word === "team" ? "" : word);
  assert.equal((await run(repository, ["okf", "import", root, ...owner])).exit, 2);
  assert.equal(
    (await run(repository, ["okf", "import", root, ...IMPORT], repository.folder)).exit,
    1,
  );
  repository.write(".theurian/migrations/a.yaml", "x: [");
  assert.equal((await importing(repository, root)).exit, 4);
});

Deno.test("a bundle that was imported, accepted and applied exports alike", async () => {
  using first = await applied("first", [
    { itemId: "a.one", title: "One: the first", body: "# One\n\nText.\n" },
    { itemId: "a.two", contentType: "application/json", body: '{"two": 2}\n' },
    { itemId: "b", contentType: "application/yaml", body: "b: 1\n" },
    { itemId: "index", metadata: { labels: ["authored-in-theurian", "x y"] } },
  ], [
    relation("a.one", "implements", "a.two", "why"),
    relation("a.one", "implements", "b"),
    relation("b", "depends_on", "a.one"),
    relation("index", "supersedes", "b", "  - note\nmore"),
  ]);
  await exporting(first);
  const bundlePath = join(first.folder, "out");
  using second = temporaryRepository("second");
  const { json } = await importing(second, bundlePath);
  assert.deepEqual([json.conceptsAdmitted, json.refusals], [4, []]);
  for (const id of json.proposalIds) {
    const accepted = await run(second, ["propose", "accept", id]);
    assert.equal(accepted.exit, 0, JSON.stringify(accepted.json));
  }
  second.commit();
  const apply = await run(second, ["migrate", "apply"]);
  assert.equal(apply.exit, 0, JSON.stringify(apply.json));
  await exporting(second);
  const again = join(second.folder, "out");
  assert.deepEqual(tree(again), tree(bundlePath));
  const kept =
    /^(type|title|tags|- .*|theurian_item_id|theurian_content_type|theurian_relations.*| {2}(target|note).*)/;
  for (const path of tree(again)) {
    const [before, after] = [bundlePath, again].map((root) =>
      Deno.readTextFileSync(join(root, path))
    );
    if (!path.endsWith(".md")) assert.equal(after, before);
    else if (path !== "theurian-bundle.md") {
      const lines = (text: string) =>
        text.split("\n---\n")[0]!.split("\n").filter((line) =>
          kept.test(line) && !line.startsWith("- resource")
        );
      assert.deepEqual(lines(after!), lines(before!), path);
      assert.equal(after!.split("\n---\n")[1], before!.split("\n---\n")[1], path);
    }
  }
});
