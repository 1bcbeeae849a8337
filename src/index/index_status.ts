/**
 * `index status`: what is published and whether it is current (index-build.md 2.3). Reads only, and
 * answers whatever it finds.
 *
 * @module
 */

import { isFault, type TheurianError } from "../platform/errors.ts";
import { isBuiltHere, type Project } from "../projects/mod.ts";
import {
  inspectMigrationSet,
  openSourceCache,
  readActivePointer,
  readServingProfile,
  type Sensitivity,
} from "../knowledge/mod.ts";
import { type Connection, openForReading } from "../platform/sqlite/mod.ts";
import { type BuildFacts, readBuildFacts, readSchemaVersion } from "./build_facts.ts";
import { indexFilePath, requireContainedFiles } from "./index_files.ts";
import { type IndexPointer, readIndexPointer } from "./index_pointer.ts";
import { INDEX_SCHEMA_VERSION } from "./schema.ts";

/** The document of `index status`; the keys behind `remedy` only where there is something to say. */
export interface IndexStatus {
  readonly built: boolean;
  readonly indexPointerCorrupt: boolean;
  readonly indexBuildId: string | null;
  readonly indexStateHash: string | null;
  readonly indexProjectId: string | null;
  readonly indexSchemaVersion: number | null;
  readonly expectedIndexSchemaVersion: number;
  readonly orphaned: boolean;
  readonly purgeFailed: boolean;
  readonly servedSensitivities: readonly Sensitivity[] | null;
  readonly indexedSensitivities: readonly Sensitivity[] | null;
  readonly profileMismatch: boolean;
  readonly profileUnrecorded: boolean;
  readonly profileUnreadable: string;
  readonly builtStateHash: string | null;
  readonly currentStateHash: string | null;
  readonly projectId: string;
  readonly stale: boolean;
  readonly knowledgeNotApplied: boolean;
  readonly remedy: string;
  /** Whether this installation built it; absent without a pointer. */
  readonly provenanced?: boolean;
  readonly indexesUnapproved?: boolean;
  readonly raptor?: boolean;
  readonly chunks?: number;
  readonly nodes?: number;
  readonly builtAt?: string;
  readonly embeddingModel?: string;
}

/** Throws only `path-escape` (exit 4) and `state-pointer-corrupt` (exit 1). */
export function indexStatus(project: Project, dataDirectory: string): IndexStatus {
  requireContainedFiles(project.paths);
  const builtStateHash = readActivePointer(project.paths)?.stateHash ?? null;
  const { stateHash: currentStateHash, faults } = inspectMigrationSet(project.paths, {
    cache: openSourceCache(project.paths, dataDirectory),
  });
  const profile = readProfile(dataDirectory);
  const reading = readIndexPointer(project.paths);
  const pointer = reading.kind === "pointer" ? reading.pointer : null;
  const file = pointer === null ? null : readFile(project, dataDirectory, pointer);
  const known = {
    orphaned: pointer !== null && pointer.projectId !== project.projectId,
    purgeFailed: pointer?.purgeFailed ?? false,
    profileMismatch: pointer?.indexedSensitivities !== undefined &&
      pointer.indexedSensitivities !== null && profile.served !== null &&
      pointer.indexedSensitivities.join() !== profile.served.join(),
    profileUnrecorded: pointer !== null && pointer.indexedSensitivities === null,
  };
  const indexPointerCorrupt = reading.kind === "corrupt";
  const stale = pointer === null || currentStateHash === null ||
    pointer.stateHash !== currentStateHash || file!.schemaVersion !== INDEX_SCHEMA_VERSION ||
    !file!.provenanced || profile.error !== null || Object.values(known).includes(true);
  const knowledgeNotApplied = builtStateHash !== currentStateHash;
  const remedy = remedyOf({
    ...known,
    profileError: profile.error,
    indexPointerCorrupt,
    brokenFile: faults[0]?.path ?? null,
    knowledgeNotApplied,
    stale,
  });
  return {
    built: pointer !== null,
    indexPointerCorrupt,
    indexBuildId: pointer?.indexBuildId ?? null,
    indexStateHash: pointer?.stateHash ?? null,
    indexProjectId: pointer?.projectId ?? null,
    indexSchemaVersion: file?.schemaVersion ?? null,
    expectedIndexSchemaVersion: INDEX_SCHEMA_VERSION,
    ...known,
    servedSensitivities: profile.served,
    indexedSensitivities: pointer?.indexedSensitivities ?? null,
    profileUnreadable: profile.error?.message ?? "",
    builtStateHash,
    currentStateHash,
    projectId: project.projectId,
    stale,
    knowledgeNotApplied,
    remedy,
    ...(file === null ? {} : { provenanced: file.provenanced }),
    ...(file?.facts === undefined || file.facts === null ? {} : detailsOf(file.facts)),
  };
}

function readProfile(dataDirectory: string): {
  readonly served: readonly Sensitivity[] | null;
  readonly error: TheurianError | null;
} {
  try {
    return { served: readServingProfile(dataDirectory).sensitivities, error: null };
  } catch (error) {
    if (isFault(error)) return { served: null, error };
    throw error;
  }
}

interface FileReading {
  readonly provenanced: boolean;
  /** 0 for a file that is missing, not ours or cannot be read. */
  readonly schemaVersion: number;
  readonly facts: BuildFacts | null;
}

function readFile(project: Project, dataDirectory: string, pointer: IndexPointer): FileReading {
  const { indexBuildId } = pointer;
  const provenanced = isBuiltHere(dataDirectory, project.root, "index", indexBuildId);
  const path = indexFilePath(project.paths, indexBuildId);
  const unread = { provenanced, schemaVersion: 0, facts: null };
  if (path === null || !provenanced) return unread;
  let connection: Connection | null = null;
  try {
    connection = openForReading(path);
    const schemaVersion = readSchemaVersion(connection);
    return { provenanced, schemaVersion, facts: readBuildFacts(connection) };
  } catch (error) {
    if (isFault(error)) return unread;
    throw error;
  } finally {
    connection?.close();
  }
}

function detailsOf(facts: BuildFacts) {
  return {
    indexesUnapproved: facts.indexesUnapproved,
    raptor: facts.raptor,
    chunks: facts.chunkCount,
    nodes: facts.nodeCount,
    builtAt: facts.builtAt,
    embeddingModel: facts.embeddingModel,
  };
}

interface Troubles {
  readonly profileError: TheurianError | null;
  readonly indexPointerCorrupt: boolean;
  readonly orphaned: boolean;
  readonly brokenFile: string | null;
  readonly knowledgeNotApplied: boolean;
  readonly purgeFailed: boolean;
  readonly stale: boolean;
}

/** The first step to take; later ones would fail before it. */
function remedyOf(troubles: Troubles): string {
  if (troubles.profileError !== null) return troubles.profileError.remedy;
  if (troubles.indexPointerCorrupt) {
    return "Delete .theurian/state/active-index.json, then run: theurian index build";
  }
  if (troubles.orphaned) {
    return "The index was built under another project id. Register the repository under one id, " +
      "then run: theurian index build";
  }
  if (troubles.brokenFile !== null) {
    return `Mend ${troubles.brokenFile} (see: theurian migrate validate), then run: theurian ` +
      "migrate apply, then: theurian index build";
  }
  if (troubles.knowledgeNotApplied) {
    return "Run: theurian migrate apply, then: theurian index build";
  }
  if (troubles.purgeFailed) {
    return "Withdrawn content could not be removed from the index. Run: theurian index build";
  }
  return troubles.stale ? "Run: theurian index build" : "";
}
