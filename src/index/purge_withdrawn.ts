/**
 * Taking withdrawn content out of the published index, inside `migrate apply` (index-build.md
 * section 12). A purge is a build of its own: the published file is never written.
 *
 * @module
 */

import { type Clock, utcText } from "../platform/clock.ts";
import { errorKind, isFault } from "../platform/errors.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import type { UlidSource } from "../platform/ulid.ts";
import { isBuiltHere, type Project, withWriteLock } from "../projects/mod.ts";
import {
  type IndexPurge,
  nothingPurged,
  type Purge,
  type Sensitivity,
  type Withdrawal,
  type WithdrawalCandidate,
} from "../knowledge/mod.ts";
import { writeBuildingFile } from "./_building_file.ts";
import { type OpenBuild, openBuild } from "./_built_files.ts";
import { fillBuild } from "./_fill_build.ts";
import { admittedItems } from "./_plan_changes.ts";
import { type FinishedBuild, publishBuild } from "./_publish_build.ts";
import { purgedDigest } from "./_touched_items.ts";
import { requirePurged } from "./_verify_purge.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";
import { BUILDING_SUFFIX, indexFilePath } from "./index_files.ts";
import { type IndexPointer, publishIndexPointer, readIndexPointer } from "./index_pointer.ts";
import type { WithdrawnJudge } from "./prune_builds.ts";
import { readScanRecord } from "./scan_record.ts";

/** What a purge needs besides the project. */
export interface PurgeOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  /** Longest wait for the write lock, in milliseconds. */
  readonly lockWaitMs?: number;
}

/** A build that is published meanwhile is purged in its turn, so many times at most. */
const MOST_ATTEMPTS = 3;

/** The purge of a project's index, as `migrate apply` is given it. Throws only `path-escape`. */
export function purgeWithdrawn(project: Project, options: PurgeOptions): Purge {
  return async (withdrawal) => {
    for (let attempt = 1;; attempt++) {
      const purge = await purgeOnce(project, options, withdrawal);
      if (purge !== "superseded") return purge;
      if (attempt === MOST_ATTEMPTS) return failed("superseded");
    }
  };
}

async function purgeOnce(
  project: Project,
  options: PurgeOptions,
  withdrawal: Withdrawal,
): Promise<IndexPurge | "superseded"> {
  const reading = readIndexPointer(project.paths);
  if (reading.kind !== "pointer") return nothingPurged("no-published-index");
  const { pointer } = reading;
  if (!isBuiltHere(options.dataDirectory, project.root, "index", pointer.indexBuildId)) {
    return nothingPurged("untrusted-source-index");
  }
  const levels = pointer.indexedSensitivities;
  const source = levels === null ? null : openBuild(project, pointer.indexBuildId);
  if (levels === null || source === null) return nothingPurged("index-unusable");
  try {
    const revisions = withdrawnRevisions(withdrawal.candidates(), pointer, levels);
    if (revisions.size === 0) return nothingPurged("no-withdrawal");
    return await purgeSource(project, options, source, withdrawal, revisions);
  } catch (error) {
    await markFailed(project, pointer, options);
    return failed(errorKind(error));
  } finally {
    source.connection.close();
  }
}

/** What no build of the published flavour may hold any more (12.1). */
function withdrawnRevisions(
  candidates: readonly WithdrawalCandidate[],
  { indexesUnapproved }: IndexPointer,
  levels: readonly Sensitivity[],
): ReadonlySet<string> {
  const { statuses, sensitivities } = admittedItems(indexesUnapproved, levels);
  const withdrawn = new Set<string>();
  for (const { status, sensitivity, currentRevisionId, revisionIds } of candidates) {
    const admitted = statuses.includes(status) && sensitivities.includes(sensitivity);
    for (const id of revisionIds) if (!admitted || id !== currentRevisionId) withdrawn.add(id);
  }
  return withdrawn;
}

/** A document of a build that holds a withdrawn revision. */
interface DoomedDocument {
  readonly id: number;
  readonly item_id: string;
  readonly revision_id: string;
  readonly chunk_count: number;
}

