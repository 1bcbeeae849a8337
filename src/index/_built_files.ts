/**
 * Builds on disk that this installation recorded, opened one at a time.
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { describePath, listDirectory } from "../platform/files/mod.ts";
import { type Connection, openForReading } from "../platform/sqlite/mod.ts";
import { builtHere, type Project } from "../projects/mod.ts";
import { type BuildFacts, readBuildFacts } from "./build_facts.ts";
import { buildIdOf, indexFilePath } from "./index_files.ts";

/** A build that was opened and read as ours. */
export interface OpenBuild {
  readonly path: string;
  readonly facts: BuildFacts;
  /** The holder closes it. */
  readonly connection: Connection;
}

/** Ids of finished builds in the state directory, newest first, whoever made them. */
export function buildIdsOnDisk(project: Project): string[] {
  return listDirectory(project.paths.state)
    .flatMap(({ name, kind }) => kind === "file" ? buildIdOf(name) ?? [] : [])
    .sort()
    .reverse();
}

/** Ids of finished builds that this installation recorded, newest first. */
export function trustedBuildIds(project: Project, dataDirectory: string): string[] {
  const trusted = new Set(builtHere(dataDirectory, project.root, "index"));
  return buildIdsOnDisk(project).filter((id) => trusted.has(id));
}

/**
 * Opens a build whose provenance the caller has checked; `null` when it is gone, damaged, of another
 * version, or says another id of itself than its name.
 */
export function openBuild(project: Project, buildId: string): OpenBuild | null {
  const path = indexFilePath(project.paths, buildId);
  if (path === null || describePath(path) === null || hasSidecar(path)) return null;
  let connection: Connection | null = null;
  try {
    connection = openForReading(path);
    const facts = readBuildFacts(connection);
    if (facts !== null && facts.buildId === buildId) return { path, facts, connection };
  } catch (error) {
    if (!isFault(error)) throw error;
  }
  connection?.close();
  return null;
}

/** Ours never have side files; one could change what SQLite reads. */
function hasSidecar(path: string): boolean {
  return ["-wal", "-journal"].some((suffix) => describePath(path + suffix) !== null);
}
