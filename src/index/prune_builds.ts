/**
 * Which finished builds stay on disk (index-build.md 2.4, decision 12).
 *
 * @module
 */

import { describePath } from "../platform/files/mod.ts";
import { isFault } from "../platform/errors.ts";
import { removeDatabase } from "../platform/sqlite/mod.ts";
import { forgetBuiltHere, type Project } from "../projects/mod.ts";
import { buildIdsOnDisk, type OpenBuild, openBuild, trustedBuildIds } from "./_built_files.ts";
import { indexFileName, indexFilePath } from "./index_files.ts";

/** Builds that are kept, the published one included. */
export const BUILDS_KEPT = 3;

/** Builds that one publish removes at most; `index gc` removes the rest. */
export const PRUNED_PER_PUBLISH = 8;

/** A file that may go. */
export interface DoomedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** A build that may go, with its side files. */
export interface DoomedBuild {
  readonly buildId: string;
  readonly files: readonly DoomedFile[];
}

/** Tells whether an old build still holds text that was withdrawn since. */
export type WithdrawnJudge = (build: OpenBuild) => boolean;

/**
 * Builds older than the published one that are not kept, oldest first. Kept are the two newest that
 * were made here, can be read and hold nothing withdrawn; without a judge none of them can be known to
 * be clean. A build with a later id is about to be published and stays.
 */
export function doomedBuilds(
  project: Project,
  dataDirectory: string,
  publishedId: string,
  holdsWithdrawn: WithdrawnJudge | null,
): DoomedBuild[] {
  const trusted = new Set(trustedBuildIds(project, dataDirectory));
  const doomed: DoomedBuild[] = [];
  let places = BUILDS_KEPT - 1;
  for (const buildId of buildIdsOnDisk(project)) {
    if (buildId >= publishedId) continue;
    if (places > 0 && trusted.has(buildId) && isClean(project, buildId, holdsWithdrawn)) places--;
    else doomed.push({ buildId, files: filesOf(project, buildId) });
  }
  return doomed.reverse();
}

/** Builds older than the published one that were made here and hold something withdrawn. */
export function withdrawnBuilds(
  project: Project,
  dataDirectory: string,
  publishedId: string,
  holdsWithdrawn: WithdrawnJudge,
): DoomedBuild[] {
  return trustedBuildIds(project, dataDirectory)
    .filter((id) => id < publishedId && judged(project, id, holdsWithdrawn) === true)
    .map((buildId) => ({ buildId, files: filesOf(project, buildId) }));
}

function isClean(
  project: Project,
  buildId: string,
  holdsWithdrawn: WithdrawnJudge | null,
): boolean {
  return holdsWithdrawn !== null && judged(project, buildId, holdsWithdrawn) === false;
}

/** What the judge says of a build; `null` when it cannot be read. */
function judged(
  project: Project,
  buildId: string,
  holdsWithdrawn: WithdrawnJudge,
): boolean | null {
  const build = openBuild(project, buildId);
  if (build === null) return null;
  try {
    return holdsWithdrawn(build);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  } finally {
    build.connection.close();
  }
}

function filesOf(project: Project, buildId: string): DoomedFile[] {
  const name = indexFileName(buildId);
  return ["", "-wal", "-shm"].flatMap((suffix) => {
    const facts = describePath(`${project.paths.state}/${name}${suffix}`);
    return facts?.kind === "file" ? [{ name: name + suffix, size: facts.size }] : [];
  });
}

/** Removes builds, oldest first, and forgets them. The caller holds the write lock. */
export async function removeBuilds(
  project: Project,
  dataDirectory: string,
  doomed: readonly DoomedBuild[],
): Promise<void> {
  const gone: string[] = [];
  try {
    for (const { buildId } of doomed) {
      const path = indexFilePath(project.paths, buildId);
      if (path === null) continue;
      removeDatabase(path);
      gone.push(buildId);
    }
  } finally {
    await forgetBuiltHere(dataDirectory, project.root, "index", gone);
  }
}
