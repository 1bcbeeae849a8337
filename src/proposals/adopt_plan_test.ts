import assert from "node:assert/strict";
import { acceptAll, adopt, commit, derived, write } from "../../tests/support/adoption.ts";
import { draft, refusal, tree } from "../../tests/support/proposals.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";

Deno.test("adoptDocuments() drafts once, answers from the merged text, then only what changed", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n", "docs/b.md": "# B\n\ntwo\n" });
    const head = commit(scratch, "https://token@example.org/shop.git");
    const first = await adopt(scratch);
    assert.deepEqual(first.documents.map((one) => one.change), ["new", "new"]);
    await acceptAll(scratch, first.proposals);
    await scratch.apply();
    {
      using reader = scratch.reader();
      const [anchor] = reader.currentRevision(reader.item("domain.a")!)!.sourceAnchors;
      assert.equal(anchor!.sourceUri, "git://https://example.org/shop.git/docs/a.md");
      assert.deepEqual([anchor!.commitSha, anchor!.lineStart, anchor!.lineEnd], [head, 1, 3]);
    }
    write(scratch, { "docs/a.md": "# A\n\nchanged\n" });
    const second = await adopt(scratch);
    assert.deepEqual(second.documents.map((one) => [one.itemId, one.change]), [
      ["domain.a", "updated"],
    ]);
    await acceptAll(scratch, second.proposals);
    await scratch.apply();
    using reader = scratch.reader();
    // The text on the disk is not the one that the commit holds.
    assert.equal(
      reader.currentRevision(reader.item("domain.a")!)!.sourceAnchors[0]!.commitSha,
      null,
    );
  }));

Deno.test("adoptDocuments() names no commit before the first one", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
    commit(scratch, "");
    assert.equal((await adopt(scratch)).unchanged, 1);
  }));

Deno.test("adoptDocuments() never writes over an item that came from elsewhere", () =>
  inScratchProject(async (scratch) => {
    const anchor = (filePath: string) => ({
      provider: "git",
      sourceUri: `git://demo/${filePath}`,
      repository: null,
      commitSha: null,
      blobSha: null,
      filePath,
      lineStart: null,
      lineEnd: null,
      externalId: null,
    });
    // One item has the id that the file would get, another one quotes the file.
    const own = await draft(scratch, { itemId: "domain.setup", body: "by hand\n" });
    const quoting = await draft(scratch, {
      itemId: "convention.kindness",
      body: "a rule taken from it\n",
      sourceAnchors: [anchor("docs/setup.md")],
    });
    await acceptAll(scratch, [own, quoting]);
    write(scratch, {
      "docs/setup.md": "# Setup\n\nGuide.\n",
      "notes/setup.md": "# Setup\n\nOther.\n",
    });
    assert.deepEqual(await derived(scratch, { paths: ["docs"] }), [
      'docs/setup.md: domain.docs-setup domain "Setup"',
    ]);
    await acceptAll(scratch, (await adopt(scratch, { paths: ["docs"] })).proposals);
    assert.deepEqual(await derived(scratch, { paths: ["notes"] }), [
      'notes/setup.md: domain.notes-setup domain "Setup"',
    ]);
    assert.equal((await adopt(scratch, { paths: ["docs"] })).unchanged, 1);
  }));

Deno.test("adoptDocuments() follows an item that a person drafted from the whole file by its id", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    const made = await draft(scratch, {
      itemId: "domain.a",
      body: "# A\n\none\n",
      sourceAnchors: [{
        provider: "git",
        sourceUri: "git://demo/docs/a.md",
        repository: null,
        commitSha: null,
        blobSha: null,
        filePath: "docs/a.md",
        lineStart: null,
        lineEnd: null,
        externalId: null,
      }],
    });
    assert.equal((await adopt(scratch)).unchanged, 1);
    await acceptAll(scratch, [made]);
    assert.equal((await adopt(scratch)).unchanged, 1);
  }));

Deno.test("adoptDocuments() takes no id that is an alias of another item", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "domain.other": { body: "one" } });
    scratch.migrate({ op: "addAlias", alias: "domain.a", itemId: "domain.other" });
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
  }));

Deno.test("adoptDocuments() keeps the labels that reviewers gave an item", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
    scratch.migrate({
      op: "changeSensitivity",
      itemId: "domain.a",
      sensitivity: "confidential",
      reason: "numbers",
    }, { op: "changeOwner", itemId: "domain.a", owner: "finance" });
    write(scratch, { "docs/a.md": "---\ntags: [new]\n---\n# A\n\ntwo\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
    await scratch.apply();
    using reader = scratch.reader();
    const item = reader.item("domain.a")!;
    assert.deepEqual([item.sensitivity, item.owner], ["confidential", "finance"]);
    assert.deepEqual(reader.currentRevision(item)!.labels, []);
  }));

