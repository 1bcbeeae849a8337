/**
 * `migrate apply`: from the files of a project to the state it serves
 * (corpus-and-migrations.md 15.3).
 *
 * @module
 */

import type { Clock } from "../platform/clock.ts";
import { utcText } from "../platform/clock.ts";
import { isFault } from "../platform/errors.ts";
import { describePath, ensureDirectory } from "../platform/files/mod.ts";
import { removeDatabase } from "../platform/sqlite/mod.ts";
import { forgetAllBuiltHere, type Project, withWriteLock } from "../projects/mod.ts";
import { guarded } from "./_state_refusals.ts";
import { damaged } from "./_stored_facts.ts";
import { type ActivePointer, publishActivePointer, readActivePointer } from "./active_pointer.ts";
import { type CarriedBase, findCarriedBase, readHistory } from "./carry_over.ts";
import { CarriedRows } from "./_carried_rows.ts";
import { checkCommitted } from "./committed_check.ts";
import { checkGuards } from "./guards.ts";
import { loadMigrationSet } from "./load_migrations.ts";
import { inApplicationOrder, type LoadedMigration, type MigrationSet } from "./migration_set.ts";
import { openStateAt } from "./open_state.ts";
import type { PermissiveMove } from "./permissive_moves.ts";
import { type Replay, replay } from "./replay.ts";
import { openSourceCache } from "./source_cache.ts";
import { openTrustedState, recordState, stateFilename, statePath } from "./state_files.ts";
import { isMigrationRecorded, PRUNED_PER_PUBLISH, pruneStates } from "./state_inventory.ts";
import { changedMigrations, checksumMismatch, historyOf, verifyHistory } from "./verify_history.ts";
import { type IndexPurge, type Purge, touchedItems, withdrawsAnywhere } from "./withdrawal.ts";
import { writeStateFile } from "./write_state.ts";

/** What an apply needs besides the project. */
export interface ApplyOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** A fresh secret for the file that is built. */
  readonly seal: () => string;
  readonly allowUncommitted: boolean;
  /** Runs after the lock is released. */
  readonly purge: Purge;
  /** Longest wait for the write lock, in milliseconds. */
  readonly lockWaitMs?: number;
  /** Told before each longer step. */
  readonly step?: (what: string) => void;
}

/** The document of `migrate apply`. */
export interface ApplyReport {
  readonly stateHash: string;
  readonly databaseCreated: boolean;
  /** Applied by this run, in application order. */
  readonly applied: readonly string[];
  /** Carried over from a state that was built before, in application order. */
  readonly skipped: readonly string[];
  readonly operationsApplied: number;
  readonly changed: boolean;
  readonly indexPurge: IndexPurge;
  readonly permissiveMoves: readonly PermissiveMove[];
}

/**
 * Builds or finds the state of the project's migrations and publishes it. A failure at any point
 * leaves the state that was served. Throws the faults of loading, `checksum-mismatch`,
 * `migration-refused`, `migration-uncommitted`, `revision-conflict`, `state-unreadable`, `lock-*`,
 * `file-*`.
 */
export async function applyMigrations(
  project: Project,
  options: ApplyOptions,
): Promise<ApplyReport> {
  const { dataDirectory, step = () => {} } = options;
  step("Reading migrations");
  const cache = openSourceCache(project.paths, dataDirectory, options.clock.now());
  const set = loadMigrationSet(project.paths, { toApply: true, cache });
  verifyHistory(project, dataDirectory, set);
  checkGuards(set, (id) => isMigrationRecorded(project, dataDirectory, id));
  if (!options.allowUncommitted) {
    step("Comparing migrations with HEAD");
    await checkCommitted(project.root, set);
  }
  step("Waiting for the write lock");
  const lock = options.lockWaitMs === undefined ? {} : { waitMs: options.lockWaitMs };
  const outcome = await withWriteLock(project.paths, async () => {
    step("Building the state");
    const published = await publishState(project, set, options);
    await cache.save(project.paths, dataDirectory, options.seal);
    return published;
  }, lock);
  step("Purging withdrawn content");
  return report(project, set, options, outcome);
}

interface Outcome {
  readonly created: boolean;
  readonly applied: readonly LoadedMigration[];
  readonly replayed: Pick<Replay, "operationsApplied" | "permissiveMoves">;
  /** Migrations that the state served before did not hold. */
  readonly news: readonly LoadedMigration[];
  readonly pointer: ActivePointer;
}

const NOTHING_REPLAYED = { operationsApplied: 0, permissiveMoves: [] };

/** Everything that happens under one hold of the lock. */
async function publishState(
  project: Project,
  set: MigrationSet,
  options: ApplyOptions,
): Promise<Outcome> {
  const { dataDirectory, clock } = options;
  ensureDirectory(project.paths.state, { label: ".theurian/state" });
  const previous = readActivePointer(project.paths);
  const news = notHeldBy(project, dataDirectory, previous, set);
  const built = isBuilt(project, dataDirectory, set)
    ? null
    : await buildState(project, set, options);
  const pointer: ActivePointer = {
    stateHash: set.stateHash,
    databaseFilename: stateFilename(set.stateHash),
    migrationCount: set.migrations.length,
    updatedAt: utcText(clock.now()),
  };
  if (!pointsAlready(previous, pointer)) {
    await orRemove(project, set, options, built, () => {
      publishActivePointer(project.paths, pointer);
    });
    await pruneQuietly(project, dataDirectory);
  }
  return {
    created: built !== null,
    applied: built?.applied ?? [],
    replayed: built?.replayed ?? NOTHING_REPLAYED,
    news,
    pointer,
  };
}

