/**
 * The document a run prints (review.md 5, "JSON document").
 *
 * @module
 */

import { cut } from "../../platform/text.ts";
import type { BadRecord } from "../evidence/read_files.ts";
import type { SecretPolicy } from "../../projects/mod.ts";
import type { Fetched, Skipped } from "./fetch.ts";
import { type Grade, GRADE_REMEDIES, rateLimitRemedy } from "./grades.ts";
import type { LandingFinding, RecordName } from "./land.ts";

/** What a run did. */
export interface IngestReport {
  readonly repository: string;
  readonly clean: boolean;
  readonly secretScanPolicy: SecretPolicy;
  readonly secretsWarned: boolean;
  readonly participantNamesRedacted: boolean;
  readonly landed: {
    readonly pullRequests: number;
    readonly reviewSubmissions: number;
    readonly reviewThreads: number;
    readonly total: number;
  };
  readonly new: number;
  readonly updated: number;
  readonly kept: number;
  readonly refused: readonly string[];
  readonly findings: readonly string[];
  readonly skipped: readonly string[];
  readonly skippedRemedies: Readonly<Partial<Record<Grade, string>>>;
  /** Present when the store was rebuilt. */
  readonly searchStore?: {
    readonly records: number;
    readonly storePath: string;
    readonly withheld: number;
  };
}

/** Characters of a provider's value that a line repeats. */
const SHOWN = 200;

function nameOf({ repository, number, recordId }: RecordName): string {
  const pullRequest = `${repository}#${number}`;
  return recordId === null ? pullRequest : `${pullRequest} ${cut(recordId, SHOWN)}`;
}

/** A record held back for a secret. */
export function refusedLine(name: RecordName): string {
  return `${nameOf(name)}: not written, it holds what looks like a secret`;
}

/** An evidence file that cannot be used and is left as it is. */
export function badFileLine({ path, repository, error, remedy }: BadRecord): string {
  const of = repository === null ? "" : ` (${cut(repository, SHOWN)})`;
  return `.theurian/review/${path}${of}: left as it is. ${error}. ${remedy}`;
}

/** Where a secret was found: never more of it than its first four characters. */
export function findingLine(finding: LandingFinding): string {
  const { commentId, field, line, column, family, prefix } = finding;
  const comment = commentId === null ? "" : ` comment ${cut(commentId, SHOWN)}`;
  return `${nameOf(finding)}${comment} ${field} at ${line}:${column}: ${family} (${prefix}...)`;
}

/** A pull request of which nothing was written. */
export function skippedLine(repository: string, { number, grade, reason }: Skipped): string {
  return `${repository}#${number} ${grade}: ${reason}`;
}

/** A remedy for each grade among the skipped. */
export function skippedRemedies(
  skipped: readonly Skipped[],
  rateLimit: Fetched["rateLimit"],
): Partial<Record<Grade, string>> {
  const remedies: Partial<Record<Grade, string>> = {};
  for (const { grade } of skipped) {
    remedies[grade] = grade === "tool-failed" && rateLimit !== null
      ? rateLimitRemedy(rateLimit.resetsAt)
      : GRADE_REMEDIES[grade];
  }
  return remedies;
}