/** Documents of these items that hold one of the revisions. */
function doomedDocuments(
  { connection }: OpenBuild,
  itemIds: readonly string[],
  revisions: ReadonlySet<string>,
): readonly DoomedDocument[] {
  const sql = "SELECT id, item_id, revision_id, chunk_count FROM documents WHERE item_id = ?";
  return itemIds.flatMap((itemId) => connection.all<DoomedDocument>(sql, itemId))
    .filter((row) => revisions.has(row.revision_id));
}

async function purgeSource(
  project: Project,
  options: PurgeOptions,
  source: OpenBuild,
  { itemIds }: Withdrawal,
  revisions: ReadonlySet<string>,
): Promise<IndexPurge | "superseded"> {
  const doomed = doomedDocuments(source, itemIds, revisions);
  if (doomed.length === 0) return nothingPurged("nothing-to-purge");
  const facts: DecidedFacts = {
    ...source.facts,
    buildId: options.ulids(),
    builtAt: utcText(options.clock.now()),
    purged: [...source.facts.purged, ...doomed.map((row) => purgedDigest(row.item_id))],
  };
  const buildingPath = indexFilePath(project.paths, facts.buildId)! + BUILDING_SUFFIX;
  const removed = writeBuildingFile(buildingPath, source.path, (connection) => {
    const kept = source.facts.documentCount - doomed.length;
    const plan = { removed: doomed.map((row) => row.id), added: [], kept };
    fillBuild(connection, null, plan, {
      parts: { vectors: facts.embeddingModel !== "", forest: facts.raptor, secrets: false },
      facts,
    });
    requirePurged(connection, doomed);
    return removedCount(source, connection);
  });
  const build = { buildingPath, facts };
  const buildId = await publishPurge(
    project,
    options,
    source,
    build,
    (old) => doomedDocuments(old, itemIds, revisions).length > 0,
  );
  if (buildId === null) return "superseded";
  return { published: true, indexBuildId: buildId, removed, reason: "", failed: false, remedy: "" };
}

/** Chunks and nodes of the source that the purged build lacks. */
function removedCount({ facts, connection: source }: OpenBuild, purged: Connection): number {
  const { chunks } = purged.get<{ chunks: number }>("SELECT chunk_count AS chunks FROM build")!;
  let nodes = 0;
  for (const { node_id } of source.iterate<{ node_id: string }>("SELECT node_id FROM nodes")) {
    if (purged.get("SELECT 1 FROM nodes WHERE node_id = ?", node_id) === undefined) nodes++;
  }
  return facts.chunkCount - chunks + nodes;
}

/** The new build's id; `null` when another build was published since the source was read. */
async function publishPurge(
  project: Project,
  { dataDirectory, ulids, lockWaitMs }: PurgeOptions,
  source: OpenBuild,
  build: Pick<FinishedBuild, "buildingPath" | "facts">,
  holdsWithdrawn: WithdrawnJudge,
): Promise<string | null> {
  const { buildId: sourceId } = source.facts;
  const record = readScanRecord(project.paths);
  const published = await publishBuild(project, { ...build, publishedBefore: sourceId }, {
    dataDirectory,
    ulids,
    holdsWithdrawn,
    record: record?.indexBuildId === sourceId ? record : null,
    requireActiveState: false,
    onlyOver: sourceId,
    ...(lockWaitMs === undefined ? {} : { lockWaitMs }),
  });
  return published?.buildId ?? null;
}

/** From now on searches use the canonical scan; where even this fails, the gate hides the rows. */
async function markFailed(
  project: Project,
  pointer: IndexPointer,
  options: PurgeOptions,
): Promise<void> {
  try {
    const { lockWaitMs } = options;
    await withWriteLock(project.paths, () => {
      const now = readIndexPointer(project.paths);
      if (now.kind !== "pointer" || now.pointer.indexBuildId !== pointer.indexBuildId) return;
      publishIndexPointer(project.paths, { ...now.pointer, purgeFailed: true });
    }, lockWaitMs === undefined ? {} : { waitMs: lockWaitMs });
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

function failed(kind: string): IndexPurge {
  return {
    published: false,
    indexBuildId: null,
    removed: 0,
    reason: `purge-failed: ${kind}`,
    failed: true,
    remedy: "Withdrawn content could not be removed from the index. Run: theurian index build",
  };
}
