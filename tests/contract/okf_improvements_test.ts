/**
 * What an import does beyond the reference (okf.md section 6): restored facts, flags, the digest, a
 * rehearsal, an exit code.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import {
  applied,
  bundle,
  exported,
  imported,
  type Json,
  metadataOf,
  migrationOf,
  page,
  run,
  taking,
  tree,
} from "../support/okf_project.ts";
import { temporaryRepository } from "../support/temporary_repository.ts";

const OURS = "theurian_export_version: 1\n";

Deno.test("an import restores validity and anchors of our own bundles, and of no others", async () => {
  const front = "stale_after: '2036-03-01T00:00:00+09:00'\nsources:\n- resource: git://x/a.md\n" +
    "  theurian_anchor: {provider: git, repository: acme/api, commit_sha: 0123abc, " +
    "file_path: docs/a.md, line_start: 3, line_end: 9}\n" +
    "- resource: docs/b.md\n  theurian_anchor: {provider: git, commit_sha: HEAD, line_start: 9, line_end: 3}\n" +
    "- resource: docs/c.md\n  theurian_anchor: {provider: 7}\n" +
    "- resource: /etc/passwd\n  theurian_anchor: {provider: git}\n";
  const own = { provider: "okf-bundle", sourceUri: "okf-bundle:a.md", filePath: "a.md" };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  await taking({ "a.md": page(OURS + front) }, ({ json }, at) => {
    const metadata = metadataOf(at, (json["proposalIds"] as string[])[0]!);
    assert.equal(metadata["validTo"], "2036-03-01T00:00:00+09:00");
    assert.deepEqual(plain(metadata["sourceAnchors"]), [
      own,
      {
        provider: "git",
        sourceUri: "git://x/a.md",
        repository: "acme/api",
        commitSha: "0123abc",
        filePath: "docs/a.md",
        lineStart: 3,
        lineEnd: 9,
      },
      { provider: "git", sourceUri: "docs/b.md", lineStart: 9 },
      { provider: "okf-source", sourceUri: "docs/c.md" },
    ]);
    assert.equal(metadata["trustLevel"], "inferred");
  });
  await taking({ "a.md": page(front) }, ({ json }, at) => {
    const metadata = metadataOf(at, (json["proposalIds"] as string[])[0]!);
    assert.equal(metadata["validTo"], undefined);
    assert.deepEqual(plain(metadata["sourceAnchors"]), [
      own,
      ...["git://x/a.md", "docs/b.md", "docs/c.md"].map((sourceUri) => ({
        provider: "okf-source",
        sourceUri,
      })),
    ]);
  });
});

Deno.test("an import flags what the bundle calls deprecated or ended, and says so to the reviewer", () =>
  taking({
    "a.md": page().replace("status: stable", "status: deprecated"),
    "b.md": page(`${OURS}stale_after: '2020-01-01T00:00:00Z'\n`),
    "c.md": page(`${OURS}stale_after: soon\n`),
    "d.md": page().replace("status: stable", "status: draft"),
  }, ({ exit, json }, at) => {
    assert.deepEqual([exit, json["conceptsAdmitted"], json["refusals"]], [0, 4, []]);
    assert.deepEqual(json["flagged"], [
      { concept: "a.md", itemId: "a", flag: "deprecated" },
      { concept: "b.md", itemId: "b", flag: "stale" },
    ]);
    const [a, b] = (json["proposalIds"] as string[]).map((id) => migrationOf(at, id));
    assert.match(a!["description"] as string, /is deprecated/);
    assert.match(b!["description"] as string, /stopped being valid at 2020-01-01T00:00:00\+00:00/);
    assert.equal(metadataOf(at, (json["proposalIds"] as string[])[1]!)["validTo"], undefined);
  }));

Deno.test("an import tells whether a bundle still is what its manifest says", async () => {
  using first = await applied([{ itemId: "a" }, {
    itemId: "b.c",
    contentType: "application/json",
    body: "{}",
  }]);
  const { path } = await exported(first);
  const matches = async (change: () => void, undo: () => void) => {
    change();
    using repository = temporaryRepository();
    const { json } = await imported(repository, path, "--dry-run");
    undo();
    return json.bundleDigestMatches;
  };
  const at = (name: string) => join(path, name);
  const nothing = () => {};
  assert.equal(await matches(nothing, nothing), true);
  const sidecar = Deno.readTextFileSync(at("b/c.json"));
  const changed = () => Deno.writeTextFileSync(at("b/c.json"), '{"x": 1}');
  assert.equal(
    await matches(changed, () => Deno.writeTextFileSync(at("b/c.json"), sidecar)),
    false,
  );
  const added = () => Deno.writeTextFileSync(at(".extra"), "");
  assert.equal(await matches(added, () => Deno.removeSync(at(".extra"))), false);
  const linked = () => Deno.symlinkSync("a.md", at("link"));
  assert.equal(await matches(linked, () => Deno.removeSync(at("link"))), false);
  const moved = () => Deno.renameSync(at("index.md"), at("../index.md"));
  assert.equal(
    await matches(moved, () => Deno.renameSync(at("../index.md"), at("index.md"))),
    false,
  );
  const manifest = Deno.readTextFileSync(at("theurian-bundle.md"));
  const put = (text: string) => () => Deno.writeTextFileSync(at("theurian-bundle.md"), text);
  assert.equal(await matches(put("# nothing"), put(manifest)), undefined);
  assert.equal(await matches(put("---\nx: [\n---\n"), put(manifest)), undefined);
  assert.equal(
    await matches(put("---\ntheurian_bundle_digest: abc\n---\n"), put(manifest)),
    undefined,
  );
  using repository = temporaryRepository();
  const some = await imported(repository, path, "--item", "a", "--dry-run");
  assert.equal("bundleDigestMatches" in some.json, false, "the rest was not read");
});

Deno.test("an import can be rehearsed, to the same report and no file", async () => {
  const files = {
    "a.md": page("theurian_relations:\n- {type: depends_on, target: b}\n"),
    "b.md": page(),
    "c.md": page("", ""),
    "d.md": page("", `Key: ${["AKIA", "QYLPMN5HHHFPZAM2"].join("")}\n`),
  };
  using repository = temporaryRepository();
  const root = bundle(repository, files);
  const rehearsed = await imported(repository, root, "--dry-run");
  assert.deepEqual(tree(join(repository.root, ".theurian")), []);
  const real = await imported(repository, root);
  assert.equal(real.json.proposalIds.length, 3);
  assert.deepEqual(rehearsed.json, { ...real.json, proposalIds: [], dryRun: true });
  assert.deepEqual(real.json.refusals.map(({ key, reason }: Json) => [key, reason]), [
    ["c", "body-blank"],
    ["d", "secret-found"],
  ]);
  assert(!JSON.stringify(real.json).includes("QYLPMN5HHHFPZAM2"));
});

Deno.test("a rehearsal meets the bound on what may wait as the import does", async () => {
  using repository = temporaryRepository();
  repository.write(".theurian/config.yaml", "proposals:\n  maxPending: 2\n");
  const root = bundle(repository, {
    "a.md": page().replace("title: T", "title: A"),
    "b.md": page().replace("title: T", "title: B"),
    "c.md": page().replace("title: T", "title: C"),
  });
  const rehearsed = await imported(repository, root, "--dry-run");
  assert.deepEqual(rehearsed.json.refusals.map(({ key, reason }: Json) => [key, reason]), [
    ["c", "queue-full"],
  ]);
  const real = await imported(repository, root);
  assert.deepEqual(rehearsed.json, { ...real.json, proposalIds: [], dryRun: true });
});

Deno.test("an import whose every concept is refused is exit 0, and 7 where that was asked for", async () => {
  using repository = temporaryRepository();
  const bad = bundle(repository, { "UPPER.md": page() }, "bad");
  const empty = bundle(repository, {}, "empty");
  const good = bundle(repository, { "a.md": page(), "UPPER.md": page() }, "good");
  const exits = [];
  for (const root of [bad, empty, good]) {
    const { exit, json } = await imported(repository, root, "--strict");
    exits.push(exit);
    assert(Array.isArray(json.refusals), "the report stands on stdout");
  }
  assert.deepEqual(exits, [7, 0, 0]);
  assert.equal((await imported(repository, bad)).exit, 0);
});

Deno.test("the same import twice is one set of proposals", async () => {
  using repository = temporaryRepository();
  const root = bundle(repository, {
    "a.md": page("theurian_relations:\n- {type: depends_on, target: b}\n"),
    "b.md": page(),
  });
  const first = await imported(repository, root);
  const second = await imported(repository, root);
  assert.deepEqual(second.json, first.json);
  assert.equal(
    new Set(tree(join(repository.root, ".theurian/proposals")).map((p) => p.split("/")[0])).size,
    3,
  );
  const listed = await run(repository, ["propose", "list"]);
  assert.equal(listed.json.count, 3);
});
