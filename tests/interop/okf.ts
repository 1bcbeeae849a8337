/**
 * Bundles between two implementations: the same knowledge exports alike, either takes what the other
 * wrote, and what the contract keeps is kept both ways. Runs only where another implementation's
 * command is named:
 *
 * `THEURIAN_PEER=/path/to/theurian deno test -A tests/interop/okf.ts`
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram, type Program, run } from "../../scripts/program.ts";
import type { TestItem } from "../support/corpus.ts";
import { writeMigration } from "../support/corpus.ts";
import { concept, IMPORT, type Json, relation, tree } from "../support/okf_project.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";

const peerCommand = Deno.env.get("THEURIAN_PEER") ?? "";
const ignore = peerCommand === "";
const why = ignore ? " (did not run: THEURIAN_PEER names no other implementation)" : "";
const PEER: Program = {
  description: "the other implementation",
  command: peerCommand,
  prefix: [],
  environment: {},
};

const ITEMS: readonly TestItem[] = [
  {
    itemId: "index",
    title: "A page: with 'signs' \u6f22\u5b57 \u{1f600}",
    body: "# One\n\nText.\n",
  },
  {
    itemId: "a.log",
    title: "yes",
    contentType: "application/json",
    body: '{"a": [1, "\\u00e9"]}\n',
    metadata: { validTo: "2036-03-01T00:00:00+09:00", trustLevel: "reviewed" },
  },
  { itemId: "a.b.c", contentType: "application/yaml", body: "a: 1\nb: [x, y]\n" },
  {
    itemId: "theurian-bundle",
    title: "Edges of a body",
    body: "\n\n---\nkey: value\n---\n\n## Relations\n\ntrailing  \n\n\n",
    metadata: {
      labels: ["authored-in-theurian", "x y", "\u00fcber", "1e3"],
      sourceAnchors: [
        {
          provider: "git",
          sourceUri: "git://x/a.md",
          filePath: "a b.md",
          lineStart: 3,
          lineEnd: 9,
        },
        { provider: "web", sourceUri: "https://e.example/a?b#c" },
      ],
    },
  },
  { itemId: "hidden", metadata: { sensitivity: "restricted" } },
  { itemId: "gone", metadata: { status: "deprecated" } },
];
const EDGES = [
  relation("index", "implements", "a.log", "why: because\n- x\n# y\n"),
  relation("a.b.c", "depends_on", "index"),
  relation("a.b.c", "supersedes", "theurian-bundle", ""),
  relation("index", "related_to", "hidden"),
  { op: "addAlias", alias: "old.index", itemId: "index" },
];

/** A checkout that one implementation works in. */
class Checkout implements Disposable {
  readonly repository: TemporaryRepository = temporaryRepository();

  constructor(readonly program: Program) {
    Deno.mkdirSync(join(this.repository.folder, "home"));
  }

  async expect(...argv: string[]): Promise<Json> {
    const env = {
      HOME: join(this.repository.folder, "home"),
      PATH: "/usr/local/bin:/usr/bin:/bin",
    };
    const cwd = this.repository.root;
    const { exit, stdout, stderr } = await run(this.program, [...argv, "--json"], {
      cwd,
      env,
      limitMs: 120_000,
    });
    assert.equal(exit, 0, `${this.program.description}: ${argv.join(" ")}: ${stderr}`);
    return JSON.parse(stdout);
  }

  async holding(): Promise<this> {
    writeMigration(this.repository, 1, ITEMS, EDGES);
    this.repository.commit();
    await this.expect("migrate", "apply");
    return this;
  }

  async export(): Promise<string> {
    const target = join(this.repository.folder, `out-${crypto.randomUUID()}`);
    return (await this.expect("okf", "export", target))["bundlePath"] as string;
  }

  /** Imports a bundle, accepts and applies all of it. */
  async take(bundle: string): Promise<Json> {
    await this.expect("init");
    const report = await this.expect("okf", "import", bundle, ...IMPORT);
    for (const id of report["proposalIds"] as string[]) await this.expect("propose", "accept", id);
    this.repository.commit();
    await this.expect("migrate", "apply");
    return report;
  }

