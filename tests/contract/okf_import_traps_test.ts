/**
 * The traps of okf.md section 8 that meet an import, and the improvements of section 6.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeMigration } from "../support/corpus.ts";
import {
  acceptAll,
  applied,
  bundle,
  concept,
  exported,
  imported,
  type Json,
  metadataOf,
  migrationOf,
  page,
  relation,
  taking,
  tree,
} from "../support/okf_project.ts";
import { temporaryRepository } from "../support/temporary_repository.ts";
import { runForTest } from "../../src/cli/test_world.ts";
import { IMPORT } from "../support/okf_project.ts";

/** Refusals as `kind key: literal`. */
function lines(json: Json): string[] {
  return (json["refusals"] as Json[]).map(({ kind, key, literal }) => `${kind} ${key}: ${literal}`);
}

const JSON_FRONT = "theurian_content_type: application/json\ntheurian_body_file: ";

Deno.test("okf trap 17: a media type beyond the three is a refused reference, though exports write it", async () => {
  using first = await applied([
    { itemId: "a", contentType: "application/schema+json", body: "{}" },
    { itemId: "b", contentType: "text/plain", body: "x" },
  ]);
  const { path } = await exported(first);
  assert(tree(path).includes("a.json") && tree(path).includes("b.txt"));
  using second = temporaryRepository();
  const { exit, json } = await imported(second, path);
  assert.deepEqual([exit, json.conceptsAdmitted, lines(json)], [0, 0, [
    "reference theurian_content_type: application/schema+json",
    "reference theurian_content_type: text/plain",
  ]]);
  assert.deepEqual(json.refusals.map(({ concept }: Json) => concept), ["a.md", "b.md"]);
});

Deno.test("okf trap 18: a media type without a body file leaves the inline body Markdown", () =>
  taking(
    { "a.md": page("theurian_content_type: application/json\n", "Inline.\n") },
    ({ json }, at) => {
      assert.equal(json["conceptsAdmitted"], 1);
      const [id] = json["proposalIds"] as [string];
      assert.equal(metadataOf(at, id)["contentType"], "text/markdown");
    },
  ));

Deno.test("okf trap 19: a sidecar of Markdown is walked as a concept too, and refused as one", () =>
  taking({
    "a.md": page("theurian_content_type: text/markdown\ntheurian_body_file: side.md\n"),
    "side.md": "Side.\n",
  }, ({ json }) => {
    assert.equal(json["conceptsAdmitted"], 1);
    assert.deepEqual(lines(json), ["concept side.md: no front matter"]);
  }));

Deno.test("okf traps 20 and 25: directories named like concepts, hidden and upper-case ids", () =>
  taking({
    "a.md/deep/inner.md": page(),
    "UPPER.md": page(),
    ".hid/h.md": page(),
  }, ({ json }, at) => {
    assert.deepEqual(lines(json), [
      "concept .hid/h.md: invalid item id: .hid.h",
      "concept UPPER.md: invalid item id: UPPER",
      "concept a.md: is a directory",
    ]);
    const [id] = json["proposalIds"] as [string];
    const { operations } = migrationOf(at, id) as { operations: Json[] };
    assert.equal(operations[0]!["itemId"], "a.md.deep.inner");
  }));

Deno.test("okf trap 21: a pipe named like a concept, a sidecar or the manifest blocks nothing", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, { "a.md": page(`${JSON_FRONT}pipe.json\n`), "b.md": page() });
  for (const name of ["f.md", "pipe.json", "theurian-bundle.md", "index.md"]) {
    new Deno.Command("mkfifo", { args: [join(root, name)] }).outputSync();
  }
  const start = performance.now();
  const { json } = await imported(repository, root);
  assert(performance.now() - start < 5_000);
  assert.deepEqual(lines(json), [
    "reference theurian_body_file: pipe.json",
    "concept f.md: is not a regular file",
  ]);
  assert.equal("bundleDigestMatches" in json, false);
});

