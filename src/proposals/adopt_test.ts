import assert from "node:assert/strict";
import { join } from "node:path";
import { acceptAll, adopt, applied, commit, derived, write } from "../../tests/support/adoption.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";

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
