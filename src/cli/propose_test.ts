import assert from "node:assert/strict";
import { join } from "node:path";
import {
  type TemporaryRepository,
  temporaryRepository,
} from "../../tests/support/temporary_repository.ts";
import { proposeArguments } from "../../tests/support/program_project.ts";
import { type Outcome, runForTest } from "./test_world.ts";

const run = (at: TemporaryRepository, args: readonly string[]): Promise<Outcome> =>
  runForTest(args, { cwd: at.root, environment: at.environment });

/** A repository with a body to draft. */
function repository(): TemporaryRepository {
  const at = temporaryRepository();
  at.write("body.md", "# F\n");
  return at;
}

/** Runs with `--json`; checks the code and that only the right stream spoke. */
async function answer(at: TemporaryRepository, exit: number, args: readonly string[]) {
  const outcome = await run(at, [...args, "--json"]);
  assert.equal(outcome.exit, exit, outcome.stderr);
  assert.equal(exit === 0 ? outcome.stderr : outcome.stdout, "");
  return JSON.parse(exit === 0 ? outcome.stdout : outcome.stderr);
}

const propose = (at: TemporaryRepository, exit: number, more: Record<string, string | null> = {}) =>
  answer(at, exit, proposeArguments(more));

function migrationText(at: TemporaryRepository, made: Record<string, string>): string {
  return at.read(join(made["proposalDirectory"]!, made["migrationFile"]!));
}

Deno.test("propose drafts in any Git repository and prints sorted keys", async () => {
  using at = repository();
  const made = await propose(at, 0);
  assert.deepEqual(Object.keys(made), Object.keys(made).sort());
  assert.equal(Object.keys(made).length, 12);
  assert.equal(at.read(made.bodyFile), "# F\n");
  // Two defaults hold, so a warning comes first; the four fixed steps follow.
  assert.equal(made.nextSteps.length, 5);
  assert.match(made.nextSteps[0], /trust level \(unverified\), sensitivity \(internal\)/);
  const local = await answer(at, 0, [
    ...proposeArguments({ "trust-level": "reviewed", sensitivity: "public" }),
    "--local",
  ]);
  assert.equal(local.nextSteps.length, 5);
  assert.match(local.nextSteps[0], /local/);
});

Deno.test("propose warns of the default that still holds, and of none that was inherited", async () => {
  using at = repository();
  const half = await propose(at, 0, { sensitivity: "public" });
  assert.match(half.nextSteps[0], /trust level \(unverified\)\./);
  await answer(at, 0, ["propose", "accept", half.proposalId]);
  const update = await propose(at, 0, { "expected-revision": half.revisionId });
  assert.equal(update.nextSteps.length, 4);
  const text = migrationText(at, update);
  assert.match(text, /trustLevel: unverified\n {4}sensitivity: public/);
});

Deno.test("propose names every missing option in one refusal; an empty one is missing", async () => {
  using at = repository();
  const { error } = await propose(at, 2, { title: "", owner: null, reasoning: null });
  assert.match(error, /--title, --owner, --reasoning$/);
});

Deno.test("propose asks for the revision that is current, in any case, and for none of a new item", async () => {
  using at = repository();
  const none = await propose(at, 2, { "expected-revision": "01K0000000000000000000000A" });
  assert.match(none.error, /no revision to replace/);
  const made = await propose(at, 0);
  await answer(at, 0, ["propose", "accept", made.proposalId]);
  // What is landed counts, applied or not.
  const missing = await propose(at, 2);
  assert.ok(missing.error.includes(made.revisionId) && missing.remedy.includes(made.revisionId));
  await propose(at, 2, { "expected-revision": "nope" });
  const update = await propose(at, 0, {
    "expected-revision": made.revisionId.toLowerCase(),
  });
  assert.equal(update.expectedRevision, made.revisionId);
});

Deno.test("propose refuses a retired item with and without its revision", async () => {
  using at = repository();
  const made = await propose(at, 0);
  await answer(at, 0, ["propose", "accept", made.proposalId]);
  at.write(
    ".theurian/migrations/7ZZZZZZZZZZZZZZZZZZZZZZZZA-retire.yaml",
    `apiVersion: theurian.dev/v1
id: 7ZZZZZZZZZZZZZZZZZZZZZZZZA
createdAt: '2026-12-01T00:00:00+00:00'
author: ada
operations:
- op: deprecateItem
  itemId: domain.foo
`,
  );
  for (const revision of [null, made.revisionId]) {
    const { remedy } = await propose(at, 2, { "expected-revision": revision });
    assert.match(remedy, /restoreItem/);
  }
});