Deno.test("okf traps 22, 30 and 31: each malformed document is one refusal; CRLF is none", () =>
  taking({
    "bom.md": `\ufeff${page()}`,
    "crlf.md": page().replaceAll("\n", "\r\n"),
    "deep.md": page(`x: ${"[".repeat(600)}${"]".repeat(600)}\n`),
    "empty.md": "---\n---\nx",
    "fence.md": "---\ntype: convention\n---foo\nx\n",
    "latin.md": new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xe9]),
    "list.md": "---\n- a\n---\nx",
    "trailing.md": page().replace("---\n", "--- \t\n"),
  }, ({ json }) => {
    assert.equal(json["conceptsAdmitted"], 2);
    const keys = (json["refusals"] as Json[]).map(({ kind, key }) => `${kind} ${key}`);
    assert.deepEqual(
      keys,
      ["bom", "deep", "empty", "fence", "latin", "list"].map((name) => `concept ${name}.md`),
    );
  }));

Deno.test("okf trap 23: of two concepts with one id the bytewise first path wins", () =>
  taking({
    "B.md": page("theurian_item_id: one\n", "Upper.\n"),
    "a.md": page("theurian_item_id: one\n", "Lower.\n"),
    "\u00e9.md": page("theurian_item_id: one\n", "Accent.\n"),
  }, ({ json }, at) => {
    assert.deepEqual(lines(json), [
      "concept a.md: duplicate id: one",
      "concept \u00e9.md: duplicate id: one",
    ]);
    const [id] = json["proposalIds"] as [string];
    const body = tree(join(at.root, ".theurian/proposals", id)).find((name) =>
      name.endsWith(".md")
    )!;
    assert.equal(Deno.readTextFileSync(join(at.root, ".theurian/proposals", id, body)), "Upper.\n");
  }));

Deno.test("okf trap 24: --item reaches a concept by its path's id, and both ids count as matched", async () => {
  const files = { "over.md": page("theurian_item_id: renamed.id\n"), "bad.md": "x" };
  const unmatched = (json: Json) => (json["refusals"] as Json[]).map(({ key }) => key);
  await taking(
    files,
    ({ json }) => {
      assert.deepEqual([json["conceptsAdmitted"], unmatched(json)], [0, ["renamed.id"]]);
    },
    "--item",
    "renamed.id",
  );
  await taking(
    files,
    ({ json }) => {
      assert.deepEqual([json["conceptsAdmitted"], unmatched(json)], [1, []]);
    },
    "--item",
    "over",
  );
  await taking(
    files,
    ({ json }) => {
      assert.deepEqual([json["conceptsAdmitted"], unmatched(json)], [1, []]);
    },
    "--item",
    "over",
    "--item",
    "renamed.id",
  );
});

Deno.test("okf trap 26: an item that exists is a draft refusal, and its edges go one by one", async () => {
  using repository = temporaryRepository();
  writeMigration(repository, 1, [{ itemId: "here" }]);
  repository.commit();
  const edges =
    "theurian_relations:\n- {type: depends_on, target: x}\n- {type: related_to, target: y}\n";
  const { exit, json } = await imported(repository, bundle(repository, { "here.md": page(edges) }));
  assert.equal(exit, 0);
  assert.deepEqual(
    json.refusals.map(({ kind, key, concept, reason }: Json) => [kind, key, concept, reason]),
    [
      ["draft", "here", "here.md", "item-exists"],
      ["relations", "here", "here.md", undefined],
      ["relations", "here", "here.md", undefined],
    ],
  );
});

Deno.test("okf trap 27, improved: a relation type that is unknown drops its edge and no other", () =>
  taking({
    "a.md": page(
      "theurian_relations:\n- {type: nonsense, target: b}\n- {type: depends_on, target: b}\n",
    ),
    "b.md": page(),
  }, ({ json }, at) => {
    assert.equal(json["conceptsAdmitted"], 2);
    assert.deepEqual(lines(json), ["relations a: nonsense b"]);
    const id = (json["proposalIds"] as string[])[2]!;
    assert.deepEqual(
      (migrationOf(at, id)["operations"] as Json[]).map(({ relationType }) => relationType),
      [
        "depends_on",
      ],
    );
  }));

Deno.test("okf trap 28: an empty body and a title of more than 300 characters are draft refusals", () =>
  taking({
    "empty.md": page("", " \n"),
    "long.md": page().replace("title: T", `title: ${"x".repeat(301)}`),
    "most.md": page().replace("title: T", `title: ${"\u{1f600}".repeat(300)}`),
    "notext.md": page(`${JSON_FRONT}n.json\n`),
    "n.json": new Uint8Array([0xff, 0xfe]),
  }, ({ json }) => {
    assert.equal(json["conceptsAdmitted"], 1);
    assert.deepEqual(
      (json["refusals"] as Json[]).map(({ kind, key, reason }) => [kind, key, reason]),
      [
        ["draft", "empty", "body-blank"],
        ["draft", "long", "not-valid"],
        ["draft", "notext", "body-not-utf8"],
      ],
    );
    assert.match(lines(json)[1]!, /drafting refused it \(invalid-input\): .*title/);
  }));

