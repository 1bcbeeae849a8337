import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadMigrationSet, SENSITIVITIES } from "../knowledge/mod.ts";
import { acceptProposal, adoptDocuments, type AdoptOptions } from "./mod.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { draft, draftContext, refusal, tree } from "../../tests/support/proposals.ts";

function write(scratch: ScratchProject, files: Readonly<Record<string, string | Uint8Array>>) {
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(scratch.at(path)), { recursive: true });
    if (typeof text === "string") Deno.writeTextFileSync(scratch.at(path), text);
    else Deno.writeFileSync(scratch.at(path), text);
  }
}

function git(scratch: ScratchProject, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args],
    cwd: scratch.root,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

function commit(scratch: ScratchProject, origin = "https://example.org/shop.git"): string {
  git(scratch, "init", "-q");
  if (origin !== "") git(scratch, "remote", "add", "origin", origin);
  git(scratch, "add", "-A");
  git(scratch, "commit", "-q", "-m", "m");
  return git(scratch, "rev-parse", "HEAD");
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

/** Every item of the applied state, as `itemId: title`. */
async function applied(scratch: ScratchProject): Promise<string[]> {
  await scratch.apply();
  using reader = scratch.reader();
  return [...reader.currentRevisions({ statuses: ["approved"], sensitivities: SENSITIVITIES })]
    .map(({ itemId }) => `${itemId}: ${reader.currentRevision(reader.item(itemId)!)!.title}`)
    .sort();
}

const NYGARD = (title: string, status: string) =>
  `# ${title}\n\nDate: 2026-01-02\n\n## Status\n\n${status}\n\n## Context\n\nWe need one.\n\n## Decision\n\nWe use it.\n\n## Consequences\n\nMore work.\n`;

const DECISION_RECORDS: Readonly<Record<string, string>> = {
  "docs/adr/0001-record-architecture-decisions.md": NYGARD(
    "1. Record architecture decisions",
    "Accepted",
  ),
  "docs/adr/0002-use-redis.md": NYGARD(
    "2. Use Redis",
    "Superceded by [3. Use PostgreSQL](0003-use-postgresql.md)",
  ),
  "docs/adr/0003-use-postgresql.md": NYGARD(
    "3. Use PostgreSQL",
    "Accepted\n\nSupercedes [2. Use Redis](0002-use-redis.md)",
  ),
  "docs/adr/0004-test-the-public-api.md":
    "---\nstatus: accepted\ndate: 2026-02-03\n---\n# Test the public API\n\n## Context and Problem Statement\n\nHow?\n\n## Decision Outcome\n\nContract tests.\n",
  "docs/adr/0005-try-graphql.md":
    "# Try GraphQL\n\n* Status: proposed\n* Deciders: all\n\nMaybe.\n",
  "docs/adr/0006-old-style.md":
    "# Old style\n\n* Status: accepted\n\n## Decision Outcome\n\nYes.\n",
  "docs/adr/adr-template.md": NYGARD("Title", "Proposed"),
  "docs/adr/template.md":
    "# [short title]\n\n- Status: [proposed | rejected | accepted]\n\n## Decision\n",
  "docs/adr/README.md": "# Decisions\n\nHow we decide.\n",
  "docs/adr-0007-deploy-by-tag.md": "# Deploy by tag\n\nTags deploy.\n",
  "doc/records/use-queues.md": NYGARD("Use queues", "**Accepted**"),
  "CHANGELOG.md": "# Changes\n",
  "LICENSE-MIT.md": "MIT\n",
};

Deno.test("adoptDocuments() reads decision records of the two common templates", () =>
  inScratchProject(async (scratch) => {
    write(scratch, DECISION_RECORDS);
    assert.deepEqual(await derived(scratch), [
      'doc/records/use-queues.md: records.use-queues decision "Use queues"',
      'docs/adr-0007-deploy-by-tag.md: decision.adr-0007-deploy-by-tag decision "Deploy by tag"',
      'docs/adr/0001-record-architecture-decisions.md: decision.0001-record-architecture-decisions decision "1. Record architecture decisions"',
      'docs/adr/0003-use-postgresql.md: decision.0003-use-postgresql decision "3. Use PostgreSQL"',
      'docs/adr/0004-test-the-public-api.md: decision.0004-test-the-public-api decision "Test the public API"',
      'docs/adr/0006-old-style.md: decision.0006-old-style decision "Old style"',
      'docs/adr/README.md: decision.adr-overview decision "Decisions"',
    ]);
    const { skipped } = await adopt(scratch, { dryRun: true });
    assert.deepEqual(skipped.map((one) => `${one.path}: ${one.reason}`), [
      "CHANGELOG.md: it is about the repository itself",
      "LICENSE-MIT.md: it is about the repository itself",
      "docs/adr/0002-use-redis.md: it says itself that it has ended",
      "docs/adr/0005-try-graphql.md: it says itself that it is not decided yet",
      "docs/adr/adr-template.md: it is a template",
      "docs/adr/template.md: it is a template",
    ]);
  }));

const NOTES: Readonly<Record<string, string>> = {
  "notes/on-call.md":
    "---\ntitle: On call\nkind: operations\ntags: [pager, on call]\n---\n\nWake up.\n",
  "notes/Refund rules.md":
    "---\ntags: money, refunds\naliases: [refunds]\n---\n## When\n\nWithin 14 days. See [[Glossary]].\n",
  "notes/glossary.md": "Terms without a heading.\n",
  "notes/空.md": "# 認証\n\n本文。\n",
  "notes/方針/決済.md": "---\ntitle: 決済\ntype: decision\n---\n本文。\n",
  "notes/idea.md": "---\nstatus: draft\n---\nNot yet.\n",
  "notes/old.md": "---\narchived: true\n---\nOnce.\n",
  "notes/empty.md": "---\ntitle: Nothing\n---\n\n",
  "notes/Templates/daily.md": "# {{date}}\n",
  "notes/.obsidian/workspace.md": "# Ours\n",
  "notes/CLAUDE.md": "# [Our rules](https://example.org) for `agents` ![x](y.png)\n\nBe kind.\n",
};

Deno.test("adoptDocuments() reads notes with front matter, in any script", () =>
  inScratchProject(async (scratch) => {
    write(scratch, NOTES);
    assert.deepEqual(await derived(scratch, { paths: ["notes"] }), [
      'notes/CLAUDE.md: convention.claude convention "Our rules for agents"',
      'notes/Refund rules.md: convention.refund-rules convention "Refund rules"',
      'notes/glossary.md: domain.glossary domain "Glossary"',
      'notes/on-call.md: operations.on-call operations "On call"',
      'notes/方針/決済.md: decision.document-2debe84c decision "決済"',
      'notes/空.md: domain.document-f706cdac domain "認証"',
    ]);
    const first = await adopt(scratch);
    const [made] = first.proposals;
    const migration = Deno.readTextFileSync(
      scratch.at(join(made!.proposalDirectory, made!.migrationFile)),
    );
    assert.match(migration, /labels:\n {4}- pager\n {4}- on call\n/);
    assert.match(migration, /labels:\n {4}- money\n {4}- refunds\n/);
    assert.deepEqual(first.skipped.map((one) => one.path), [
      "notes/Templates/daily.md",
      "notes/empty.md",
      "notes/idea.md",
      "notes/old.md",
    ]);
  }));

const MONOREPO: Readonly<Record<string, string>> = {
  "README.md": "Shop\n====\n\nSells things.\n",
  "AGENTS.md": "# Rules\n\nBe kind.\n",
  "packages/billing/README.md": '<h1 align="center">Billing</h1>\n\nBills.\n',
  "packages/billing/AGENTS.md": "# Billing rules\n\nNever round.\n",
  "packages/billing/docs/guides/setup.md": "# Setup\n\nBilling.\n",
  "packages/billing/docs/setup.md": "# Setup\n\nAgain.\n",
  "packages/search/docs/setup.md": "# Setup\n\nSearch.\n",
  "packages/search/docs/copy.md": "# Setup\n\nSearch.\n",
  "packages/search/runbooks/reindex.md": "# Reindex\n\nSteps.\n",
  "packages/search/runbooks/incident-response/first-hour.md": "# First hour\n\nBreathe.\n",
  "packages/search/CONTRIBUTING.md": "# Contributing\n\nOpen a pull request.\n",
  "docs/history-of-the-schema.md": "# History of the schema\n\nIt grew.\n",
  "docs/order-status.md": "# Orders\n\n## Status\n\nDraft orders are those that nobody paid yet.\n",
  "node_modules/x/readme.md": "# Not ours\n",
  "build/out.md": "# Generated\n",
  ".github/pull_request_template.md": "# What\n",
  ".gitignore": "build/\n",
};

Deno.test("adoptDocuments() reads the guides of a monorepo, keeps equal names apart and ignored files out", () =>
  inScratchProject(async (scratch) => {
    write(scratch, MONOREPO);
    commit(scratch);
    assert.deepEqual(await derived(scratch), [
      'AGENTS.md: convention.agents convention "Rules"',
      'README.md: domain.overview domain "Shop"',
      'docs/history-of-the-schema.md: domain.history-of-the-schema domain "History of the schema"',
      'docs/order-status.md: domain.order-status domain "Orders"',
      'packages/billing/AGENTS.md: billing.agents convention "Billing rules"',
      'packages/billing/README.md: billing.billing-overview domain "Billing"',
      'packages/billing/docs/guides/setup.md: billing.setup domain "Setup"',
      'packages/billing/docs/setup.md: billing.docs-setup domain "Setup"',
      'packages/search/CONTRIBUTING.md: search.contributing convention "Contributing"',
      'packages/search/docs/copy.md: search.copy domain "Setup"',
      'packages/search/runbooks/incident-response/first-hour.md: search.operations.first-hour operations "First hour"',
      'packages/search/runbooks/reindex.md: search.operations.reindex operations "Reindex"',
    ]);
    assert.deepEqual((await adopt(scratch, { dryRun: true })).skipped, [{
      path: "packages/search/docs/setup.md",
      reason: "its text is that of packages/search/docs/copy.md",
    }]);
  }));

for (
  const [layout, files] of Object.entries({
    "decision records": DECISION_RECORDS,
    "notes": NOTES,
    "a monorepo": MONOREPO,
  })
) {
  Deno.test(`adoptDocuments() makes of ${layout} what merges, answers, and is not proposed twice`, () =>
    inScratchProject(async (scratch) => {
      write(scratch, files);
      commit(scratch);
      const first = await adopt(scratch);
      assert.equal(first.proposals.length, 1);
      const waiting = await adopt(scratch);
      assert.deepEqual([waiting.documents, waiting.unchanged], [[], first.documents.length]);
      await acceptAll(scratch, first.proposals);
      assert.deepEqual(
        await applied(scratch),
        first.documents.map((one) => `${one.itemId}: ${one.title}`).sort(),
      );
      const merged = await adopt(scratch);
      assert.deepEqual([merged.documents, merged.unchanged], [[], first.documents.length]);
      // Nor when one document is named alone, and so meets fewer others.
      for (const { path } of first.documents) {
        const alone = await adopt(scratch, { paths: [path] });
        assert.deepEqual([alone.documents, alone.unchanged], [[], 1], path);
      }
    }));
}

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
