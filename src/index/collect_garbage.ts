/**
 * `index gc`: frees what old builds and states take (index-build.md 2.4).
 *
 * @module
 */

import { join } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { type UlidSource, ulidSource } from "../platform/ulid.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { describePath, listDirectory, removeFile } from "../platform/files/mod.ts";
import { type Project, withWriteLock } from "../projects/mod.ts";
import {
  openActiveState,
  prunableStates,
  pruneStates,
  readActivePointer,
  type StateReader,
} from "../knowledge/mod.ts";
import type { OpenBuild } from "./_built_files.ts";
import { holdsWithdrawnText } from "./_withdrawn_text.ts";
import { BUILDING_SUFFIX, indexFilePath, requireContainedFiles } from "./index_files.ts";
import { readIndexPointer } from "./index_pointer.ts";
import { purgeWithdrawn } from "./purge_withdrawn.ts";
import { type DoomedBuild, doomedBuilds, type DoomedFile, removeBuilds } from "./prune_builds.ts";

/** The document of `index gc`. */
export interface GarbageReport {
  readonly publishedIndexBuildId: string | null;
  /** File names, sorted. */
  readonly reclaimed: readonly string[];
  readonly bytesReclaimed: number;
  /** Builds that may still be written, or that a crash left; never removed while they are young. */
  readonly strandedBuilding: readonly string[];
  readonly dryRun: boolean;
}

/** What `index gc` is asked for. */
export interface GarbageOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** Of the builds that a purge makes; a source of its own unless given. */
  readonly ulids?: UlidSource;
  readonly dryRun: boolean;
}

/** No build takes this long, in milliseconds; its writer is gone. */
const ABANDONED_AFTER = 24 * 60 * 60 * 1000;

/**
 * Removes builds older than the published one beyond the kept ones, states beyond the kept ones, and
 * unfinished builds of an earlier day. A published build that still holds withdrawn text, because the
 * apply that withdrew it was stopped, is purged first. Without a published index it removes nothing.
 * Throws `index-pointer-corrupt`, `index-unusable`, `lock-*`, `file-*` (exit 1), `path-escape` (exit 4).
 */
export async function collectIndexGarbage(
  project: Project,
  options: GarbageOptions,
): Promise<GarbageReport> {
  requireContainedFiles(project.paths);
  readActivePointer(project.paths);
  let publishedId = requirePublishedId(project);
  const { young, abandoned } = unfinishedBuilds(project, options.clock);
  const strandedBuilding = young.map(({ name }) => name);
  if (publishedId === null) {
    strandedBuilding.push(...abandoned.map(({ name }) => name));
    return {
      publishedIndexBuildId: null,
      reclaimed: [],
      bytesReclaimed: 0,
      strandedBuilding: strandedBuilding.sort(),
      dryRun: options.dryRun,
    };
  }
  if (!options.dryRun) publishedId = await purgeOverdue(project, options) ?? publishedId;
  const files = options.dryRun
    ? wouldReclaim(project, options, publishedId, abandoned)
    : await reclaim(project, options, publishedId, abandoned);
  return {
    publishedIndexBuildId: publishedId,
    reclaimed: files.map(({ name }) => name).sort(),
    bytesReclaimed: files.reduce((total, { size }) => total + size, 0),
    strandedBuilding,
    dryRun: options.dryRun,
  };
}

/** Purges the published build where an apply did not come to it; the new build's id, or `null`. */
async function purgeOverdue(
  project: Project,
  { dataDirectory, clock, ulids = ulidSource(clock) }: GarbageOptions,
): Promise<string | null> {
  const purge = purgeWithdrawn(project, { dataDirectory, clock, ulids, prune: false });
  const openState = () => openActiveState(project, dataDirectory).reader;
  return (await purge({ mayWithdraw: false, itemIds: [], set: null, openState })).indexBuildId;
}

/** The published build's id; `null` when there is no pointer of ours. */
function requirePublishedId(project: Project): string | null {
  const reading = readIndexPointer(project.paths);
  const remedy = "Delete .theurian/state/active-index.json, then run: theurian index build";
  if (reading.kind === "absent") return null;
  if (reading.kind === "corrupt") {
    throw new TheurianError(
      "index-pointer-corrupt",
      `Cannot use .theurian/state/active-index.json: ${reading.why}`,
      { remedy },
    );
  }
  const { indexBuildId } = reading.pointer;
  const path = indexFilePath(project.paths, indexBuildId);
  if (path !== null && describePath(path)?.kind === "file") return indexBuildId;
  throw new TheurianError(
    "index-unusable",
    "Cannot reclaim anything: the published build that the pointer names " +
      (path === null ? "cannot be a file of this project" : "is missing"),
    { remedy },
  );
}

function unfinishedBuilds(project: Project, clock: Clock) {
  const young: DoomedFile[] = [];
  const abandoned: DoomedFile[] = [];
  const deadline = BigInt(clock.now() - ABANDONED_AFTER) * 1_000_000n;
  for (const { name, kind } of listDirectory(project.paths.state)) {
    if (kind !== "file" || !name.endsWith(BUILDING_SUFFIX)) continue;
    const facts = describePath(join(project.paths.state, name));
    if (facts === null) continue;
    (facts.modifiedNs < deadline ? abandoned : young).push({ name, size: facts.size });
  }
  return { young, abandoned };
}

function wouldReclaim(
  project: Project,
  { dataDirectory }: GarbageOptions,
  publishedId: string,
  abandoned: readonly DoomedFile[],
): DoomedFile[] {
  const builds = judgeBuilds(project, dataDirectory, publishedId);
  const states = prunableStates(project, dataDirectory);
  return [...builds.flatMap(({ files }) => files), ...states.map(stateFile), ...abandoned];
}

async function reclaim(
  project: Project,
  { dataDirectory }: GarbageOptions,
  publishedId: string,
  abandoned: readonly DoomedFile[],
): Promise<DoomedFile[]> {
  try {
    return await withWriteLock(project.paths, async () => {
      const builds = judgeBuilds(project, dataDirectory, publishedId);
      await removeBuilds(project, dataDirectory, builds);
      const states = await pruneStates(project, dataDirectory);
      for (const { name } of abandoned) {
        removeFile(join(project.paths.state, name), { label: name });
      }
      return [...builds.flatMap(({ files }) => files), ...states.map(stateFile), ...abandoned];
    });
  } catch (error) {
    if (!isFault(error) || error.fault === "path-escape") throw error;
    throw new TheurianError(error.fault, error.message, {
      remedy: error.remedy,
      exit: 1,
      cause: error,
    });
  }
}

function stateFile({ filename, size }: { filename: string; size: number }): DoomedFile {
  return { name: filename, size };
}

/** Without a readable state no old build can be known to be clean. */
function judgeBuilds(project: Project, dataDirectory: string, publishedId: string): DoomedBuild[] {
  let reader: StateReader | null = null;
  try {
    reader = openActiveState(project, dataDirectory).reader;
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  try {
    const known = reader;
    const judge = known === null ? null : (build: OpenBuild) => holdsWithdrawnText(build, known);
    return doomedBuilds(project, dataDirectory, publishedId, judge);
  } finally {
    reader?.[Symbol.dispose]();
  }
}