Deno.test("okf traps 29 and 36: what is not read may say anything; empty and typed keys", () =>
  taking({
    "by.md": page("generated: {by: 'human:x', at: never}\n"),
    "empty-id.md": page('theurian_item_id: ""\n'),
    "empty-body.md": page('theurian_content_type: application/json\ntheurian_body_file: ""\n'),
    "typed-body.md": page("theurian_body_file: 5\n"),
  }, ({ json }, at) => {
    assert.deepEqual(lines(json), ["reference theurian_body_file: "]);
    const ids = (json["proposalIds"] as string[]).map((id) =>
      (migrationOf(at, id)["operations"] as Json[])[0]!["itemId"]
    );
    assert.deepEqual(ids, ["by", "empty-id", "typed-body"]);
  }));

Deno.test("okf trap 32: what a refusal repeats of a bundle is cut, and escaped for a person", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "a.md": page().replace("convention", JSON.stringify(`\u001b[2J${"x".repeat(5_000)}`)),
    "b.md": page("x: [\u0007\n"),
    "c.md": page(`theurian_body_file: "\\u009b\\ud800"\ntheurian_content_type: application/json\n`),
  });
  const { json } = await imported(repository, root);
  for (const { literal } of json.refusals) assert(literal.length < 300, literal);
  const { stdout } = await runForTest(["okf", "import", root, ...IMPORT], {
    cwd: repository.root,
    environment: repository.environment,
  });
  // deno-lint-ignore no-control-regex
  assert(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(stdout), stdout);
  assert.match(stdout, /theurian_body_file: \\x9b.*\(in c\.md\)/);
});

Deno.test("okf trap 34: plain scalars are what a YAML 1.1 reader with our table takes them for", () => {
  const titled = (value: string) => page().replace("title: T", `title: ${value}`);
  const texts = ["1e3", "n", "y", "0o17", "08", "+.5", "1.e5", "1:60", "2026-01-01", "'yes'"];
  const others = [
    "0x1f",
    "off",
    "yes",
    "~",
    "1:30",
    "017",
    "1_000",
    ".5",
    ".inf",
    "null",
    "2024",
    "[T]",
  ];
  const files = Object.fromEntries(
    [...texts, ...others].map((value, n) => [`p${n}.md`, titled(value)]),
  );
  return taking(files, ({ json }) => {
    assert.equal(json["conceptsAdmitted"], texts.length);
    assert.deepEqual(
      [...lines(json)].sort(),
      others.map((_, n) => `concept p${n + texts.length}.md: required key(s) missing: title`)
        .sort(),
    );
  });
});

Deno.test("okf trap 35: an invertible edge that went round is one entry at each end", async () => {
  using first = await applied([{ itemId: "a" }, { itemId: "b" }], [
    relation("a", "implements", "b", "n"),
  ]);
  const { path } = await exported(first);
  using second = temporaryRepository();
  const { json } = await imported(second, path);
  await acceptAll(second, json.proposalIds);
  const again = await exported(second);
  const edges = (name: string) =>
    (concept(again.path, name).front["theurian_relations"] as Json[]).map(({ type }) => type);
  assert.deepEqual([edges("a.md"), edges("b.md")], [["implements"], ["implemented_by"]]);
});

Deno.test("an import repeats a bundle's own words, never a path of this machine", () => {
  const away = "../../../../etc/passwd";
  return taking({
    "a.md": page(`${JSON_FRONT}${away}\n`),
    "b.md": page(`${JSON_FRONT}/etc/passwd\n`),
    "c.md": page(`${JSON_FRONT}${"x/".repeat(40)}y\n`),
    "d.md": page(`${JSON_FRONT}absent.json\n`),
  }, ({ json }, at) => {
    assert.deepEqual(
      lines(json).map((line) => line.replace("reference theurian_body_file: ", "")),
      [
        away,
        "/etc/passwd",
        `${"x/".repeat(40)}y`,
        "absent.json",
      ],
    );
    assert(!JSON.stringify(json).includes(at.folder));
  });
});
