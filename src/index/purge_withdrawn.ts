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
  readCandidates,
  type StateReader,
  type Withdrawal,
  type WithdrawalCandidate,
} from "../knowledge/mod.ts";
import { writeBuildingFile } from "./_building_file.ts";
import { type OpenBuild, openBuild, trustedBuildIds } from "./_built_files.ts";
import { fillBuild } from "./_fill_build.ts";
import { type ScopeLabels, scopeOfDocument } from "./_forest_rows.ts";
import { admittedItems } from "./_plan_changes.ts";
import { type FinishedBuild, publishBuild } from "./_publish_build.ts";
import { purgedDigest } from "./_touched_items.ts";
import { requirePurged } from "./_verify_purge.ts";
import { type HeldDocument, holdsWithdrawnText, withdrawnDocuments } from "./_withdrawn_text.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";
import type { BuildFlavour } from "./build_facts.ts";
import { BUILDING_SUFFIX, indexFilePath } from "./index_files.ts";
import {
  type IndexPointer,
  type PointerReading,
  publishIndexPointer,
  readIndexPointer,
} from "./index_pointer.ts";
import { removeBuilds, withdrawnBuilds, type WithdrawnJudge } from "./prune_builds.ts";
import { readScanRecord } from "./scan_record.ts";

/** What a purge needs besides the project. */
export interface PurgeOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  /** Longest wait for the write lock, in milliseconds. */
  readonly lockWaitMs?: number;
  /** False leaves old builds to the caller. */
  readonly prune?: boolean;
}

/** A build that is published meanwhile is purged in its turn, so many times at most. */
const MOST_ATTEMPTS = 3;

/** The purge of a project's index, as `migrate apply` is given it. Throws only `path-escape`. */
export function purgeWithdrawn(project: Project, options: PurgeOptions): Purge {
  return async (withdrawal) => {
    for (let attempt = 1;; attempt++) {
      const purge = await purgeOnce(project, options, withdrawal);
      if (purge === "superseded" && attempt < MOST_ATTEMPTS) continue;
      const outcome = purge === "superseded" ? failed("superseded") : purge;
      const isPruned = outcome.published || options.prune === false;
      if (!isPruned) await removeOldText(project, options, withdrawal);
      return outcome;
    }
  };
}

async function purgeOnce(
  project: Project,
  options: PurgeOptions,
  withdrawal: Withdrawal,
): Promise<IndexPurge | "superseded"> {
  const found = findSource(project, options, withdrawal);
  if (typeof found === "string") return nothingPurged(found);
  const { pointer, source } = found;
  let reader: StateReader | null = null;
  let isDue = withdrawal.mayWithdraw;
  try {
    reader = withdrawal.openState();
    const doomed = withdrawnDocuments(source, reader, withdrawal.set, withdrawal.itemIds);
    if (doomed.length > 0) {
      isDue = true;
      return await purgeSource(project, options, { source, reader, withdrawal }, doomed);
    }
    const candidates = readCandidates(reader, withdrawal.itemIds);
    const isWithdrawn = withdrawsRevision(candidates, source.facts);
    return nothingPurged(isWithdrawn ? "nothing-to-purge" : "no-withdrawal");
  } catch (error) {
    if (!isDue && isFault(error)) return nothingPurged("no-withdrawal");
    await markFailed(project, pointer, options);
    return failed(errorKind(error));
  } finally {
    reader?.[Symbol.dispose]();
    source.connection.close();
  }
}

/** The published build, open, or the reason why there is none to purge (12.2). */
function findSource(
  project: Project,
  { dataDirectory }: PurgeOptions,
  { mayWithdraw }: Withdrawal,
): { readonly pointer: IndexPointer; readonly source: OpenBuild } | string {
  const reading = mayWithdraw ? readIndexPointer(project.paths) : readPointerIfContained(project);
  if (reading.kind === "pointer") {
    const { pointer } = reading;
    const isOurs = isBuiltHere(dataDirectory, project.root, "index", pointer.indexBuildId);
    const isUsable = isOurs && pointer.indexedSensitivities !== null;
    const source = isUsable ? openBuild(project, pointer.indexBuildId) : null;
    if (source !== null) return { pointer, source };
    if (mayWithdraw) return isOurs ? "index-unusable" : "untrusted-source-index";
  }
  return mayWithdraw ? "no-published-index" : "no-withdrawal";
}

/** Where nothing was withdrawn, a pointer that leads out of the project is nobody's matter here. */
function readPointerIfContained(project: Project): PointerReading {
  try {
    return readIndexPointer(project.paths);
  } catch (error) {
    if (isFault(error, "path-escape")) return { kind: "absent" };
    throw error;
  }
}