/** True when a trusted state holds exactly this history. Anything less is built again. */
function isBuilt(project: Project, dataDirectory: string, set: MigrationSet): boolean {
  const state = openTrustedState(project, dataDirectory, set.stateHash);
  if (state === null) return false;
  using _connection = state.connection;
  const history = guarded(() => readHistory(state));
  const [changed] = changedMigrations(set, history);
  if (changed !== undefined) throw checksumMismatch(changed);
  return state.meta.projectId === project.projectId &&
    history.length === set.applicationOrder.length &&
    history.every(({ migrationId }, i) => migrationId === set.applicationOrder[i]);
}

interface Built {
  readonly applied: readonly LoadedMigration[];
  readonly replayed: Replay;
  readonly seal: string;
}

/** Replays what no finished state holds and writes the file; the engine runs before any file is made. */
async function buildState(
  project: Project,
  set: MigrationSet,
  options: ApplyOptions,
): Promise<Built> {
  const { dataDirectory, clock } = options;
  const path = statePath(project.paths, stateFilename(set.stateHash));
  const standing = describePath(path);
  if (standing !== null && standing.kind !== "file") throw damaged("it is not a regular file");
  const base = findCarriedBase(project, dataDirectory, set);
  try {
    const applied = base?.rest ?? inApplicationOrder(set);
    const replayed = replay(applied, base === null ? null : new CarriedRows(base.connection));
    const seal = options.seal();
    const now = utcText(clock.now());
    writeStateFile(path, {
      stateHash: set.stateHash,
      projectId: project.projectId,
      seal,
      createdAt: now,
      written: replayed.state,
      bodies: set.bodies,
      history: historyRows(set, base, now),
    }, base?.path ?? null);
    const built = { applied, replayed, seal };
    await orRemove(
      project,
      set,
      options,
      built,
      () => recordState(dataDirectory, project.root, set.stateHash, seal),
    );
    return built;
  } finally {
    base?.connection.close();
  }
}

function historyRows(set: MigrationSet, base: CarriedBase | null, now: string) {
  const fresh = base === null ? null : new Set(base.rest.map(({ migration }) => migration.id));
  return inApplicationOrder(set).map(({ migration, checksum }) => ({
    migrationId: migration.id,
    checksum,
    appliedAt: fresh === null || fresh.has(migration.id) ? now : null,
  }));
}

/** A file that could not be vouched for or published is removed again. */
async function orRemove(
  project: Project,
  set: MigrationSet,
  { dataDirectory }: ApplyOptions,
  built: Built | null,
  work: () => void | Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (built !== null && !isPublished(project, set)) {
      removeDatabase(statePath(project.paths, stateFilename(set.stateHash)));
      await forgetAllBuiltHere(dataDirectory, project.root, [
        ["state", set.stateHash],
        ["seal", built.seal],
      ]);
    }
    throw error;
  }
}

/** The rename may have happened although what came after it failed. */
function isPublished(project: Project, set: MigrationSet): boolean {
  return readActivePointer(project.paths)?.stateHash === set.stateHash;
}

/** The state is published; what could not be pruned now is pruned after the next publish. */
async function pruneQuietly(project: Project, dataDirectory: string): Promise<void> {
  try {
    await pruneStates(project, dataDirectory, PRUNED_PER_PUBLISH);
  } catch (error) {
    if (!isFault(error)) throw error;
  }
}

function pointsAlready(previous: ActivePointer | null, pointer: ActivePointer): boolean {
  return previous !== null && previous.stateHash === pointer.stateHash &&
    previous.databaseFilename === pointer.databaseFilename &&
    previous.migrationCount === pointer.migrationCount;
}

/** An index built on the state served before may hold what these migrations withdraw. */
function notHeldBy(
  project: Project,
  dataDirectory: string,
  previous: ActivePointer | null,
  set: MigrationSet,
): readonly LoadedMigration[] {
  if (previous?.stateHash === set.stateHash) return [];
  const history = previous === null ? [] : historyOf(project, dataDirectory, previous);
  const held = new Set(history.map(({ migrationId }) => migrationId));
  return set.migrations.filter(({ migration }) => !held.has(migration.id));
}

async function report(
  project: Project,
  set: MigrationSet,
  options: ApplyOptions,
  { created, applied, replayed, news, pointer }: Outcome,
): Promise<ApplyReport> {
  const ids = new Set(applied.map(({ migration }) => migration.id));
  const itemIds = touchedItems([...applied, ...news]);
  // Told as a full replay tells it, whatever was carried over.
  const mayWithdraw = applied.length + itemIds.length > 0 && withdrawsAnywhere(set);
  return {
    stateHash: set.stateHash,
    databaseCreated: created,
    applied: applied.map(({ migration }) => migration.id),
    skipped: set.applicationOrder.filter((id) => !ids.has(id)),
    operationsApplied: replayed.operationsApplied,
    changed: applied.length > 0,
    // An earlier apply may have been stopped here, so the index is looked at every time.
    indexPurge: await options.purge({
      mayWithdraw,
      itemIds: mayWithdraw ? itemIds : [],
      set,
      openState: () => openStateAt(project, options.dataDirectory, pointer),
    }),
    permissiveMoves: replayed.permissiveMoves,
  };
}