Deno.test("propose takes a source or a statement that there is none, and no half of a source", async () => {
  using at = repository();
  await propose(at, 2, { "source-uri": null });
  for (
    const half of [{ "source-path": "a.md" }, { "source-commit": "abc1234" }, {
      "source-provider": "wiki",
    }]
  ) {
    const args = proposeArguments({ "source-uri": null, ...half });
    const { error } = await answer(at, 2, [...args, "--authored-here"]);
    assert.match(error, /--source-uri/);
  }
  const both = proposeArguments({ label: "authored-in-theurian" });
  const made = await answer(at, 0, [...both, "--authored-here", "--label", "x", "--label", "x"]);
  assert.match(migrationText(at, made), /labels:\n {4}- authored-in-theurian\n {4}- x\n {4}source/);
});

Deno.test("propose tells the content type by the file's name, and keeps its bytes", async () => {
  using at = repository();
  const rows = [
    ["BODY.MARKDOWN", "md", "text/markdown"],
    ["body.YML", "yaml", "application/yaml"],
    ["body.Json", "json", "application/json"],
  ] as const;
  for (const [name, extension, contentType] of rows) {
    at.write(name, "a: 1\r\nb: 2\r");
    const made = await propose(at, 0, { "body-file": name });
    assert.ok(made.bodyFile.endsWith(`.${extension}`));
    assert.equal(at.read(made.bodyFile), "a: 1\r\nb: 2\r");
    assert.ok(migrationText(at, made).includes(`contentType: ${contentType}`));
  }
});

Deno.test("propose refuses a body that is none, exit 2, without waiting for one", async () => {
  using at = repository();
  at.write("body.txt", "x");
  at.write("blank.md", " \n\t\u3000\n");
  at.write("latin.md", new Uint8Array([0xe9]));
  at.write("large.md", new Uint8Array(8_388_609).fill(97));
  Deno.symlinkSync("body.md", join(at.root, "link.md"));
  new Deno.Command("mkfifo", { args: [join(at.root, "pipe.md")] }).outputSync();
  const names = ["body.txt", "blank.md", "latin.md", "large.md", "link.md", "pipe.md", "absent.md"];
  for (const name of [...names, "body", "."]) {
    await propose(at, 2, { "body-file": name });
  }
});

Deno.test("propose checks labels and scope paths before it looks for a body", async () => {
  using at = repository();
  const bad: Record<string, string>[] = [{ label: "" }, { label: "a\nb" }, { label: "a\u007f" }, {
    "scope-path": " ",
  }];
  for (const more of bad) {
    const { error } = await propose(at, 2, { ...more, "body-file": "absent.md" });
    assert.match(error, /label|scope path/);
  }
});

Deno.test("propose refuses options of a draft before a verb, and words outside a vocabulary, as usage", async () => {
  using at = repository();
  const stray = await run(at, ["propose", "--title", "x", "--item-id", "a.b", "accept", "ID"]);
  assert.equal(stray.exit, 2);
  assert.match(stray.stderr, /--item-id.*--title/s);
  for (const args of [proposeArguments({ kind: "essay" }), ["propose"]]) {
    const usage = await run(at, [...args]);
    assert.deepEqual([usage.exit, usage.stdout], [2, ""]);
  }
});

Deno.test("propose says where it cannot write and leaves nothing", async () => {
  using at = repository();
  at.write(".theurian/proposals", "a file");
  assert.ok((await propose(at, 1)).remedy.length > 0);
  Deno.removeSync(join(at.root, ".theurian/proposals"));
  Deno.symlinkSync("/tmp", join(at.root, ".theurian/proposals"));
  await propose(at, 4);
  Deno.removeSync(join(at.root, ".theurian/proposals"));
  at.write("ignored", "mine\n");
  Deno.symlinkSync("ignored", join(at.root, ".gitignore"));
  await answer(at, 2, [...proposeArguments(), "--local"]);
  assert.equal(at.read("ignored"), "mine\n");
});

Deno.test("propose outside a repository is exit 1, over a broken set exit 4", async () => {
  using at = repository();
  const outside = await runForTest([...proposeArguments(), "--json"], {
    cwd: at.folder,
    environment: at.environment,
  });
  assert.equal(outside.exit, 2, "the body is looked for first");
  Deno.copyFileSync(join(at.root, "body.md"), join(at.folder, "body.md"));
  const found = await runForTest([...proposeArguments(), "--json"], {
    cwd: at.folder,
    environment: at.environment,
  });
  assert.equal(found.exit, 1);
  at.write(".theurian/migrations/bad.yaml", "a: [");
  await propose(at, 4);
});

