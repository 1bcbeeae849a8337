/**
 * `theurian review build`: every evidence file, read and projected, becomes the review store
 * (review.md 7). One bad record is named and left out; what changes while it is read waits for the
 * next build.
 *
 * @module
 */

import { join } from "node:path";
import { utcText } from "../../platform/clock.ts";
import { isFault, TheurianError } from "../../platform/errors.ts";
import { ensureDirectory } from "../../platform/files/mod.ts";
import { acquireLock } from "../../platform/lock.ts";
import { type ProjectPaths, withWriteLock, WRITE_LOCK_WAIT } from "../../projects/mod.ts";
import { cureOf, EvidenceFault } from "../evidence/fault.ts";
import { listEvidence, type Listing } from "../evidence/listing.ts";
import {
  type BadRecord,
  badRecord,
  evidenceMark,
  readEvidenceFile,
} from "../evidence/read_files.ts";
import {
  asStoreFault,
  recordStore,
  REVIEW_STORE,
  type StoreBuildOptions,
  storePath,
  writeStore,
} from "../publish_store.ts";
import { withoutForks } from "./forks.ts";
import { projectRecord } from "./project_record.ts";
import { ReviewStoreWriter, type StagedRecord } from "./store_writer.ts";

/** What a build did. */
export interface ReviewBuild {
  /** Records that are served. */
  readonly records: number;
  readonly storePath: string;
  readonly skippedRecords: readonly BadRecord[];
  /** Folders that hold one repository under two spellings; empty in a sound corpus. */
  readonly forkedFolders: readonly string[];
}

type BuildProgress = NonNullable<StoreBuildOptions["onStep"]>;

/** Rebuilds the store. Throws with exit 1, or 4 when a path leaves the project. */
export async function buildReview(
  paths: ProjectPaths,
  options: StoreBuildOptions,
): Promise<ReviewBuild> {
  const { dataDirectory, clock, onStep = () => {} } = options;
  const seal = options.seal();
  const path = storePath(paths, REVIEW_STORE);
  let built: Omit<ReviewBuild, "storePath">;
  try {
    ensureDirectory(paths.runtime, { label: ".theurian/runtime" });
    // Two builds would write one draft; other writers need not wait while evidence is read.
    using _lock = await acquireLock(join(paths.runtime, "review-build.lock"), {
      waitMs: WRITE_LOCK_WAIT,
    });
    built = await writeStore(path, async ({ connection, publish }) => {
      const writer = new ReviewStoreWriter(connection);
      const staged = connection.transaction(() => stageCorpus(paths.review, writer, onStep));
      onStep("Writing the review store");
      return await withWriteLock(paths, () => {
        const { served, dropped, folders } = settle(paths.review, staged);
        writer.finish(served, dropped, seal, utcText(clock.now()));
        publish();
        return { records: served.length, skippedRecords: staged.bad, forkedFolders: folders };
      });
    });
  } catch (error) {
    throw buildFault(error);
  }
  await recordReview(paths, dataDirectory, seal);
  return { ...built, storePath: path };
}

interface StagedCorpus {
  readonly listing: Listing;
  readonly records: readonly StagedRecord[];
  /** By record, what its file looked like when it was read. */
  readonly marks: readonly string[];
  readonly bad: readonly BadRecord[];
}

/** Reads every listed file once, in path order. */
function stageCorpus(
  reviewRoot: string,
  writer: ReviewStoreWriter,
  onStep: BuildProgress,
): StagedCorpus {
  onStep("Listing review evidence");
  const listing = listEvidence(reviewRoot);
  const bad: BadRecord[] = listing.faults.map(({ path, fault }) => ({
    path,
    repository: null,
    error: fault.message,
    remedy: cureOf(fault, path),
  }));
  const records: StagedRecord[] = [];
  const marks: string[] = [];
  listing.files.forEach((file, index) => {
    if (index % 256 === 0) onStep("Reading review evidence", index, listing.files.length);
    try {
      const { evidence, mark } = readEvidenceFile(reviewRoot, file);
      records.push(writer.stage(projectRecord(evidence, file.path)));
      marks.push(mark);
    } catch (error) {
      if (!(error instanceof EvidenceFault)) throw error;
      bad.push(badRecord(reviewRoot, file, error));
    }
  });
  writer.endStaging();
  return { listing, records, marks, bad };
}

/** Under the write lock: keeps what has not changed since it was read, once a record. */
function settle(
  reviewRoot: string,
  staged: StagedCorpus,
): {
  served: readonly StagedRecord[];
  dropped: readonly StagedRecord[];
  folders: readonly string[];
} {
  const links = new Set(staged.listing.files.filter((file) => file.isLink).map(({ path }) => path));
  const unchanged: StagedRecord[] = [];
  const dropped: StagedRecord[] = [];
  staged.records.forEach((record, index) => {
    const file = { path: record.path, isLink: links.has(record.path) };
    const same = evidenceMark(reviewRoot, file) === staged.marks[index];
    (same ? unchanged : dropped).push(record);
  });
  // Bad records alone are no race: they are named, and an empty store is published.
  const onlyBad = staged.records.length === 0 && staged.listing.files.length > 0;
  if (unchanged.length === 0 && !onlyBad && listEvidence(reviewRoot).files.length > 0) {
    throw raceRefusal();
  }
  const forks = withoutForks(unchanged);
  return {
    served: forks.served,
    dropped: [...dropped, ...forks.dropped],
    folders: forks.folders,
  };
}

function raceRefusal(): TheurianError {
  return new TheurianError(
    "review-unusable",
    "Cannot build the review store: every evidence file changed while it was read, so another " +
      "writer is at work; the store is unchanged",
    {
      remedy: "Wait until `theurian review ingest` or the checkout has ended, then run " +
        "`theurian review build` again",
      exit: 1,
    },
  );
}

function buildFault(error: unknown): unknown {
  if (!isFault(error) || error.fault === "path-escape" || error.fault === "review-unusable") {
    return error;
  }
  const graded = asStoreFault(error) as TheurianError;
  return new TheurianError(graded.fault, graded.message, {
    remedy:
      `${graded.remedy}. When \`.theurian/state/\` can be written and the disk has room, run ` +
      "`theurian review build` again",
    exit: 1,
    cause: error,
  });
}

async function recordReview(
  paths: ProjectPaths,
  dataDirectory: string,
  seal: string,
): Promise<void> {
  try {
    await recordStore(dataDirectory, paths.root, "review", seal);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new TheurianError(
      error.fault,
      "The review store was rebuilt, but it will be refused: that it was built here could not be " +
        "recorded in the data directory",
      {
        remedy: "Make the data directory writable (see: ls -ld ~/.theurian, or what " +
          "THEURIAN_DATA_DIR names), then run `theurian review build` again",
        exit: 1,
        cause: error,
      },
    );
  }
}