/** True when a revision of the touched items could not be in a build of this flavour (12.1). */
function withdrawsRevision(
  candidates: readonly WithdrawalCandidate[],
  { indexesUnapproved, sensitivities: levels }: BuildFlavour,
): boolean {
  const { statuses, sensitivities } = admittedItems(indexesUnapproved, levels);
  return candidates.some(({ status, sensitivity, currentRevisionId, revisionIds }) => {
    const admitted = statuses.includes(status) && sensitivities.includes(sensitivity);
    return revisionIds.some((id) => !admitted || id !== currentRevisionId);
  });
}

/** What a purge reads. */
interface PurgeInput {
  readonly source: OpenBuild;
  readonly reader: StateReader;
  readonly withdrawal: Withdrawal;
}

async function purgeSource(
  project: Project,
  options: PurgeOptions,
  { source, reader, withdrawal }: PurgeInput,
  doomed: readonly HeldDocument[],
): Promise<IndexPurge | "superseded"> {
  const facts: DecidedFacts = {
    ...source.facts,
    buildId: options.ulids(),
    builtAt: utcText(options.clock.now()),
    purged: [...source.facts.purged, ...doomed.map((row) => purgedDigest(row.item_id))],
  };
  const scopes = scopesOf(source.connection, doomed);
  const buildingPath = indexFilePath(project.paths, facts.buildId)! + BUILDING_SUFFIX;
  const removed = writeBuildingFile(buildingPath, source.path, (connection) => {
    const kept = source.facts.documentCount - doomed.length;
    const plan = { removed: doomed.map((row) => row.id), added: [], kept };
    fillBuild(connection, null, plan, {
      parts: { vectors: facts.embeddingModel !== "", forest: facts.raptor, secrets: false },
      facts,
    });
    requirePurged(connection, doomed, scopes);
    return removedCount(source, connection, scopes);
  });
  const judge = options.prune === false
    ? null
    : (old: OpenBuild) => holdsWithdrawnText(old, reader, withdrawal.set);
  const build = { buildingPath, facts };
  const buildId = await publishPurge(project, options, source, build, judge);
  if (buildId === null) return "superseded";
  return { published: true, indexBuildId: buildId, removed, reason: "", failed: false, remedy: "" };
}

/** Old builds whose text was withdrawn since go, should the publish that withdrew it have been stopped. */
async function removeOldText(
  project: Project,
  { dataDirectory, lockWaitMs }: PurgeOptions,
  { set, openState }: Withdrawal,
): Promise<void> {
  try {
    const reading = readIndexPointer(project.paths);
    if (reading.kind !== "pointer") return;
    const { indexBuildId } = reading.pointer;
    if (!trustedBuildIds(project, dataDirectory).some((id) => id < indexBuildId)) return;
    using reader = openState();
    const isDoomed = (build: OpenBuild) => holdsWithdrawnText(build, reader, set);
    if (withdrawnBuilds(project, dataDirectory, indexBuildId, isDoomed).length === 0) return;
    await withWriteLock(project.paths, async () => {
      const doomed = withdrawnBuilds(project, dataDirectory, indexBuildId, isDoomed);
      await removeBuilds(project, dataDirectory, doomed);
    }, lockWaitMs === undefined ? {} : { waitMs: lockWaitMs });
  } catch (error) {
    if (!isFault(error)) throw error; // `index gc` removes them.
  }
}

/** The scopes of documents, each once. */
function scopesOf(source: Connection, documents: readonly HeldDocument[]): ScopeLabels[] {
  const scopes = new Map<string, ScopeLabels>();
  for (const { id } of documents) {
    const scope = scopeOfDocument(source, id);
    if (scope !== null) scopes.set(JSON.stringify(scope), scope);
  }
  return [...scopes.values()];
}

/** Chunks and nodes of the source that the purged build lacks. Only scopes of what went are grown anew. */
function removedCount(
  { facts, connection: source }: OpenBuild,
  purged: Connection,
  scopes: readonly ScopeLabels[],
): number {
  const { chunks } = purged.get<{ chunks: number }>("SELECT chunk_count AS chunks FROM build")!;
  let nodes = 0;
  for (const { namespace, sensitivity, status } of scopes) {
    const rows = source.iterate<{ node_id: string }>(
      NODES_OF_SCOPE,
      namespace,
      sensitivity,
      status,
    );
    for (const { node_id } of rows) {
      if (purged.get("SELECT 1 FROM nodes WHERE node_id = ?", node_id) === undefined) nodes++;
    }
  }
  return facts.chunkCount - chunks + nodes;
}

const NODES_OF_SCOPE =
  "SELECT node_id FROM nodes WHERE namespace = ? AND sensitivity = ? AND status = ?";

/** The new build's id; `null` when another build was published since the source was read. */
async function publishPurge(
  project: Project,
  { dataDirectory, ulids, lockWaitMs }: PurgeOptions,
  source: OpenBuild,
  build: Pick<FinishedBuild, "buildingPath" | "facts">,
  holdsWithdrawn: WithdrawnJudge | null,
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
