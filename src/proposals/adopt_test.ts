import assert from "node:assert/strict";
import { dirname } from "node:path";
import { loadMigrationSet } from "../knowledge/mod.ts";
import { acceptProposal, adoptDocuments, type AdoptOptions } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { draftContext, refusal, tree } from "../../tests/support/proposals.ts";

function write(scratch: ScratchProject, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(scratch.at(path)), { recursive: true });
    Deno.writeTextFileSync(scratch.at(path), text);
  }
}

function adopt(scratch: ScratchProject, more: Partial<AdoptOptions> = {}) {
  const options: AdoptOptions = {
    cwd: scratch.root,
    paths: ["."],
    exclude: [],
    owner: "team",
    author: "ada@example.org",
    namespace: null,
    kind: null,
    local: false,
    dryRun: false,
    origin: { repositoryUrl: "https://example.org/shop.git", commit: "a".repeat(40) },
    ...more,
  };
  return adoptDocuments(options, loadMigrationSet(scratch.project.paths), draftContext(scratch));
}

/** `path: itemId kind title` of each document, for comparing at a glance. */
async function derived(scratch: ScratchProject, more: Partial<AdoptOptions> = {}) {
  const { documents } = await adopt(scratch, { ...more, dryRun: true });
  return documents.map((one) => `${one.path}: ${one.itemId} ${one.kind} "${one.title}"`);
}

async function acceptAll(scratch: ScratchProject, ids: readonly { proposalId: string }[]) {
  for (const { proposalId } of ids) {
    await acceptProposal(scratch.project, scratch.dataDirectory, proposalId);
  }
}

Deno.test("adoptDocuments() reads a folder of decision records", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "docs/adr/0001-use-postgresql.md": "# 1. Use PostgreSQL\n\n## Status\n\nAccepted\n\nText.\n",
      "docs/adr/0002-use-redis.md": "# 2. Use Redis\n\n## Status\n\nSuperseded by 3\n",
      "docs/adr/README.md": "# Decisions\n\nHow we decide.\n",
      "CHANGELOG.md": "# Changes\n",
    });
    assert.deepEqual(await derived(scratch), [
      'docs/adr/0001-use-postgresql.md: decision.0001-use-postgresql decision "1. Use PostgreSQL"',
      'docs/adr/README.md: decision.adr-overview decision "Decisions"',
    ]);
    const { skipped } = await adopt(scratch, { dryRun: true });
    assert.deepEqual(skipped.map((one) => one.path), [
      "CHANGELOG.md",
      "docs/adr/0002-use-redis.md",
    ]);
  }));

Deno.test("adoptDocuments() reads flat notes with front matter", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "notes/on-call.md": "---\ntitle: On call\nkind: operations\n---\nWake up.\n",
      "notes/glossary.md": "Terms without a heading.\n",
      "notes/空.md": "# 認証\n\n本文。\n",
      "notes/empty.md": "---\ntitle: Nothing\n---\n\n",
    });
    assert.deepEqual(await derived(scratch, { paths: ["notes"] }), [
      'notes/glossary.md: domain.glossary domain "Glossary"',
      'notes/on-call.md: operations.on-call operations "On call"',
      'notes/空.md: domain.document domain "認証"',
    ]);
  }));

Deno.test("adoptDocuments() reads the guides of a monorepo and keeps equal names apart", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "packages/billing/docs/guides/setup.md": "# Setup\n\nBilling.\n",
      "packages/billing/docs/setup.md": "# Setup\n\nAgain.\n",
      "packages/search/docs/setup.md": "# Setup\n\nSearch.\n",
      "packages/search/runbooks/reindex.md": "# Reindex\n\nSteps.\n",
      "AGENTS.md": "# Rules\n\nBe kind.\n",
      "node_modules/x/readme.md": "# Not ours\n",
    });
    assert.deepEqual(await derived(scratch, { exclude: ["AGENTS.md"] }), [
      'packages/billing/docs/guides/setup.md: billing.setup domain "Setup"',
      'packages/billing/docs/setup.md: billing.setup-2 domain "Setup"',
      'packages/search/docs/setup.md: search.setup domain "Setup"',
      'packages/search/runbooks/reindex.md: search.operations.reindex operations "Reindex"',
    ]);
  }));

