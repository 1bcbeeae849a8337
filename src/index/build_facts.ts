/**
 * What a build's file says about itself, and what makes two builds the same.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { SENSITIVITIES, type Sensitivity } from "../knowledge/model.ts";
import { INDEX_APPLICATION_ID, INDEX_SCHEMA_VERSION, INDEX_STAMP } from "./schema.ts";

/** What a build holds, chosen by flags and by the serving profile. */
export interface BuildFlavour {
  readonly projectId: string;
  readonly indexesUnapproved: boolean;
  /** Levels it may hold, least restricted first. */
  readonly sensitivities: readonly Sensitivity[];
  /** Model id, `""` without vectors. */
  readonly embeddingModel: string;
  /** Whether it has the summary forest. */
  readonly raptor: boolean;
}

/** The migrations that a state held, as a later state recognises them at the start of its own. */
export interface HistoryMark {
  readonly count: number;
  /** Digest of their ids and checksums in order. */
  readonly sha256: string;
}

/** The one row of `build`. */
export interface BuildFacts extends BuildFlavour {
  readonly buildId: string;
  /** The applied state that the rows came from. */
  readonly stateHash: string;
  /** UTC, microseconds. */
  readonly builtAt: string;
  /** Whether `secret_lines` is complete: false under the policy `off`. */
  readonly scanned: boolean;
  readonly history: HistoryMark;
  /** Digests of the ids of items that purges have taken out since; the ids themselves are gone. */
  readonly purged: readonly string[];
  readonly documentCount: number;
  readonly chunkCount: number;
  readonly nodeCount: number;
}

interface BuildRow {
  readonly stamp: string;
  readonly build_id: string;
  readonly state_hash: string;
  readonly project_id: string;
  readonly built_at: string;
  readonly indexes_unapproved: number;
  readonly sensitivities: string;
  readonly embedding_model: string;
  readonly raptor: number;
  readonly scanned: number;
  readonly history_count: number;
  readonly history_sha256: string;
  readonly purged: string;
  readonly document_count: number;
  readonly chunk_count: number;
  readonly node_count: number;
}

const SELECT_BUILD = `SELECT stamp, build_id, state_hash, project_id, built_at, indexes_unapproved,
  sensitivities, embedding_model, raptor, scanned, history_count, history_sha256, purged,
  document_count, chunk_count, node_count FROM build WHERE id = 1`;

/** Version of the layout as the file's header has it; 0 for a file of another implementation. */
export function readSchemaVersion(connection: Connection): number {
  if (pragma(connection, "PRAGMA application_id") !== INDEX_APPLICATION_ID) return 0;
  return pragma(connection, "PRAGMA user_version");
}

function pragma(connection: Connection, sql: string): number {
  const row = connection.get<Record<string, number>>(sql);
  return row === undefined ? 0 : Object.values(row)[0] ?? 0;
}

/**
 * The facts of an open file; `null` when it is not of this implementation and version, or its row is
 * missing or out of form. Throws `database-*` for a damaged file.
 */
export function readBuildFacts(connection: Connection): BuildFacts | null {
  if (readSchemaVersion(connection) !== INDEX_SCHEMA_VERSION) return null;
  const row = connection.get<BuildRow>(SELECT_BUILD);
  if (row === undefined || row.stamp !== INDEX_STAMP) return null;
  const sensitivities = SENSITIVITIES.filter((level) =>
    row.sensitivities.split(",").includes(level)
  );
  if (sensitivities.join(",") !== row.sensitivities) return null;
  return {
    buildId: row.build_id,
    stateHash: row.state_hash,
    projectId: row.project_id,
    builtAt: row.built_at,
    indexesUnapproved: row.indexes_unapproved === 1,
    sensitivities,
    embeddingModel: row.embedding_model,
    raptor: row.raptor === 1,
    scanned: row.scanned === 1,
    history: { count: row.history_count, sha256: row.history_sha256 },
    purged: row.purged === "" ? [] : row.purged.split(","),
    documentCount: row.document_count,
    chunkCount: row.chunk_count,
    nodeCount: row.node_count,
  };
}

/** True when two builds of one state would hold the same rows. */
export function isSameFlavour(a: BuildFlavour, b: BuildFlavour): boolean {
  return a.projectId === b.projectId && a.indexesUnapproved === b.indexesUnapproved &&
    a.sensitivities.join() === b.sensitivities.join() && a.embeddingModel === b.embeddingModel &&
    a.raptor === b.raptor;
}
