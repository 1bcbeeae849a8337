/**
 * `theurian review ingest`: one run from the allowlist to the rebuilt store (review.md 5). Nothing is
 * written before everything was fetched and passed the gate.
 *
 * @module
 */

import { type Clock, utcText } from "../../platform/clock.ts";
import { isFault, TheurianError } from "../../platform/errors.ts";
import type { UlidSource } from "../../platform/ulid.ts";
import { type Project, readConfiguration, withWriteLock } from "../../projects/mod.ts";
import { RecordWriter } from "../evidence/write_files.ts";
import { parseInstant } from "../instant.ts";
import { asStoreFault } from "../publish_store.ts";
import { buildReview } from "../search/build.ts";
import { allowlistEntry } from "./allowlist.ts";
import { readAnswer } from "./answer.ts";
import { type ExistingEvidence, readExisting, spellingOf } from "./existing.ts";
import { type Ask, type Fetched, fetchReviews } from "./fetch.ts";
import { Gh } from "./gh.ts";
import { GRADE_REMEDIES, GradedRefusal, rateLimitRemedy } from "./grades.ts";
import { type Landing, landingOf, type LandingRules, type ReadyRecord } from "./land.ts";
import {
  badFileLine,
  findingLine,
  type IngestReport,
  refusedLine,
  skippedLine,
  skippedRemedies,
} from "./report.ts";
import { type GhEnvironment, guardTransport } from "./transport_guard.ts";

/** What is asked for. */
export interface IngestRequest {
  /** As typed. */
  readonly repository: string;
  readonly limit: number;
  readonly since: bigint | null;
}

/** What a run needs of the outside. */
export interface IngestOptions {
  readonly project: Project;
  readonly dataDirectory: string;
  readonly environment: GhEnvironment;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  readonly seal: () => string;
  readonly onStep?: (what: string, done?: number, total?: number) => void;
}

/** What a run answers: its report, and what went wrong after the records had landed. */
export interface IngestOutcome {
  readonly report: IngestReport;
  readonly failure: TheurianError | null;
}

/** Most pull requests that one run may be asked for. */
const MOST_PULL_REQUESTS = 500;

function checkLimit(limit: number): void {
  if (limit >= 1 && limit <= MOST_PULL_REQUESTS) return;
  throw new GradedRefusal(
    "limit-exceeded",
    `Cannot ingest reviews: --limit must be from 1 to ${MOST_PULL_REQUESTS}`,
  );
}

/** Runs. Throws with exit 1 when there is no report, or 4 when a path leaves the project. */
export async function ingestReviews(
  request: IngestRequest,
  options: IngestOptions,
): Promise<IngestOutcome> {
  const run = await gradedAsFault(() => fetchAndLand(request, options));
  try {
    const { records, storePath } = await buildReview(options.project.paths, options);
    const report = { ...run, searchStore: { records, storePath, withheld: 0 } };
    return { report, failure: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { report: run, failure: error };
  }
}

async function fetchAndLand(
  request: IngestRequest,
  options: IngestOptions,
): Promise<IngestReport> {
  const { project, environment, onStep = () => {} } = options;
  const { paths } = project;
  onStep("Reading review evidence");
  // The folder is looked at first: a run that cannot land is not started.
  const existing = readExisting(paths.review, request.repository);
  const entry = allowlistEntry(readConfiguration(paths), request.repository);
  guardTransport(environment);
  checkLimit(request.limit);
  onStep("Asking gh");
  const gh = await Gh.open(project.root, environment);
  const ask: Ask = async (query, variables) => {
    allowlistEntry(readConfiguration(paths), request.repository);
    guardTransport(environment);
    return readAnswer(await gh.ask(query, entry, variables), entry);
  };
  const spelling = spellingOf(existing, entry);
  const owner = { projectId: project.projectId, repository: spelling };
  const fetched = await fetchReviews({
    owner,
    limit: request.limit,
    since: request.since,
    ask,
    onPullRequest: (done, total) => onStep("Fetching reviews", done, total),
  });
  const rules = landingRules(options);
  const landing = landingOf(fetched.pullRequests, rules);
  onStep("Writing review evidence");
  const written = await landAll(landing.records, existing, options);
  return reportOf(request, spelling, existing, fetched, landing, rules, written);
}

function landingRules({ project, clock, ulids }: IngestOptions): LandingRules {
  const { secretScan, redactParticipantNames } = readConfiguration(project.paths);
  const observedAt = parseInstant(utcText(clock.now()))!.text;
  return {
    policy: secretScan,
    redact: redactParticipantNames,
    run: { runId: ulids(), observedAt },
  };
}

interface Written {
  readonly records: readonly ReadyRecord[];
  readonly created: number;
}

/** Writes under the project's write lock; a file that cannot be used keeps its bytes. */
async function landAll(
  records: readonly ReadyRecord[],
  existing: ExistingEvidence,
  { project }: IngestOptions,
): Promise<Written> {
  const untouchable = new Set(existing.bad.map(({ path }) => path));
  const writable = records.filter(({ path }) => !untouchable.has(path));
  if (writable.length === 0) return { records: [], created: 0 };
  try {
    return await withWriteLock(project.paths, () => {
      const writer = new RecordWriter(project.paths.review);
      let created = 0;
      for (const record of writable) created += Number(writer.write(record));
      return { records: writable, created };
    });
  } catch (error) {
    throw asStoreFault(error);
  }
}

function reportOf(
  request: IngestRequest,
  spelling: string,
  existing: ExistingEvidence,
  fetched: Fetched,
  landing: Landing,
  rules: LandingRules,
  written: Written,
): IngestReport {
  const skipped = [...fetched.skipped, ...landing.skipped];
  const refused = [...landing.refused.map(refusedLine), ...existing.bad.map(badFileLine)];
  const count = (kind: string) =>
    written.records.filter(({ evidence }) => evidence.kind === kind).length;
  const paths = new Set(written.records.map(({ path }) => path));
  return {
    repository: request.repository,
    clean: refused.length === 0 && skipped.length === 0,
    secretScanPolicy: rules.policy,
    secretsWarned: rules.policy === "warn" && landing.findings.length > 0,
    participantNamesRedacted: rules.redact,
    landed: {
      pullRequests: count("pull-request"),
      reviewSubmissions: count("review-submission"),
      reviewThreads: count("review-thread"),
      total: written.records.length,
    },
    new: written.created,
    updated: written.records.length - written.created,
    kept: [...existing.paths].filter((path) => !paths.has(path)).length,
    refused,
    findings: landing.findings.map(findingLine),
    skipped: skipped.map((one) => skippedLine(spelling, one)),
    skippedRemedies: skippedRemedies(skipped, fetched.rateLimit),
  };
}

/** A graded refusal that ends the run, as the command line prints it. */
async function gradedAsFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GradedRefusal)) throw error;
    throw new TheurianError("review-unusable", `${error.message} (${error.grade})`, {
      remedy: error.rateLimited ? rateLimitRemedy(error.resetsAt) : GRADE_REMEDIES[error.grade],
      details: { grade: error.grade },
      exit: 1,
      cause: error,
    });
  }
}
