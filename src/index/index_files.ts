/**
 * Names and places of the index's files, all in `.theurian/state/` (index-build.md 1.1).
 *
 * @module
 */

import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { containedPath } from "../platform/files/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";

const PREFIX = "theurian-index-";
const SUFFIX = ".sqlite";

/** What a build in progress has behind its name. */
export const BUILDING_SUFFIX = ".building";

/** File name of a build. */
export function indexFileName(buildId: string): string {
  return `${PREFIX}${buildId}${SUFFIX}`;
}

/** Build id in a finished build's file name; `null` for any other name. */
export function buildIdOf(fileName: string): string | null {
  if (!fileName.startsWith(PREFIX) || !fileName.endsWith(SUFFIX)) return null;
  const id = fileName.slice(PREFIX.length, -SUFFIX.length);
  return id === "" ? null : id;
}

/** Bytes of the longest name that file systems take, less what a build in progress adds. */
const LONGEST_NAME = 255 - BUILDING_SUFFIX.length;

/**
 * Absolute path of a build's file; `null` for an id that would lead elsewhere, is over-long or holds
 * a control character (index-build.md section 9).
 */
export function indexFilePath(paths: ProjectPaths, buildId: string): string | null {
  const name = indexFileName(buildId);
  // deno-lint-ignore no-control-regex
  const isPlain = !/[\u0000-\u001f\u007f/\\]/.test(buildId) && buildId.isWellFormed();
  const fits = new TextEncoder().encode(name).length <= LONGEST_NAME;
  return isPlain && fits ? join(paths.state, name) : null;
}

/** Path of the pointer, `active-index.json`. */
export function indexPointerPath(paths: ProjectPaths): string {
  return join(paths.state, "active-index.json");
}

/** Path of the scan record, `index-secret-scan.json`. */
export function scanRecordPath(paths: ProjectPaths): string {
  return join(paths.state, "index-secret-scan.json");
}

/**
 * Proves that the configuration, the state directory and the index's own files stay inside the
 * working tree, through every link. Throws `path-escape` (exit 4).
 */
export function requireContainedFiles(paths: ProjectPaths): void {
  const names = [paths.config, paths.state, indexPointerPath(paths), scanRecordPath(paths)];
  for (const path of names) {
    const label = path.slice(paths.root.length + 1);
    try {
      containedPath(paths.root, path, { label });
    } catch (error) {
      if (!(error instanceof TheurianError)) throw error;
      throw new TheurianError(error.fault, error.message, {
        remedy: `See where it leads with: ls -l ${label}; then put a regular file in its place`,
        exit: 4,
        cause: error,
      });
    }
  }
}
