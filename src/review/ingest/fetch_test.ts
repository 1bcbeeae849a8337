import assert from "node:assert/strict";
import { type Ask, fetchReviews, PAGE_LIMIT } from "./fetch.ts";
import { GradedRefusal } from "./grades.ts";
import { PULL_REQUESTS_QUERY, REVIEWS_QUERY, THREADS_QUERY } from "./queries.ts";

const OWNER = { projectId: "p", repository: "acme/widgets" };
const whole = { pageInfo: { hasNextPage: false }, nodes: [] };

const node = (number: number) => ({
  number,
  createdAt: "2026-03-02T08:30:00Z",
  url: `https://example.test/${number}`,
  merged: false,
  labels: whole,
  closingIssuesReferences: whole,
});

function page(nodes: unknown[], next: string | null) {
  return { pageInfo: { hasNextPage: next !== null, endCursor: next }, nodes };
}

/** Answers a list from pages, and every other request from `answer`. */
function provider(
  pages: readonly unknown[],
  answer: (query: string, number: bigint, after?: string) => unknown = () => page([], null),
): { ask: Ask; asked: string[] } {
  const asked: string[] = [];
  let listed = 0;
  return {
    asked,
    ask: (query, { first, after, number }) => {
      const kind = query === PULL_REQUESTS_QUERY
        ? "list"
        : query === THREADS_QUERY
        ? "threads"
        : "reviews";
      asked.push(`${kind}${number ?? ""} ${first}${after === undefined ? "" : ` ${after}`}`);
      const connection = kind === "list" ? pages[listed++] : answer(query, number!, after);
      const name = kind === "threads" ? "reviewThreads" : "reviews";
      const repository = kind === "list"
        ? { pullRequests: connection }
        : { pullRequest: { [name]: connection } };
      return Promise.resolve({ repository, limitResetsAt: null });
    },
  };
}

const fetchAll = (ask: Ask, limit = 500, since: bigint | null = null) =>
  fetchReviews({ owner: OWNER, limit, since, ask });

Deno.test("fetchReviews() asks for no more on a page than it may take", async () => {
  const { ask, asked } = provider([page([node(9), node(8), node(7)], "C")]);
  const { pullRequests } = await fetchAll(ask, 2);
  assert.deepEqual(pullRequests.map(({ pullRequest }) => pullRequest.number), [9n, 8n]);
  assert.deepEqual(asked, ["list 2", "threads9 50", "reviews9 50", "threads8 50", "reviews8 50"]);
});

Deno.test("fetchReviews() stops at the mark and counts skipped ones toward the limit", async () => {
  const broken = { ...node(8), createdAt: "never" };
  const marked = provider([page([node(9), broken, node(7), node(6)], "C")]);
  const since = await fetchAll(marked.ask, 500, 7n);
  assert.deepEqual(since.pullRequests.map(({ pullRequest }) => pullRequest.number), [9n]);
  assert.deepEqual(since.skipped.map(({ number, grade }) => [number, grade]), [[
    8n,
    "tool-failed",
  ]]);
  const limited = await fetchAll(provider([page([node(9), broken, node(7)], "C")]).ask, 2);
  assert.deepEqual([limited.pullRequests.length, limited.skipped.length], [1, 1]);
});

Deno.test("fetchReviews() drops the later copy of a pull request the list moved past", async () => {
  const { ask } = provider([page([node(9), node(8)], "C"), page([node(8), node(7)], null)]);
  const { pullRequests } = await fetchAll(ask);
  assert.deepEqual(pullRequests.map(({ pullRequest }) => pullRequest.number), [9n, 8n, 7n]);
});

Deno.test("fetchReviews() takes 20 pages of a read and refuses to need another", async () => {
  const pages = Array.from({ length: PAGE_LIMIT }, (_, i) => page([node(100 - i)], `C${i}`));
  const { ask, asked } = provider(pages);
  await assert.rejects(
    fetchAll(ask),
    (error) => error instanceof GradedRefusal && error.grade === "limit-exceeded",
  );
  assert.equal(asked.length, PAGE_LIMIT);
  const last = provider([...pages.slice(1), page([node(1)], null)]);
  assert.equal((await fetchAll(last.ask)).pullRequests.length, PAGE_LIMIT);
});

Deno.test("fetchReviews() skips a pull request whole when a later page of it fails", async () => {
  const { ask, asked } = provider([page([node(9), node(8)], null)], (query, number, after) => {
    if (query === REVIEWS_QUERY || number === 8n) return page([], null);
    if (after === undefined) return page([], "C");
    throw new GradedRefusal("tool-failed", "Cannot");
  });
  const { pullRequests, skipped } = await fetchAll(ask);
  assert.deepEqual(pullRequests.map(({ pullRequest }) => pullRequest.number), [8n]);
  assert.deepEqual(skipped.map(({ number }) => number), [9n]);
  assert.deepEqual(asked.filter((one) => one.startsWith("reviews9")), []);
});

Deno.test("fetchReviews() refuses the run when a pull request has no number or the list fails", async () => {
  for (const pages of [[page([{ ...node(1), number: NaN }], null)], [null]]) {
    await assert.rejects(fetchAll(provider(pages).ask), GradedRefusal);
  }
});
