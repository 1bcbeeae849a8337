/**
 * Fetching: the list of pull requests, then threads and reviews of each (review.md 5, "Order of a
 * run", steps 4 and 5). Nothing is written here.
 *
 * @module
 */

import type { PullRequest, Submission, Thread } from "../evidence/model.ts";
import { type Page, readPage, type RepositoryAnswer } from "./answer.ts";
import { type Grade, GradedRefusal } from "./grades.ts";
import { inner, type Node } from "./provider_fields.ts";
import { PULL_REQUESTS_QUERY, REVIEWS_QUERY, THREADS_QUERY } from "./queries.ts";
import {
  eventKeyOf,
  type Owner,
  readNumber,
  readPullRequest,
  readSubmission,
  readThread,
} from "./read_nodes.ts";

/** Entries asked for on one page. */
export const PAGE_SIZE = 50;
/** Most pages of one read. */
export const PAGE_LIMIT = 20;

/** Variables of one request besides owner and name. */
export interface PageVariables {
  readonly first: number;
  readonly after?: string;
  readonly number?: bigint;
}

/** Asks the provider and checks the answer; throws {@linkcode GradedRefusal}. */
export type Ask = (query: string, variables: PageVariables) => Promise<RepositoryAnswer>;

/** What a run fetches. */
export interface FetchRequest {
  readonly owner: Owner;
  /** Most pull requests, skipped ones included; 1 to 500. */
  readonly limit: number;
  /** The list ends at the first number that is not above this one. */
  readonly since: bigint | null;
  readonly ask: Ask;
  /** Called before each pull request is fetched. */
  readonly onPullRequest?: (done: number, total: number) => void;
}

/** One pull request with everything of it. */
export interface FetchedPullRequest {
  readonly pullRequest: PullRequest;
  readonly submissions: readonly Submission[];
  readonly threads: readonly Thread[];
}

/** A pull request of which nothing lands. */
export interface Skipped {
  readonly number: bigint;
  readonly grade: Grade;
  readonly reason: string;
}

/** What was fetched, newest first. */
export interface Fetched {
  readonly pullRequests: readonly FetchedPullRequest[];
  readonly skipped: readonly Skipped[];
  /** Set when the provider's rate limit ended the run early; `resetsAt` is its own instant. */
  readonly rateLimit: { readonly resetsAt: string | null } | null;
}

/** Fetches. A refusal of the list throws; a refusal of one pull request skips it whole. */
export async function fetchReviews(request: FetchRequest): Promise<Fetched> {
  const session = new Session(request);
  const listed = await listPullRequests(session);
  const skipped = [...listed.skipped];
  const pullRequests: FetchedPullRequest[] = [];
  let limited = false;
  for (const [index, pullRequest] of listed.pullRequests.entries()) {
    request.onPullRequest?.(index, listed.pullRequests.length);
    try {
      if (limited) throw notAskedFor();
      pullRequests.push(await fetchOne(session, pullRequest));
    } catch (error) {
      if (!(error instanceof GradedRefusal)) throw error;
      limited ||= error.rateLimited;
      skipped.push(skip(pullRequest.number, error));
    }
  }
  return {
    pullRequests,
    skipped,
    rateLimit: limited ? { resetsAt: session.limitResetsAt } : null,
  };
}

function skip(number: bigint, refusal: GradedRefusal): Skipped {
  return { number, grade: refusal.grade, reason: refusal.message };
}

function notAskedFor(): GradedRefusal {
  return new GradedRefusal("tool-failed", "Not asked for: the rate limit of GitHub is used up");
}

/** One run's requests, and what the answers say about the rate limit. */
class Session {
  limitResetsAt: string | null = null;

  constructor(readonly request: FetchRequest) {}

  async ask(query: string, variables: PageVariables): Promise<Node> {
    try {
      const answer = await this.request.ask(query, variables);
      this.limitResetsAt = answer.limitResetsAt ?? this.limitResetsAt;
      return answer.repository;
    } catch (error) {
      if (error instanceof GradedRefusal && error.rateLimited) error.resetsAt = this.limitResetsAt;
      throw error;
    }
  }

  /** Pages of one read, one by one. A page beyond the limit is refused before it is asked for. */
  async *pages(
    query: string,
    variables: PageVariables,
    connection: (repository: Node) => unknown,
  ): AsyncGenerator<Page> {
    let after: string | null = null;
    for (let count = 0;; count++) {
      if (count === PAGE_LIMIT) {
        throw new GradedRefusal(
          "limit-exceeded",
          `Cannot read a list of more than ${PAGE_LIMIT} pages`,
        );
      }
      const asked: PageVariables = after === null ? variables : { ...variables, after };
      const page: Page = readPage(connection(await this.ask(query, asked)));
      yield page;
      if (page.next === null) return;
      after = page.next;
    }
  }
}

async function listPullRequests(
  session: Session,
): Promise<{ pullRequests: PullRequest[]; skipped: Skipped[] }> {
  const { limit, since, owner } = session.request;
  const pullRequests: PullRequest[] = [];
  const skipped: Skipped[] = [];
  const seen = new Set<bigint>();
  const pages = session.pages(
    PULL_REQUESTS_QUERY,
    { first: Math.min(PAGE_SIZE, limit) },
    (repository) => repository["pullRequests"],
  );
  for await (const page of pages) {
    for (const node of page.nodes) {
      const number = readNumber(node);
      if (since !== null && number <= since) return { pullRequests, skipped };
      // The list moved while it was paged: the later copy says nothing new.
      if (seen.has(number)) continue;
      seen.add(number);
      try {
        pullRequests.push(readPullRequest(node, number, owner));
      } catch (error) {
        if (!(error instanceof GradedRefusal)) throw error;
        skipped.push(skip(number, error));
      }
      if (seen.size >= limit) return { pullRequests, skipped };
    }
  }
  return { pullRequests, skipped };
}

async function fetchOne(session: Session, pullRequest: PullRequest): Promise<FetchedPullRequest> {
  const { owner } = session.request;
  const { number } = pullRequest;
  const eventKey = eventKeyOf(owner, number);
  const variables = { first: PAGE_SIZE, number };
  const threads: Thread[] = [];
  const threadPages = session.pages(
    THREADS_QUERY,
    variables,
    (repository) => inner(repository["pullRequest"], "reviewThreads"),
  );
  for await (const page of threadPages) {
    for (const node of page.nodes) threads.push(readThread(node, eventKey, owner));
  }
  const submissions: Submission[] = [];
  const reviewPages = session.pages(
    REVIEWS_QUERY,
    variables,
    (repository) => inner(repository["pullRequest"], "reviews"),
  );
  for await (const page of reviewPages) {
    for (const node of page.nodes) submissions.push(readSubmission(node, eventKey, owner));
  }
  return { pullRequest, submissions, threads };
}
