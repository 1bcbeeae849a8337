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
  /** Spellings they are stored under, each with the latest run seen; one in a sound corpus. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly bad: readonly BadRecord[];
}

/** Reads every file once; a bad one is told of and never stops the run (decision 8). */
export function readExisting(reviewRoot: string, asked: string): ExistingEvidence {
  const { files, faults } = listEvidence(reviewRoot);
  const bad: BadRecord[] = faults.map(({ path, fault }) => ({
    path,
    repository: null,
    error: fault.message,
    remedy: cureOf(fault, path),
  }));
  const paths = new Set<string>();
  const spellings = new Map<string, string>();
  for (const file of files) {
    try {
      const { provider, repository, lastSeenRun } = readEvidenceFile(reviewRoot, file).evidence;
      const isOurs = provider === PROVIDER && repository.toLowerCase() === asked.toLowerCase();
      if (!isOurs) continue;
      paths.add(file.path);
      const { runId } = lastSeenRun;
      if (runId > (spellings.get(repository) ?? "")) spellings.set(repository, runId);
    } catch (error) {
      if (!(error instanceof EvidenceFault)) throw error;
      bad.push(badRecord(reviewRoot, file, error));
    }
  }
  return { paths, spellings, bad };
}

/** The spelling to store under: a repository respelled by case alone stays where it is. */
export function spellingOf({ spellings }: ExistingEvidence, entry: string): string {
  if (spellings.size === 0 || spellings.has(entry)) return entry;
  return [...spellings].reduce((a, b) => b[1] > a[1] ? b : a)[0];
}
