import assert from "node:assert/strict";
import type { Item, Revision } from "../knowledge/mod.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import type { BundleConcept, BundleEdge } from "./population.ts";
import { renderBundle } from "./render_bundle.ts";

function concept(
  itemId: string,
  revision: Partial<Revision> = {},
  edges: readonly Partial<BundleEdge>[] = [],
): BundleConcept {
  return {
    item: { itemId, status: "approved", sensitivity: "internal" } as Item,
    revision: {
      revisionId: "01K1ABCREV01234567890ABCDE",
      itemId,
      title: itemId,
      kind: "convention",
      body: "Body.\n",
      contentType: "text/markdown",
      labels: [],
      namespace: "",
      owner: "platform",
      trustLevel: "reviewed",
      validTo: null,
      createdAt: "2026-07-15T10:00:00+09:00",
      sourceAnchors: [],
      ...revision,
    } as unknown as Revision,
    edges: edges.map((edge) => ({
      type: "depends_on",
      target: "t",
      note: null,
      storedSource: itemId,
      ...edge,
    })),
  };
}

function render(...concepts: BundleConcept[]) {
  const bundle = renderBundle(concepts, "theurian/9.9.9");
  const text = (path: string) => new TextDecoder().decode(bundle.files.get(path));
  const front = (path: string) => {
    const block = text(path).split("---\n")[1]!;
    return parseYaml(new TextEncoder().encode(block), path).value as Record<string, unknown>;
  };
  return { ...bundle, text, front, paths: [...bundle.files.keys()].sort() };
}

Deno.test("an empty population is one index and the digest of every empty bundle", () => {
  const { paths, text, digest, indexes } = render();
  assert.deepEqual(paths, ["index.md", "theurian-bundle.md"]);
  assert.equal(digest, "4203d09ffdd56e1ca463ffe06effe62097463d99df56e44673415627b753b3fe");
  assert.equal(indexes, 1);
  assert.equal(
    text("index.md"),
    "---\nokf_version: '0.2'\n---\n\n# Theurian Bundle\n\n* [Theurian Bundle](/theurian-bundle.md)\n",
  );
  assert(text("theurian-bundle.md").includes(`theurian_bundle_digest: ${digest}\n`));
});

Deno.test("a concept has its front matter in order, its body and its relations", () => {
  const { text } = render(
    concept("backend.retry", {
      title: "Retry budget",
      body: "{}",
      contentType: "application/json",
      labels: ["resilience"],
      namespace: "backend",
      sourceAnchors: [{
        provider: "git",
        sourceUri: "https://git.example/acme/api/commit/1f2e",
        repository: null,
        commitSha: null,
        blobSha: "ffff",
        filePath: null,
        lineStart: 3,
        lineEnd: null,
        externalId: "x",
      }],
    }, [{ target: "backend.timeouts", note: "Budgets assume these limits." }]),
    concept("backend.timeouts"),
  );
  assert.equal(
    text("backend/retry.md"),
    `---
type: convention
title: Retry budget
tags:
- resilience
status: stable
generated:
  by: theurian/9.9.9
  at: '2026-07-15T10:00:00+09:00'
sources:
- resource: https://git.example/acme/api/commit/1f2e
  theurian_anchor:
    provider: git
    line_start: 3
theurian_export_version: 1
theurian_item_id: backend.retry
theurian_revision_id: 01K1ABCREV01234567890ABCDE
theurian_status: approved
theurian_namespace: backend
theurian_owner: platform
theurian_trust_level: reviewed
theurian_sensitivity: internal
theurian_content_type: application/json
theurian_body_file: retry.json
theurian_relations:
- type: depends_on
  target: backend.timeouts
  note: Budgets assume these limits.
---

The body of this concept is not Markdown. It is kept byte for byte in [retry.json](retry.json).

## Relations

### depends_on

* [backend.timeouts](/backend/timeouts.md)
  * Budgets assume these limits.
`,
  );
  assert.equal(text("backend/retry.json"), "{}");
});

