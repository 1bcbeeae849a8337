import assert from "node:assert/strict";
import { GradedRefusal } from "./grades.ts";
import { readNumber, readPullRequest, readSubmission, readThread } from "./read_nodes.ts";

const OWNER = { projectId: "p", repository: "acme/widgets" };
const KEY = "github:acme/widgets#1";
const whole = (nodes: unknown[] = []) => ({ pageInfo: { hasNextPage: false }, nodes });

const pullRequest = (more: Record<string, unknown> = {}) =>
  readPullRequest(
    {
      createdAt: "2026-03-02T08:30:00Z",
      url: "https://example.test/1",
      merged: false,
      labels: whole(),
      closingIssuesReferences: whole(),
      ...more,
    },
    1n,
    OWNER,
  );

const comment = (more: Record<string, unknown> = {}) => ({
  id: "c",
  body: "b",
  createdAt: "2026-03-09T09:00:00Z",
  ...more,
});

const thread = (more: Record<string, unknown> = {}) =>
  readThread(
    { id: "t", isResolved: false, isOutdated: false, comments: whole([comment()]), ...more },
    KEY,
    OWNER,
  );

function refuses(work: () => unknown, grade: string): void {
  assert.throws(work, (error) => error instanceof GradedRefusal && error.grade === grade);
}

Deno.test("readNumber() takes integers from 1 on and nothing that is written otherwise", () => {
  assert.equal(readNumber({ number: 1 }), 1n);
  assert.equal(readNumber({ number: 2n ** 70n }), 2n ** 70n);
  for (const number of [0, -1, NaN, 1.5, "1", true, null, undefined]) {
    refuses(() => readNumber({ number }), "tool-failed");
  }
});

Deno.test("readPullRequest() falls back where a field is optional and refuses where it is not", () => {
  const record = pullRequest({ title: 5, body: null, headRefName: {}, milestone: { title: "" } });
  assert.deepEqual([record.title, record.body, record.headRefName, record.milestone], [
    "",
    "",
    "",
    null,
  ]);
  assert.deepEqual(record.author, {
    provider: "github",
    externalId: "ghost",
    displayName: "ghost",
  });
  assert.equal(pullRequest({ mergedAt: "yesterday" }).mergedAt, null);
  assert.equal(pullRequest({ mergeCommit: { oid: "x" } }).mergeCommit, "x");
  refuses(() => pullRequest({ merged: true }), "tool-failed");
  assert.equal(pullRequest({ merged: true, mergeCommit: { oid: "" } }).mergeCommit, "");
  refuses(() => pullRequest({ merged: "true" }), "tool-failed");
  refuses(() => pullRequest({ url: " \u00a0" }), "tool-failed");
  assert.equal(pullRequest({ url: "\ufeff" }).url, "\ufeff");
  refuses(() => pullRequest({ createdAt: "2026-03-02" }), "tool-failed");
  refuses(() => pullRequest({ labels: undefined }), "tool-failed");
});

Deno.test("readPullRequest() refuses lists that did not come whole", () => {
  const more = { pageInfo: { hasNextPage: true }, nodes: [] };
  refuses(() => pullRequest({ labels: more }), "limit-exceeded");
  refuses(() => pullRequest({ closingIssuesReferences: more }), "limit-exceeded");
  const labels = Array.from({ length: 51 }, (_, i) => ({ name: `l${i}` }));
  assert.equal(pullRequest({ labels: whole(labels.slice(1)) }).labels.length, 50);
  refuses(() => pullRequest({ labels: whole(labels) }), "limit-exceeded");
  const issues = Array.from({ length: 21 }, () => ({ number: 3 }));
  assert.equal(
    pullRequest({ closingIssuesReferences: whole(issues.slice(1)) }).linkedIssueIds.length,
    20,
  );
  refuses(() => pullRequest({ closingIssuesReferences: whole(issues) }), "limit-exceeded");
});

Deno.test("readPullRequest() knows the outcome of the checks only from a closed word", () => {
  const outcome = (state: unknown) =>
    pullRequest({ commits: { nodes: [null, { commit: { statusCheckRollup: { state } } }] } })
      .ciSuccessful;
  const words = ["SUCCESS", "FAILURE", "ERROR", "PENDING", "EXPECTED", "success", null, 1];
  assert.deepEqual(words.map(outcome), [true, false, false, null, null, null, null, null]);
  assert.equal(pullRequest().ciSuccessful, null);
});

Deno.test("readThread() lets resolved win over outdated and keeps a resolution without a person", () => {
  const both = thread({ isResolved: true, isOutdated: true, resolvedBy: null });
  assert.equal(both.state, "resolved");
  assert.deepEqual(both.resolution, {
    state: "resolved",
    resolvedBy: null,
    resolvedAt: null,
    fixCommit: null,
  });
  assert.equal(thread({ isResolved: true, resolvedBy: {} }).resolution?.resolvedBy, null);
  assert.equal(thread({ isOutdated: true }).state, "outdated");
  assert.equal(thread({ isOutdated: true, resolvedBy: { login: "x" } }).resolution, null);
});

Deno.test("readThread() needs both flags and a comment; a line that is no integer is none", () => {
  refuses(() => thread({ isOutdated: undefined }), "tool-failed");
  refuses(() => thread({ isResolved: 1 }), "tool-failed");
  refuses(() => thread({ comments: whole() }), "tool-failed");
  refuses(
    () => thread({ comments: { pageInfo: { hasNextPage: true }, nodes: [comment()] } }),
    "limit-exceeded",
  );
  for (const line of ["5", NaN, true, null]) assert.equal(thread({ line }).lineEnd, null);
  assert.equal(thread({ line: -3 }).lineEnd, -3);
  assert.equal(thread({ line: 2n ** 63n - 1n }).lineEnd, 2n ** 63n - 1n);
  refuses(() => thread({ line: 2n ** 63n }), "tool-failed");
  refuses(() => thread({ startLine: -(2n ** 63n) - 1n }), "tool-failed");
});

Deno.test("readSubmission() names authors by id, login or ghost", () => {
  const author = (value: unknown) =>
    readSubmission({ id: "r", state: "APPROVED", author: value }, KEY, OWNER).author;
  const person = (externalId: string, displayName: string) => ({
    provider: "github",
    externalId,
    displayName,
  });
  assert.deepEqual(author({ id: "U", login: "l" }), person("U", "l"));
  assert.deepEqual(author({ login: "l" }), person("l", "l"));
  assert.deepEqual(author({ id: "U" }), person("U", "U"));
  assert.deepEqual(author({ id: "", login: 5 }), person("ghost", "ghost"));
  assert.deepEqual(author({ id: " ", login: "" }), person(" ", " "));
  for (const value of [{}, null, "x", []]) {
    assert.deepEqual(author(value), person("ghost", "ghost"));
  }
  refuses(() => readSubmission({ id: "r", state: " " }, KEY, OWNER), "tool-failed");
});
