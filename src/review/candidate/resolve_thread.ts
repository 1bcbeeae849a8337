/**
 * From the names a search answered with to the thread and its pull request, read from their evidence
 * files (review.md 8, "Evidence read by review.generateKnowledgeCandidate").
 *
 * @module
 */

import { join } from "node:path";
import { TheurianError } from "../../platform/errors.ts";
import { describePath } from "../../platform/files/mod.ts";
import type { Connection } from "../../platform/sqlite/mod.ts";
import { cureOf, EvidenceFault } from "../evidence/fault.ts";
import type { Evidence, PullRequest, Thread } from "../evidence/model.ts";
import { readEvidenceFile } from "../evidence/read_files.ts";
import type { ServedStore } from "../publish_store.ts";
import { pullRequestOf } from "../search/project_record.ts";
import { withReviewStore } from "../search/serve.ts";

/** A thread with the pull request it belongs to. */
export interface ResolvedThread {
  readonly thread: Thread;
  readonly pullRequest: PullRequest;
  /** Path the thread is anchored at. */
  readonly filePath: string;
}

/**
 * One text for every record that does not lead to a thread and its pull request: unknown, of another
 * kind, ambiguous or incomplete. What separates them is not the caller's to learn.
 */
export function threadUnresolved(): TheurianError {
  return new TheurianError(
    "review-unusable",
    "Cannot draft a candidate: no ingested review thread answers to that repository and record key",
    {
      remedy:
        "Send `repository` and `recordKey` as review.search shows them for a review-thread; " +
        "if its pull request was not ingested, run `theurian review ingest` and " +
        "`theurian review build`",
    },
  );
}

/** Resolves a thread. Throws `review-unusable`, or the fault of an evidence file with its cure. */
export function resolveThread(
  store: ServedStore,
  reviewRoot: string,
  repository: string,
  recordKey: string,
): ResolvedThread {
  return withFilePath(readThread(store, reviewRoot, repository, recordKey));
}

function readThread(
  store: ServedStore,
  reviewRoot: string,
  repository: string,
  recordKey: string,
): { thread: Thread; pullRequest: PullRequest } {
  const threadPath = pathOf(store, repository, recordKey);
  const evidence = readRecord(reviewRoot, threadPath);
  if (evidence.kind !== "review-thread") throw threadUnresolved();
  const number = numberIn(evidence.record.eventKey);
  const event = readRecord(reviewRoot, pathOf(store, repository, number));
  if (event.kind !== "pull-request") throw threadUnresolved();
  return { thread: evidence.record, pullRequest: event.record };
}

function numberIn(eventKey: string): string {
  try {
    const number = pullRequestOf(eventKey);
    if (number !== null) return number.toString();
  } catch (error) {
    if (!(error instanceof EvidenceFault)) throw error;
  }
  throw threadUnresolved();
}

/** Path of the only row with these names. */
function pathOf(store: ServedStore, repository: string, recordKey: string): string {
  const paths = withReviewStore(store, (connection) => pathsOf(connection, repository, recordKey));
  if (paths.length !== 1) throw threadUnresolved();
  return paths[0]!;
}

function pathsOf(connection: Connection, repository: string, recordKey: string): string[] {
  return connection.all<{ path: string }>(
    "SELECT path FROM review_records WHERE record_key = ? AND repository = ? LIMIT 2",
    recordKey,
    repository,
  ).map(({ path }) => path);
}

function readRecord(reviewRoot: string, path: string): Evidence {
  try {
    const isLink = describePath(join(reviewRoot, path))?.kind === "link";
    return readEvidenceFile(reviewRoot, { path, isLink }).evidence;
  } catch (error) {
    if (!(error instanceof EvidenceFault)) throw error;
    throw new TheurianError("review-unusable", error.message, {
      remedy: cureOf(error, path),
      cause: error,
    });
  }
}

function withFilePath(
  resolved: { readonly thread: Thread; readonly pullRequest: PullRequest },
): ResolvedThread {
  const { filePath } = resolved.thread;
  if (filePath === null) {
    throw new TheurianError(
      "review-unusable",
      "Cannot draft a candidate: the thread is anchored at no file, so no fix commit can be verified",
      { remedy: "Choose a thread whose filePath is not null; review.search shows it" },
    );
  }
  if (filePath.includes("\0") || !filePath.isWellFormed()) {
    throw new TheurianError(
      "review-unusable",
      "Cannot draft a candidate: the thread's file path holds U+0000 or an unpaired surrogate",
      { remedy: "Choose another thread; no file can have that path" },
    );
  }
  return { ...resolved, filePath };
}