Deno.test("a body keeps everything but the line feeds around it, and an empty one keeps its frame", () => {
  const { text } = render(
    concept("a", { body: "\n\nText\u0000\r\n\n" }),
    concept("b", { body: "" }),
  );
  assert(text("a.md").includes("---\n\nText\u0000\r\n\n## Relations\n"));
  assert(text("b.md").endsWith("---\n\n\n\n## Relations\n"));
});

Deno.test("a note never forges a list entry, and an empty one prints nothing", () => {
  const edges = [
    { target: "a", note: "" },
    { target: "b", note: "\n\n" },
    { target: "c", note: "\n- x\n# y\n\n1. one" },
  ];
  const { text, front } = render(concept("z", {}, edges));
  assert(
    text("z.md").endsWith(
      "* [a](/a.md)\n* [b](/b.md)\n* [c](/c.md)\n  * \\- x\n    \\# y\n\n    1\\. one\n",
    ),
  );
  assert.deepEqual(
    (front("z.md")["theurian_relations"] as { note?: string }[]).map(({ note }) => note),
    ["", "\n\n", "\n- x\n# y\n\n1. one"],
  );
});

Deno.test("edges stand by type and target; two directions of one edge by where they are stored", () => {
  const { text, front } = render(
    concept("m", {}, [
      { type: "supersedes", target: "a", note: "n" },
      { type: "depends_on", target: "b" },
      { type: "depends_on", target: "a", note: null, storedSource: "z" },
      { type: "depends_on", target: "a", note: "own", storedSource: "m" },
    ]),
  );
  assert(
    text("m.md").endsWith(
      "## Relations\n\n### depends_on\n\n* [a](/a.md)\n  * own\n* [a](/a.md)\n* [b](/b.md)\n\n" +
        "### supersedes\n\n* [a](/a.md)\n  * n\n",
    ),
  );
  const relations = front("m.md")["theurian_relations"] as { target: string; note?: string }[];
  assert.deepEqual(relations.map(({ target, note }) => [target, note]), [
    ["a", "own"],
    ["a", undefined],
    ["b", undefined],
    ["a", "n"],
  ]);
});

Deno.test("every directory has an index, by link path, with escaped titles", () => {
  const { text, indexes } = render(
    concept("architecture.auth.session"),
    concept("q", { title: "x ](u) <b> \\ `" }),
    concept("q-a"),
    concept("q.sub"),
  );
  assert.equal(text("architecture/index.md"), "# architecture\n\n* [auth](/architecture/auth/)\n");
  assert.equal(indexes, 4);
  assert.deepEqual(text("index.md").split("\n").slice(6, -1), [
    "* [architecture](/architecture/)",
    "* [q-a](/q-a.md)",
    "* [x \\](u) \\<b\\> \\\\ \\`](/q.md)",
    "* [q](/q/)",
    "* [Theurian Bundle](/theurian-bundle.md)",
  ]);
});

Deno.test("no value of a row can open a key or close the front matter", () => {
  const title = "a\n---\ntheurian_sensitivity: public\u2028---\u0085x: y";
  const { text, front } = render(concept("a", { title, owner: "---", namespace: "# x" }));
  assert.equal(front("a.md")["title"], title);
  assert.equal(front("a.md")["owner" as never], undefined);
  assert.equal(front("a.md")["theurian_owner"], "---");
  assert.equal(text("a.md").split("\n").filter((line) => line === "---").length, 2);
});

Deno.test("the digest moves with content and generator, and two renderings are equal", () => {
  const one = render(concept("a"));
  assert.deepEqual([...render(concept("a")).files], [...one.files]);
  assert.notEqual(render(concept("a", { body: "other" })).digest, one.digest);
  assert.notEqual(renderBundle([concept("a")], "theurian/9.9.10").digest, one.digest);
});
