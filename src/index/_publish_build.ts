/**
 * From a finished file to the published index: rename, provenance, pointer, scan record, pruning, all
 * under the project's write lock (index-build.md sections 9 to 11).
 *
 * @module
 */

import { dirname } from "node:path";
import { errorKind, isFault, TheurianError } from "../platform/errors.ts";
import { describePath, renamePath, syncDirectory, syncFile } from "../platform/files/mod.ts";
import { openForWriting, removeDatabase } from "../platform/sqlite/mod.ts";
import type { UlidSource } from "../platform/ulid.ts";
import { isBuiltHere, type Project, recordBuiltHere, withWriteLock } from "../projects/mod.ts";
import { readActivePointer } from "../knowledge/mod.ts";
import { openBuild } from "./_built_files.ts";
import { isSameFlavour } from "./build_facts.ts";
import { indexFilePath } from "./index_files.ts";
import { publishIndexPointer, readIndexPointer } from "./index_pointer.ts";
import {
  doomedBuilds,
  PRUNED_PER_PUBLISH,
  removeBuilds,
  type WithdrawnJudge,
} from "./prune_builds.ts";
import { type ScanRecord, writeScanRecord } from "./scan_record.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";

/** A finished file that waits for its final name. */
export interface FinishedBuild {
  readonly buildingPath: string;
  readonly facts: DecidedFacts;
  /** The build that was published when this one began; `null` when none was. */
  readonly publishedBefore: string | null;
}

/** What publishing needs besides the build. */
export interface PublishOptions {
  readonly dataDirectory: string;
  readonly ulids: UlidSource;
  /** Decides which old builds must go; `null` leaves all of them to the caller. */
  readonly holdsWithdrawn: WithdrawnJudge | null;
  /** The record to write for the build id that was given in the end; `null` writes none. */
  readonly record: Omit<ScanRecord, "indexBuildId"> | null;
  /** Whether the applied state must still be the one that the rows came from. */
  readonly requireActiveState: boolean;
  /** Publish only in place of this build. */
  readonly onlyOver?: string;
  /** Longest wait for the write lock, in milliseconds. */
  readonly lockWaitMs?: number;
}

/** What was published. Warnings name the kind of error only. */
export interface PublishedBuild {
  readonly buildId: string;
  readonly path: string;
  readonly provenanceWarning: string | null;
  readonly recordWarning: string | null;
}

/**
 * Publishes under the write lock; `null` when `onlyOver` is not the published build any more. The
 * file under its unfinished name is gone in the end, whatever happens. Throws `build-failed` (exit 1)
 * when the applied state changed or an equal build was published meanwhile; `file-*` (exit 4) when the
 * pointer cannot be replaced, and leaves the finished file under its final name then.
 */
export async function publishBuild(
  project: Project,
  build: FinishedBuild,
  options: PublishOptions,
): Promise<PublishedBuild | null> {
  const { lockWaitMs } = options;
  try {
    return await withWriteLock(
      project.paths,
      () => publishLocked(project, build, options),
      lockWaitMs === undefined ? {} : { waitMs: lockWaitMs },
    );
  } finally {
    removeDatabase(build.buildingPath);
  }
}

async function publishLocked(
  project: Project,
  build: FinishedBuild,
  options: PublishOptions,
): Promise<PublishedBuild | null> {
  if (options.requireActiveState) requireActiveState(project, build.facts.stateHash);
  const published = publishedId(project);
  if (options.onlyOver !== undefined && options.onlyOver !== published) return null;
  requireNoEqualBuild(project, build, options.dataDirectory, published);
  const { buildId, path } = giveFinalName(project, build, published, options.ulids);
  const provenanceWarning = await warningOf(
    "build provenance",
    () => recordBuiltHere(options.dataDirectory, project.root, "index", buildId),
  );
  publishPointer(project, buildId, build.facts);
  const { record } = options;
  const recordWarning = record === null
    ? null
    : await warningOf("secret scan record", () =>
      writeScanRecord(project.paths, { ...record, indexBuildId: buildId }));
  await pruneAfterPublish(project, buildId, options);
  return { buildId, path, provenanceWarning, recordWarning };
}

/** A failure behind the rename, such as a flush of the directory, does not take the pointer back. */
function publishPointer(project: Project, buildId: string, facts: DecidedFacts): void {
  const { stateHash, projectId, indexesUnapproved, sensitivities } = facts;
  try {
    publishIndexPointer(project.paths, {
      indexBuildId: buildId,
      stateHash,
      projectId,
      indexesUnapproved,
      indexedSensitivities: sensitivities,
      purgeFailed: false,
    });
  } catch (error) {
    if (!isFault(error) || publishedId(project) !== buildId) throw error;
  }
}

function giveFinalName(
  project: Project,
  build: FinishedBuild,
  published: string | null,
  ulids: UlidSource,
): { readonly buildId: string; readonly path: string } {
  const buildId = laterId(build, published, ulids);
  const path = indexFilePath(project.paths, buildId)!;
  if (describePath(path) !== null) throw refused("a build of this id is there already");
  renamePath(build.buildingPath, path);
  syncDirectory(dirname(path));
  return { buildId, path };
}

function requireActiveState(project: Project, stateHash: string): void {
  if (readActivePointer(project.paths)?.stateHash === stateHash) return;
  throw refused("another state was applied while it was built");
}

function publishedId(project: Project): string | null {
  const reading = readIndexPointer(project.paths);
  return reading.kind === "pointer" ? reading.pointer.indexBuildId : null;
}

/** Of two builds of one state and flavour that run at once, the second ends here (decision 9). */
function requireNoEqualBuild(
  project: Project,
  { facts, publishedBefore }: FinishedBuild,
  dataDirectory: string,
  published: string | null,
): void {
  if (published === null || published === publishedBefore) return;
  if (!isBuiltHere(dataDirectory, project.root, "index", published)) return;
  const other = openBuild(project, published);
  if (other === null) return;
  other.connection.close();
  if (other.facts.stateHash !== facts.stateHash || !isSameFlavour(other.facts, facts)) return;
  throw refused("another process has just published the same build");
}

/** Ids sort in the order of publishing, which pruning relies on. */
function laterId(build: FinishedBuild, published: string | null, ulids: UlidSource): string {
  const { buildId } = build.facts;
  if (published === null || buildId > published) return buildId;
  const fresh = ulids();
  if (fresh <= published) return buildId;
  {
    using connection = openForWriting(build.buildingPath, { create: false, journal: "off" });
    connection.run("UPDATE build SET build_id = ?", fresh);
  }
  syncFile(build.buildingPath);
  return fresh;
}

async function warningOf(what: string, work: () => void | Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return `Could not write the ${what}: ${errorKind(error)}`;
  }
}

/** Pruning is a courtesy: what cannot be removed now is left to `index gc`. */
async function pruneAfterPublish(
  project: Project,
  buildId: string,
  { dataDirectory, holdsWithdrawn }: PublishOptions,
): Promise<void> {
  if (holdsWithdrawn === null) return;
  try {
    const doomed = doomedBuilds(project, dataDirectory, buildId, holdsWithdrawn);
    await removeBuilds(project, dataDirectory, doomed.slice(0, PRUNED_PER_PUBLISH));
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

function refused(why: string): TheurianError {
  return new TheurianError("build-failed", `Cannot publish the index: ${why}`, {
    remedy: "Look with: theurian index status; if it is stale, run again: theurian index build",
  });
}
