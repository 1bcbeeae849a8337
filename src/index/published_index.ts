/**
 * Opening the published index for an answer (index-build.md 9.1, retrieval.md 6.1).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { borrowForReading, type Connection, ContentMemo } from "../platform/sqlite/mod.ts";
import { isBuiltHere, type Project } from "../projects/mod.ts";
import type { Sensitivity } from "../knowledge/model.ts";
import { type BuildFacts, readBuildFacts } from "./build_facts.ts";
import { indexFilePath } from "./index_files.ts";
import { type IndexPointer, type PointerReading, readIndexPointer } from "./index_pointer.ts";

/** Why an answer cannot come from the index. `index-unreadable` is the reader's own to say. */
export type FallbackReason =
  | "no-index"
  | "index-pointer-invalid"
  | "index-purge-failed"
  | "index-file-missing"
  | "index-unbuilt"
  | "index-schema-mismatch"
  | "index-project-mismatch"
  | "serving-profile-mismatch"
  | "unapproved-not-indexed"
  | "index-unreadable";

/** The published build, open; the holder closes the connection. */
export interface PublishedIndex {
  readonly connection: Connection;
  readonly pointer: IndexPointer;
  readonly metadata: BuildFacts;
}

/** No index to read. */
export interface IndexFallback {
  readonly fallbackReason: FallbackReason;
  /** True when the pointer leaves out the project or the levels that it would have to name. */
  readonly unrecorded: boolean;
}

/**
 * Opens the published index if this installation built it for this project and for exactly the levels
 * served now. The checks run in the order of the contract and the first failure decides; no byte of
 * the file is read before its provenance is known. Staleness is no failure. Never throws for what is
 * on disk.
 */
export function openPublishedIndex(
  project: Project,
  dataDirectory: string,
  sensitivities: readonly Sensitivity[],
  includeUnapproved: boolean,
): PublishedIndex | IndexFallback {
  const reading = readPointer(project);
  if (reading.kind === "absent") return fallback("no-index");
  if (reading.kind === "corrupt") return fallback("index-pointer-invalid");
  const { pointer } = reading;
  if (pointer.purgeFailed) return fallback("index-purge-failed");
  const path = indexFilePath(project.paths, pointer.indexBuildId);
  if (path === null) return fallback("index-pointer-invalid");
  const isOurs = isBuiltHere(dataDirectory, project.root, "index", pointer.indexBuildId);
  const opened = isOurs ? open(path, pointer.indexBuildId) : null;
  if (opened === null) {
    if (kindAt(path) !== "file") return fallback("index-file-missing");
    return fallback(isOurs ? "index-schema-mismatch" : "index-unbuilt");
  }
  const refusal = refusalOf(project, pointer, opened.metadata, sensitivities, includeUnapproved);
  if (refusal === null) return { ...opened, pointer };
  opened.connection.close();
  return refusal;
}

function readPointer(project: Project): PointerReading {
  try {
    return readIndexPointer(project.paths);
  } catch (error) {
    if (isFault(error)) return { kind: "corrupt", why: "it leads out of the project" };
    throw error;
  }
}

function kindAt(path: string): string | null {
  try {
    return describePath(path)?.kind ?? null;
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** What a published file says of itself never changes. */
const knownFacts = new ContentMemo<BuildFacts | null>(1);

function open(path: string, buildId: string): Omit<PublishedIndex, "pointer"> | null {
  let connection: Connection | null = null;
  try {
    const opened = connection = borrowForReading(path);
    const metadata = knownFacts.get(opened, "", () => readBuildFacts(opened));
    if (metadata !== null && metadata.buildId === buildId) return { connection: opened, metadata };
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  connection?.close();
  return null;
}

function refusalOf(
  project: Project,
  pointer: IndexPointer,
  metadata: BuildFacts,
  sensitivities: readonly Sensitivity[],
  includeUnapproved: boolean,
): IndexFallback | null {
  if (pointer.projectId !== project.projectId || metadata.projectId !== project.projectId) {
    return fallback("index-project-mismatch", pointer.projectId === null);
  }
  const served = sensitivities.join();
  if (pointer.indexedSensitivities?.join() !== served || metadata.sensitivities.join() !== served) {
    return fallback("serving-profile-mismatch", pointer.indexedSensitivities === null);
  }
  if (includeUnapproved && !pointer.indexesUnapproved) return fallback("unapproved-not-indexed");
  return null;
}

function fallback(fallbackReason: FallbackReason, unrecorded = false): IndexFallback {
  return { fallbackReason, unrecorded };
}