  [Symbol.dispose](): void {
    this.repository[Symbol.dispose]();
  }
}

const KEPT = ["title", "type", "tags", "theurian_item_id", "theurian_content_type"];
const CONCEPT = /^(?!.*(?:^|\/)index\.md$|theurian-bundle\.md$).*\.md$/;

function assertKept(before: string, after: string): void {
  assert.deepEqual(tree(after), tree(before));
  for (const path of tree(before)) {
    const [a, b] = [before, after].map((root) => Deno.readTextFileSync(join(root, path)));
    if (!path.endsWith(".md")) assert.equal(b, a, path);
    if (!CONCEPT.test(path)) continue;
    const [one, two] = [before, after].map((root) => concept(root, path).front);
    for (const key of KEPT) assert.deepEqual(two![key], one![key], `${path} ${key}`);
  }
}

function edgesOf(root: string): Record<string, unknown> {
  return Object.fromEntries(
    tree(root).filter((path) => CONCEPT.test(path))
      .map((path) => [path, concept(root, path).front["theurian_relations"]]),
  );
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: name + why, ignore, fn });
}

test("both export the same knowledge to the same documents", async () => {
  using ours = await new Checkout(findProgram()).holding();
  using theirs = await new Checkout(PEER).holding();
  const [a, b] = [await ours.export(), await theirs.export()];
  assert.deepEqual(tree(a), tree(b));
  for (const path of tree(a)) {
    const texts = [a, b].map((root) => Deno.readTextFileSync(join(root, path)));
    if (path === "theurian-bundle.md") continue;
    if (!CONCEPT.test(path)) {
      assert.equal(texts[0], texts[1], path);
      continue;
    }
    const [one, two] = [a, b].map((root) => concept(root, path));
    for (const { front } of [one!, two!]) delete (front["generated"] as Json)["by"];
    assert.deepEqual(Object.entries(one!.front), Object.entries(two!.front), path);
    // The sentence that stands for a body which is no Markdown is each implementation's own.
    const isSidecar = one!.front["theurian_body_file"] !== undefined;
    const rests = [one!, two!].map(({ rest }) =>
      isSidecar ? rest.slice(rest.indexOf("\n## Relations")) : rest
    );
    assert.equal(rests[0], rests[1], path);
  }
});

test("ours takes what the other exported, knows its digest, and gives it on", async () => {
  using theirs = await new Checkout(PEER).holding();
  const bundle = await theirs.export();
  using ours = new Checkout(findProgram());
  const report = await ours.take(bundle);
  assert.deepEqual([report["conceptsAdmitted"], report["refusals"]], [4, []]);
  assert.equal(report["bundleDigestMatches"], true);
  const again = await ours.export();
  assertKept(bundle, again);
  assert.deepEqual(edgesOf(again), edgesOf(bundle));
  for (const path of tree(bundle).filter((name) => CONCEPT.test(name))) {
    const [a, b] = [bundle, again].map((root) => concept(root, path));
    assert.equal(b!.front["stale_after"], a!.front["stale_after"]);
    if (a!.front["theurian_body_file"] === undefined) assert.equal(b!.rest, a!.rest, path);
  }
});

test("the other takes what ours exported, and gives it on", async () => {
  using ours = await new Checkout(findProgram()).holding();
  const bundle = await ours.export();
  using theirs = new Checkout(PEER);
  const report = await theirs.take(bundle);
  assert.deepEqual([report["conceptsAdmitted"], report["refusals"]], [4, []]);
  const again = await theirs.export();
  assertKept(bundle, again);
  // It stores both spellings of an invertible edge; each of ours is there.
  for (const [path, edges] of Object.entries(edgesOf(bundle))) {
    const found = new Set((edgesOf(again)[path] as Json[]).map((edge) => JSON.stringify(edge)));
    for (const edge of edges as Json[]) assert(found.has(JSON.stringify(edge)), path);
  }
  // And back into ours once more.
  using third = new Checkout(findProgram());
  const back = await third.take(again);
  assert.deepEqual([back["conceptsAdmitted"], back["refusals"]], [4, []]);
  assertKept(bundle, await third.export());
});
