import assert from "node:assert/strict";
import { git, goldenReviewPath, putNode } from "../../../tests/support/golden_review.ts";
import { inReviewFolder, ReviewProject } from "../../../tests/support/review_project.ts";

const FOLDER = "sha256-fbb3a4a6c6ad6d7148b57f375ca1c6efc445ca58cf8934ffa2528bad424e9f15";
const TOOL = "review.generateKnowledgeCandidate";

// deno-lint-ignore no-explicit-any
type Document = any;

interface Stage {
  readonly project: ReviewProject;
  readonly fixCommit: string;
  readonly otherCommit: string;
  /** Calls with the given arguments over the good ones. */
  call(more?: Record<string, unknown>): Promise<Document>;
  put(path: string, change: (document: Document) => void, from?: string): void;
}

/** The golden `basic` evidence in a repository that changed `src/cache.ts`. */
function staged(work: (stage: Stage) => Promise<void>): () => Promise<void> {
  return () =>
    inReviewFolder(async (folder) => {
      const project = await new ReviewProject(folder, "p").prepare();
      Deno.mkdirSync(`${project.root}/src`);
      Deno.writeTextFileSync(`${project.root}/src/cache.ts`, "fixed\n");
      git(project.root, "add", "src");
      git(project.root, "commit", "-q", "-m", "fix");
      const fixCommit = git(project.root, "rev-parse", "HEAD");
      git(project.root, "commit", "-q", "--allow-empty", "-m", "other");
      const otherCommit = git(project.root, "rev-parse", "HEAD");
      const golden = new Map<string, Document>();
      for (
        const line of Deno.readTextFileSync(goldenReviewPath("stores/evidence.jsonl")).split("\n")
      ) {
        if (!line.includes(FOLDER)) continue;
        const { path, document } = JSON.parse(line);
        if (JSON.stringify(document).includes("$repeat")) continue;
        golden.set(path, document);
        putNode(project.root, { path, text: JSON.stringify(document) });
      }
      await work({
        project,
        fixCommit,
        otherCommit,
        async call(more = {}) {
          const fields = {
            projectId: "p",
            repository: "acme/widgets",
            recordKey: "PRRT_kwDOaBc1",
            fixCommit,
            itemId: "convention.lock-order",
            title: "Locks after reads",
            body: "# Locks after reads\n",
            kind: "convention",
            category: "coding-convention",
            owner: "team",
            author: "ada@example.org",
            description: "Generalise the thread.",
            evidence: { agentId: "a", taskId: "t", model: "m", reasoning: "r" },
            sourceAnchors: [{
              provider: "github",
              sourceUri: "https://github.com/acme/widgets/pull/7",
            }],
            ...more,
          };
          return await project.call(TOOL, JSON.stringify(fields));
        },
        put(path, change, from = path) {
          const document = structuredClone(golden.get(`${FOLDER}/${from}`));
          change(document);
          putNode(project.root, { path: `${FOLDER}/${path}`, text: JSON.stringify(document) });
        },
      });
    });
}

const textOf = (answer: Document): string => answer.content[0].text;

function refused(answer: Document, ...words: (string | RegExp)[]): string {
  assert.equal(answer.isError, true, JSON.stringify(answer.structuredContent));
  assert.deepEqual(answer._meta["dev.theurian/error"], {
    code: null,
    details: null,
    retryAfterSeconds: null,
  });
  for (const word of words) assert.match(textOf(answer), new RegExp(word));
  return textOf(answer);
}

/** Names of the unmet signals, in their order. */
function unmet(answer: Document): string[] {
  return [...refused(answer).matchAll(/\b([a-z]+(?:_[a-z]+)+): /g)].map(([, name]) => name!);
}

Deno.test(
  "a resolved thread of a merged pull request with passing checks becomes a proposal",
  staged(async ({ project, fixCommit, call }) => {
    await project.buildReview();
    const answer = await call();
    assert.equal(answer.isError, false, textOf(answer));
    const proposal = answer.structuredContent;
    assert.deepEqual(Object.keys(proposal), [
      "proposalId",
      "proposalDirectory",
      "migrationId",
      "migrationFile",
      "revisionId",
      "expectedRevision",
      "bodyFile",
      "evidenceFile",
      "contentFile",
      "contentSha256",
      "bodyDestination",
      "nextSteps",
    ]);
    const directory = `${project.root}/${proposal.proposalDirectory}`;
    const migration = Deno.readTextFileSync(`${directory}/${proposal.migrationFile}`);
    assert.match(migration, /trustLevel: inferred/);
    assert.match(migration, /sensitivity: internal/);
    assert.match(migration, /contentType: text\/markdown/);
    const evidence = JSON.parse(Deno.readTextFileSync(`${directory}/evidence.json`));
    assert.deepEqual(evidence.candidate.fixCommit, fixCommit);
    assert.deepEqual(Object.keys(evidence.candidate.gate), [
      "pull_request_merged",
      "thread_resolved",
      "fix_commit_present",
      "not_dismissed_or_outdated",
      "ci_successful",
      "generalizable",
      "has_evidence",
    ]);
    assert.ok(Object.values(evidence.candidate.gate).every((met) => met === true));
  }),
);