Deno.test("accept takes an id in any case and with blanks around it, and keeps its codes", async () => {
  using at = repository();
  const made = await propose(at, 0);
  await answer(at, 2, ["propose", "accept", "nope"]);
  await answer(at, 1, ["propose", "accept", "01K0000000000000000000000A"]);
  const accepted = await answer(at, 0, ["propose", "accept", ` ${made.proposalId.toLowerCase()} `]);
  assert.deepEqual(Object.keys(accepted), [
    "bodyFiles",
    "migrationFile",
    "nextSteps",
    "proposalId",
    "replacedBodies",
    "secretFindings",
    "secretScanPolicy",
    "secretScanSkipped",
  ]);
  await answer(at, 4, ["propose", "accept", made.proposalId]);
  at.write(".theurian/config.yaml", "security:\n  secretScan: off\n");
  const other = await answer(at, 1, proposeArguments({ "item-id": "domain.bar" }));
  assert.match(other.error + other.remedy, /secretScan/);
});

Deno.test("list, show and discard answer with their keys, and text that people read", async () => {
  using at = repository();
  const made = await propose(at, 0, { reasoning: "First line.\nSecond \u001b[31mline.\n" });
  const listed = await answer(at, 0, ["propose", "list"]);
  assert.deepEqual(Object.keys(listed), ["count", "proposals", "unreadable"]);
  assert.equal((await answer(at, 0, ["propose", "list", "--state", "accepted"])).count, 0);
  const shown = await answer(at, 0, ["propose", "show", made.proposalId]);
  assert.deepEqual(
    Object.keys(shown),
    ("author changes createdAt description evidence migrationId operations permissiveMoves " +
      "proposalDirectory proposalId state").split(" "),
  );
  const { stdout } = await run(at, ["propose", "show", made.proposalId]);
  assert.match(stdout, /^Proposal \w{26} \(pending\)\n {2}migration/);
  assert.match(stdout, /\n {2}drafted by {3}agent-1 with human, for task-1\n/);
  assert.match(stdout, /\n {2}reasoning {4}First line.\n {15}Second \\x1b\[31mline.\n/);
  assert.match(stdout, /\n {2}sourceAnchors: git:\/\/demo\/docs\/a\.md \(git\)\n/);
  assert.match(stdout, /\n\+# F\n/);
  assert.match(stdout, new RegExp(`theurian propose accept ${made.proposalId}\n`));
  await answer(at, 2, ["propose", "show", "nope"]);
  const gone = await answer(at, 0, ["propose", "discard", made.proposalId]);
  assert.deepEqual(Object.keys(gone), ["discarded", "proposalId", "removedPaths"]);
  await answer(at, 1, ["propose", "show", made.proposalId]);
  await answer(at, 2, ["propose", "discard", "nope"]);
});

Deno.test("adopt answers with its keys, and shows what each document would become", async () => {
  using at = repository();
  at.write("docs/adr/0001-use-postgresql.md", "# Use PostgreSQL\n\nBecause.\n");
  at.write("docs/adr/template.md", "# Title\n");
  at.git("config", "user.name", "Ada Vale");
  const args = ["adopt", "docs", "--author", "ada@example.org"];
  const { stdout } = await run(at, [...args, "--dry-run"]);
  assert.equal(
    stdout,
    `1 document, nothing written, 0 unchanged, 1 skipped

  new      decision.0001-use-postgresql  decision  docs/adr/0001-use-postgresql.md
           Use PostgreSQL

Skipped
  docs/adr/template.md: it is a template

Next
  - Nothing was written; run it again without --dry-run to draft.
`,
  );
  const adopted = await answer(at, 0, args);
  assert.deepEqual(
    Object.keys(adopted),
    ("documents dryRun nextSteps proposals secretFindings secretScanPolicy skipped unchanged")
      .split(" "),
  );
  assert.deepEqual(Object.keys(adopted.documents[0]), [
    "change",
    "itemId",
    "kind",
    "namespace",
    "path",
    "proposalId",
    "title",
  ]);
  assert.deepEqual((await answer(at, 0, args)).documents, []);
  await answer(at, 2, ["adopt", ".."]);
  await answer(at, 2, ["adopt", "absent"]);
  at.write("docs/key.md", "key AKIAIOSFODNN7EXAMPLE\n");
  await answer(at, 1, args);
});