Deno.test("adoptDocuments() drafts once, answers from the merged text, then only what changed", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n", "docs/b.md": "# B\n\ntwo\n" });
    const first = await adopt(scratch);
    assert.equal(first.proposals.length, 1);
    assert.deepEqual(first.documents.map((one) => one.change), ["new", "new"]);
    const waiting = await adopt(scratch);
    assert.deepEqual([waiting.proposals.length, waiting.unchanged], [0, 2]);
    await acceptAll(scratch, first.proposals);
    await scratch.apply();
    {
      using reader = scratch.reader();
      const [anchor] = reader.currentRevision(reader.item("domain.a")!)!.sourceAnchors;
      assert.equal(anchor!.sourceUri, "git://https://example.org/shop.git/docs/a.md");
      assert.deepEqual([anchor!.commitSha, anchor!.lineStart, anchor!.lineEnd], [
        "a".repeat(40),
        1,
        3,
      ]);
    }
    assert.deepEqual([(await adopt(scratch)).documents, (await adopt(scratch)).unchanged], [[], 2]);
    write(scratch, { "docs/a.md": "# A\n\nchanged\n" });
    const second = await adopt(scratch);
    assert.deepEqual(second.documents.map((one) => [one.itemId, one.change]), [
      ["domain.a", "updated"],
    ]);
    await acceptAll(scratch, second.proposals);
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
    write(scratch, { "docs/a.md": "# A\n\ntwo\n" });
    await acceptAll(scratch, (await adopt(scratch)).proposals);
    await scratch.apply();
    using reader = scratch.reader();
    const item = reader.item("domain.a")!;
    assert.deepEqual([item.sensitivity, item.owner], ["confidential", "finance"]);
  }));

Deno.test("adoptDocuments() stops at a secret, names file, line and family, and shows nothing of it", () =>
  inScratchProject(async (scratch) => {
    write(scratch, {
      "docs/a.md": "# A\n\nfine\n",
      "docs/b.md": "---\ntitle: B\n---\n# B\n\nkey AKIAIOSFODNN7EXAMPLE\n",
    });
    const refused = await refusal(1, () => adopt(scratch));
    assert.match(refused.message, /docs\/b\.md:6:5: aws-access-key-id \(AKIA\.\.\.\)/);
    assert.ok(!refused.message.includes("AKIAI"));
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
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

Deno.test("adoptDocuments() refuses paths outside the repository, absent ones and links", () =>
  inScratchProject(async (scratch) => {
    Deno.symlinkSync("/etc", scratch.at("out"));
    for (const path of ["..", "/etc/hosts", "no-such.md", "out"]) {
      await refusal(2, () => adopt(scratch, { paths: [path] }));
    }
  }));

Deno.test("adoptDocuments() writes nothing on a dry run", () =>
  inScratchProject(async (scratch) => {
    write(scratch, { "docs/a.md": "# A\n\none\n" });
    const shown = await adopt(scratch, { dryRun: true });
    assert.equal(shown.documents[0]!.proposalId, null);
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
  }));

Deno.test("adoptDocuments() puts at most 100 items into one proposal", () =>
  inScratchProject(async (scratch) => {
    write(
      scratch,
      Object.fromEntries(
        Array.from({ length: 130 }, (_, i) => [`docs/n${i}.md`, `# N${i}\n\nt\n`]),
      ),
    );
    const { proposals } = await adopt(scratch);
    assert.deepEqual(proposals.map((one) => one.itemIds.length), [100, 30]);
    await acceptAll(scratch, proposals);
  }));