Deno.test(
  "every record that leads to no thread and pull request gets one and the same refusal",
  staged(async ({ project, call, put }) => {
    put("review-thread/T_orphan~1.json", (thread) => {
      thread.record.externalId = "T_orphan";
      thread.record.eventKey = "github:acme/widgets#4242";
    }, "review-thread/PRRT_kwDOaBc1~58f.json");
    put("review-thread/T_keyless~1.json", (thread) => {
      thread.record.externalId = "T_keyless";
      thread.record.eventKey = "no number";
    }, "review-thread/PRRT_kwDOaBc1~58f.json");
    await project.buildReview();
    const refusals = [
      { recordKey: "PRRT_none" },
      { recordKey: "7" },
      { recordKey: "PRR_kwDOaBc1" },
      { recordKey: "prrt_kwdoabc1" },
      { repository: "Acme/widgets" },
      { repository: "acme/other" },
      { recordKey: "T_orphan" },
      { recordKey: "T_keyless" },
      { recordKey: "", repository: "" },
    ];
    const texts = new Set<string>();
    for (const more of refusals) texts.add(refused(await call(more), "no ingested review thread"));
    assert.equal(texts.size, 1);
  }),
);

Deno.test(
  "an open thread of an unmerged pull request with unknown checks lists three signals in order",
  staged(async ({ project, call, put }) => {
    put("pull-request/7.json", (event) => {
      Object.assign(event.record, { merged: false, mergeCommit: null, ciSuccessful: null });
    });
    put("review-thread/PRRT_kwDOaBc1~58f.json", (thread) => {
      Object.assign(thread.record, { state: "open", resolution: null });
    });
    await project.buildReview();
    const answer = await call();
    assert.deepEqual(unmet(answer), ["pull_request_merged", "thread_resolved", "ci_successful"]);
    refused(answer, "unknown", "theurian review ingest acme/widgets", '"PRRT_kwDOaBc1"');
  }),
);

Deno.test(
  "an outdated thread of failed checks lists three signals; failed is told from unknown",
  staged(async ({ project, call, put }) => {
    put("pull-request/7.json", (event) => event.record.ciSuccessful = false);
    put("review-thread/PRRT_kwDOaBc1~58f.json", (thread) => {
      thread.record.state = "outdated";
    });
    await project.buildReview();
    const answer = await call();
    assert.deepEqual(unmet(answer), [
      "thread_resolved",
      "not_dismissed_or_outdated",
      "ci_successful",
    ]);
    refused(answer, "checks failed");
  }),
);

Deno.test(
  "an unknown commit and one that left the file alone share one reason",
  staged(async ({ project, otherCommit, call }) => {
    await project.buildReview();
    const texts = new Set<string>();
    for (const fixCommit of [otherCommit, "0".repeat(40), "0".repeat(64)]) {
      const answer = await call({ fixCommit });
      assert.deepEqual(unmet(answer), ["fix_commit_present"]);
      texts.add(refused(answer, "git log --format=%H -- src/cache.ts"));
    }
    assert.equal(texts.size, 1);
  }),
);

Deno.test(
  "a thread without a file is refused before the gate",
  staged(async ({ project, call, put }) => {
    put("review-thread/PRRT_kwDOaBc1~58f.json", (thread) => thread.record.filePath = null);
    put("pull-request/7.json", (event) => event.record.merged = false);
    await project.buildReview();
    const answer = await call();
    assert.deepEqual(unmet(answer), []);
    refused(answer, "anchored at no file");
  }),
);

Deno.test(
  "the evidence file decides, not the store's row: a damaged or changed file is answered as such",
  staged(async ({ project, call, put }) => {
    await project.buildReview();
    put("review-thread/PRRT_kwDOaBc1~58f.json", (thread) => thread.record.state = "dismissed");
    assert.deepEqual(unmet(await call()), ["thread_resolved", "not_dismissed_or_outdated"]);
    putNode(project.root, { path: `${FOLDER}/review-thread/PRRT_kwDOaBc1~58f.json`, text: "{" });
    refused(await call(), "strict JSON", "git log -p -- .theurian/review");
    put("review-thread/PRRT_kwDOaBc1~58f.json", (thread) => thread.record.filePath = "a\0b");
    refused(await call(), "U\\+0000");
  }),
);

Deno.test(
  "without a store built here the tool gives the store's own constant refusal",
  staged(async ({ project, call }) => {
    const missing = refused(await call(), "theurian review build");
    await project.buildReview();
    Deno.removeSync(`${project.root}/.theurian/state/theurian-review-local.sqlite`);
    assert.equal(refused(await call()), missing);
  }),
);

Deno.test(
  "no signal of the gate and no label can be stated, and vocabularies are checked",
  staged(async ({ project, call }) => {
    await project.buildReview();
    for (const key of ["trustLevel", "sensitivity", "contentType", "local", "merged"]) {
      assert.match(textOf(await call({ [key]: "x" })), new RegExp(key));
    }
    assert.match(textOf(await call({ category: "vibes" })), /category/);
    assert.match(textOf(await call({ sourceAnchors: [] })), /sourceAnchors/);
    assert.match(textOf(await call({ fixCommit: "abc" })), /fixCommit/);
    const kind = await call({ kind: "essay", recordKey: "PRRT_none" });
    assert.equal(kind._meta["dev.theurian/error"].code, "INVALID_INPUT");
  }),
);
