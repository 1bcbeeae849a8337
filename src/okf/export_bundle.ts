/**
 * `okf export`: the active state as one directory of Markdown (okf.md section 2).
 *
 * @module
 */

import { CORE_VERSION } from "../compat/mod.ts";
import {
  activeStatePath,
  openStateAt,
  readActivePointer,
  readServingProfile,
  requireActivePointer,
} from "../knowledge/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import type { Project } from "../projects/mod.ts";
import { canonicalTarget, prepareTarget } from "./bundle_target.ts";
import { readPopulation } from "./population.ts";
import { publishBundle } from "./publish_bundle.ts";
import { renderBundle, type RenderedBundle } from "./render_bundle.ts";

/** The five keys of the report, in the order they are shown. */
export interface ExportReport {
  readonly bundlePath: string;
  readonly concepts: number;
  readonly sidecars: number;
  readonly indexes: number;
  readonly bundleDigest: string;
}

/**
 * Exports the built state of a project, not its working tree. Throws `state-unbuilt`,
 * `state-untrusted`, `serving-profile-invalid`, `bundle-target` (exit 1) and `state-unreadable`
 * (exit 4); nothing is left at the target then.
 */
export function exportBundle(
  project: Project,
  dataDirectory: string,
  directory: string,
  cwd: string,
): ExportReport {
  const pointer = requireActivePointer(project);
  const { sensitivities } = readServingProfile(dataDirectory);
  const target = canonicalTarget(directory, cwd);
  prepareTarget(target);
  let bundle: RenderedBundle;
  {
    using reader = openStateAt(project, dataDirectory, pointer);
    bundle = renderBundle(readPopulation(reader, sensitivities), `theurian/${CORE_VERSION}`);
  }
  publishBundle(target, bundle.files);
  return {
    bundlePath: target,
    concepts: bundle.concepts,
    sidecars: bundle.sidecars,
    indexes: bundle.indexes,
    bundleDigest: bundle.digest,
  };
}

/**
 * Refuses a pointer that leads elsewhere as what it is here: nothing built, exit 1. The commands that
 * compare histories call it exit 4, so this comes first (okf.md 2.1).
 */
export function requireOwnStateFile(project: Project): void {
  const pointer = readActivePointer(project.paths);
  if (pointer === null) return;
  try {
    if (describePath(activeStatePath(project, pointer))?.kind !== "link") return;
  } catch (cause) {
    if (!isFault(cause, "path-escape")) throw cause;
    throw new TheurianError("path-escape", cause.message, { remedy: cause.remedy, exit: 1, cause });
  }
  throw new TheurianError(
    "path-escape",
    "Cannot export: the state database is a symbolic link",
    { remedy: "Delete .theurian/state/, then run: theurian migrate apply", exit: 1 },
  );
}