Deno.test("adoptDocuments() stops at a secret, names file, line and family, and shows nothing of it", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "docs/a.md": "# A\n\nfine\n",
      "docs/b.md": "---\ntitle: B\n---\n# B\n\nkey AKIAIOSFODNN7EXAMPLE\n",
      "docs/c.md": "---\ntitle: key AKIAIOSFODNN7EXAMPLE\n---\nfine\n",
      "docs/AKIAIOSFODNN7EXAMPLE.md": "# D\n\nfine\n",
    });
    for (const dryRun of [true, false]) {
      const refused = await refusal(1, () => adopt(scratch, { dryRun }));
      assert.match(refused.message, /docs\/b\.md:6:5: aws-access-key-id \(AKIA\.\.\.\)/);
      assert.match(refused.message, /docs\/c\.md:2:12: aws-access-key-id/);
      assert.match(refused.message, /the name of \(not shown/);
      assert.ok(!refused.message.includes("AKIAI"));
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    }
    write(scratch, { ".theurian/config.yaml": "security:\n  secretScan: warn\n" });
    const { secretFindings, documents } = await adopt(scratch);
    assert.deepEqual([secretFindings.length, documents.length], [3, 4]);
  }));

Deno.test("adoptDocuments() leaves retired items and items with another waiting proposal alone", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n", "docs/b.md": "# B\n\none\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
    scratch.migrate({ op: "deprecateItem", itemId: "domain.a" });
    write(scratch, { "docs/a.md": "# A\n\ntwo\n", "docs/b.md": "# B\n\ntwo\n" });
    assert.deepEqual((await adopt(scratch)).skipped.map((one) => one.path), ["docs/a.md"]);
    write(scratch, { "docs/b.md": "# B\n\nthree\n" });
    assert.deepEqual((await adopt(scratch)).skipped.map((one) => one.path), [
      "docs/a.md",
      "docs/b.md",
    ]);
  }));

Deno.test("adoptDocuments() refuses paths outside the repository and absent ones, and passes over links", () =>
  inScratchProject(async (scratch) => {
    for (const path of ["..", "/etc/hosts", "no-such.md"]) {
      await refusal(2, () => adopt(scratch, { paths: [path] }));
    }
    write(scratch, { "AGENTS.md": "# Rules\n\nBe kind.\n", "a.txt": "text\n" });
    Deno.symlinkSync("AGENTS.md", scratch.at("CLAUDE.md"));
    Deno.symlinkSync("/etc", scratch.at("out"));
    const { documents, skipped } = await adopt(scratch, {
      paths: ["AGENTS.md", "CLAUDE.md", "out", "a.txt"],
    });
    assert.deepEqual(documents.map((one) => one.path), ["AGENTS.md"]);
    assert.deepEqual(skipped.map((one) => one.path), ["CLAUDE.md", "out", "a.txt"]);
  }));

Deno.test("adoptDocuments() names a document that cannot be read, exit 1", () =>
  inScratchProject(async (scratch) => {
    for (const bytes of [new Uint8Array([0xff, 0xfe]), new Uint8Array(8_388_609).fill(97)]) {
      write(scratch, { "docs/a.md": "# A\n\none\n", "docs/b.md": bytes });
      const refused = await refusal(1, () => adopt(scratch));
      assert.match(refused.message, /docs\/b\.md/);
      assert.match(refused.remedy, /--exclude/);
      assert.equal(
        (await adopt(scratch, { exclude: ["docs/b.*"], dryRun: true })).documents.length,
        1,
      );
    }
  }));

Deno.test("adoptDocuments() leaves out what a pattern names, by name, folder or depth", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "a/one.md": "# 1\n",
      "a/b/two.md": "# 2\n",
      "c/three.md": "# 3\n",
      "x+y.md": "# 4\n",
    });
    const left = async (...exclude: string[]) =>
      (await adopt(scratch, { exclude, dryRun: true })).documents.map((one) => one.path);
    assert.deepEqual(await left("a"), ["c/three.md", "x+y.md"]);
    assert.deepEqual(await left("a/*.md"), ["a/b/two.md", "c/three.md", "x+y.md"]);
    assert.deepEqual(await left("./a/**/*.md", "x+?.md"), ["c/three.md"]);
    assert.deepEqual(await left("**/two.md", "three.md"), ["a/one.md", "x+y.md"]);
  }));

Deno.test("adoptDocuments() writes nothing on a dry run", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    const shown = await adopt(scratch, { dryRun: true });
    assert.equal(shown.documents[0]!.proposalId, null);
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
  }));

Deno.test("adoptDocuments() puts at most 100 items into one proposal, and all of them or none", () =>
  inScratchProject(async (scratch) => {
    write(
      scratch,
      Object.fromEntries(
        Array.from({ length: 130 }, (_, i) => [`docs/n${i}.md`, `# N${i}\n\n${i}\n`]),
      ),
    );
    write(scratch, { ".theurian/config.yaml": "proposals:\n  maxPending: 1\n" });
    const full = await refusal(1, () => adopt(scratch));
    assert.match(full.message, /this would add 2/);
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    write(scratch, { ".theurian/config.yaml": "" });
    const { proposals } = await adopt(scratch);
    assert.deepEqual(proposals.map((one) => one.itemIds.length), [100, 30]);
    await acceptAll(scratch, proposals);
  }));
