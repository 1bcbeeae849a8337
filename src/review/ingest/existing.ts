/**
 * What stands under `.theurian/review/` before a run (review.md 5, "Order of a run", step 1).
 *
 * @module
 */

import { cureOf, EvidenceFault } from "../evidence/fault.ts";
import { listEvidence } from "../evidence/listing.ts";
import { type BadRecord, badRecord, readEvidenceFile } from "../evidence/read_files.ts";
import { PROVIDER } from "./provider_fields.ts";

/** The evidence of one repository, whatever its spelling, and every file that cannot be used. */
export interface ExistingEvidence {
  /** Paths below `.theurian/review/` of this repository's records. */
  readonly paths: ReadonlySet<string>;
  /** The spelling they are stored under; `null` when there is none yet. */
  readonly spelling: string | null;
  readonly bad: readonly BadRecord[];
}

/** Reads every file once; a bad one is told of and never stops the run (decision 8). */
export function readExisting(reviewRoot: string, entry: string): ExistingEvidence {
  const { files, faults } = listEvidence(reviewRoot);
  const bad: BadRecord[] = faults.map(({ path, fault }) => ({
    path,
    repository: null,
    error: fault.message,
    remedy: cureOf(fault, path),
  }));
  const paths = new Set<string>();
  let latest: { spelling: string; seen: string } | null = null;
  let spelledAsEntry = false;
  for (const file of files) {
    try {
      const { provider, repository, lastSeenRun } = readEvidenceFile(reviewRoot, file).evidence;
      const isOurs = provider === PROVIDER && repository.toLowerCase() === entry.toLowerCase();
      if (!isOurs) continue;
      paths.add(file.path);
      spelledAsEntry ||= repository === entry;
      const seen = lastSeenRun.runId;
      if (latest === null || seen > latest.seen) latest = { spelling: repository, seen };
    } catch (error) {
      if (!(error instanceof EvidenceFault)) throw error;
      bad.push(badRecord(reviewRoot, file, error));
    }
  }
  return { paths, spelling: spelledAsEntry ? entry : latest?.spelling ?? null, bad };
}
