/**
 * Writes a replay into a new state file (corpus-and-migrations.md 14.3). The file is built beside
 * its place and renamed, so that a reader sees a whole state or none.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { dirname } from "node:path";
import {
  copyFile,
  removeFile,
  renamePath,
  syncDirectory,
  syncFile,
} from "../platform/files/mod.ts";
import { type Connection, openForWriting, removeDatabase } from "../platform/sqlite/mod.ts";
import {
  evidenceFacts,
  itemColumns,
  relationFacts,
  revisionFacts,
  sourceKey,
  specificationFacts,
} from "./_state_rows.ts";
import { STATE_DDL, STATE_STAMP } from "./_state_schema.ts";
import type { BodySource } from "./migration_set.ts";
import { SURFACEABLE_STATUSES } from "./model.ts";
import { ENGINE_VERSION, STATE_SCHEMA_VERSION } from "./state_hash.ts";
import type { RevisionFacts, WorkingState } from "./working_state.ts";

/** Everything a state file is made of. */
export interface StateContent {
  readonly stateHash: string;
  readonly projectId: string;
  readonly seal: string;
  /** Our own time, UTC with microseconds. */
  readonly createdAt: string;
  /** What the replay wrote. */
  readonly written: WorkingState;
  /** Bytes of every body that an appended revision names; each is asked for when it is written. */
  readonly bodies: BodySource;
  /** The whole history in application order; `appliedAt` is `null` for what was carried over. */
  readonly history: readonly HistoryRow[];
}

export interface HistoryRow {
  readonly migrationId: string;
  readonly checksum: string;
  readonly appliedAt: string | null;
}

/**
 * Builds the file at `path`, over a copy of `carried` when one is given, and replaces what stood
 * there. A failure leaves what stood there and no leftovers. Throws `file-*` and `database-*`, and what
 * asking for a body throws.
 */
export function writeStateFile(path: string, content: StateContent, carried: string | null): void {
  const temporary = `${path}.building`;
  removeDatabase(temporary); // Of a run that was killed; the name is reserved and we hold the lock.
  try {
    if (carried !== null) copyFile(carried, temporary, { mode: 0o644, flush: false });
    // Nothing in a file that is thrown away on failure needs a journal; it is flushed once, whole.
    const options = { create: carried === null, journal: "off" } as const;
    const connection = openForWriting(temporary, options);
    try {
      connection.transaction(() => writeRows(connection, content, carried !== null));
    } finally {
      connection.close();
    }
    syncFile(temporary);
    publish(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

/** Side files that an older file left could be replayed into the new one, so they go first. */
function publish(temporary: string, path: string): void {
  for (const suffix of ["-wal", "-shm", "-journal"]) removeFile(path + suffix);
  renamePath(temporary, path);
  syncDirectory(dirname(path));
}

function removeQuietly(path: string): void {
  try {
    removeDatabase(path);
  } catch {
    // The first failure is the one to report.
  }
}

function writeRows(connection: Connection, content: StateContent, overCopy: boolean): void {
  if (!overCopy) connection.exec(STATE_DDL);
  const { written } = content;
  for (const traced of written.items.values()) {
    connection.run(
      "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)",
      ...itemColumns(traced),
    );
  }
  writeRevisions(connection, content);
  writeRelations(connection, written);
  writeNames(connection, written);
  writeHistory(connection, content.history);
  writeMeta(connection, content);
}

function writeRevisions(connection: Connection, { written, bodies }: StateContent): void {
  const positions = new Map<string, number>();
  for (const revision of written.revisions.values()) {
    const bytes = bodies.get(revision.contentSha256)!;
    const position = positions.get(revision.itemId) ??
      written.revisionIdsOf(revision.itemId).indexOf(revision.revisionId);
    positions.set(revision.itemId, position + 1);
    connection.run("INSERT OR IGNORE INTO bodies VALUES (?, ?)", revision.contentSha256, bytes);
    connection.run(
      "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?)",
      revision.revisionId,
      revision.itemId,
      position,
      revision.contentSha256,
      servedHash(revision, bytes),
      bytes.length,
      revisionFacts(revision),
    );
  }
}

/** Hash of the served text without building it: title, blank line, body. */
function servedHash({ title }: RevisionFacts, bytes: Uint8Array): string {
  return createHash("sha256").update(`${title}\n\n`).update(bytes).digest("hex");
}

function writeRelations(connection: Connection, written: WorkingState): void {
  for (const [key, relation] of written.relations) {
    const { sourceItemId, relationType, targetItemId } = relation ?? written.removedEdges.get(key)!;
    connection.run(
      "DELETE FROM relations WHERE source_item_id = ? AND relation_type = ? AND target_item_id = ?",
      sourceItemId,
      relationType,
      targetItemId,
    );
    if (relation === null) continue;
    connection.run(
      "INSERT INTO relations VALUES (?, ?, ?, ?)",
      sourceItemId,
      relationType,
      targetItemId,
      relationFacts(relation),
    );
  }
}

function writeNames(connection: Connection, written: WorkingState): void {
  for (const [alias, row] of written.aliases) {
    if (row === null) connection.run("DELETE FROM aliases WHERE alias = ?", alias);
    else {
      const { itemId, createdAt } = row;
      connection.run("INSERT OR REPLACE INTO aliases VALUES (?, ?, ?)", alias, itemId, createdAt);
    }
  }
  for (const [key, evidence] of written.evidence) {
    if (evidence === null) {
      const { itemId, sourceUri } = written.removedEvidence.get(key)!;
      const sql = "DELETE FROM evidence WHERE item_id = ? AND source = ?";
      connection.run(sql, itemId, sourceKey(sourceUri));
    } else {
      connection.run(
        "INSERT OR REPLACE INTO evidence VALUES (?, ?, ?)",
        evidence.itemId,
        sourceKey(evidence.anchor.sourceUri),
        evidenceFacts(evidence),
      );
    }
  }
  for (const specification of written.specifications.values()) {
    connection.run(
      "INSERT OR REPLACE INTO specifications VALUES (?, ?)",
      specification.specId,
      specificationFacts(specification),
    );
  }
}

/** Carried rows keep their time; they are written again only when some take another place. */
function writeHistory(connection: Connection, history: readonly HistoryRow[]): void {
  const carried = connection.all<{ migration_id: string; applied_at: string }>(
    "SELECT migration_id, applied_at FROM history ORDER BY sequence",
  );
  const inPlace = carried.every((row, i) => row.migration_id === history[i]?.migrationId);
  const times = new Map(carried.map((row) => [row.migration_id, row.applied_at]));
  if (!inPlace) connection.run("DELETE FROM history");
  for (let i = inPlace ? carried.length : 0; i < history.length; i++) {
    const { migrationId, checksum, appliedAt } = history[i]!;
    connection.run(
      "INSERT INTO history VALUES (?, ?, ?, ?)",
      i + 1,
      migrationId,
      checksum,
      appliedAt ?? times.get(migrationId)!,
    );
  }
}

function writeMeta(connection: Connection, content: StateContent): void {
  const { surfaceable } = connection.get<{ surfaceable: number }>(
    "SELECT count(*) surfaceable FROM items WHERE status IN (?, ?, ?)",
    ...SURFACEABLE_STATUSES,
  )!;
  connection.run(
    "INSERT OR REPLACE INTO meta VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
    STATE_STAMP,
    STATE_SCHEMA_VERSION,
    ENGINE_VERSION,
    content.stateHash,
    content.projectId,
    content.seal,
    content.createdAt,
    surfaceable,
  );
}
