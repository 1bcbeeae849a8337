/**
 * Which files under `.theurian/review/` are evidence (review.md 6, "Reading back"): everything else
 * there is ignored.
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../../platform/errors.ts";
import {
  containedPath,
  describePath,
  type DirectoryEntry,
  listDirectory,
  realPath,
} from "../../platform/files/mod.ts";
import { EvidenceFault } from "./fault.ts";
import { EVIDENCE_KINDS } from "./model.ts";

/** A file that holds evidence, or should. */
export interface ListedFile {
  /** Below `.theurian/review/`, with `/`. */
  readonly path: string;
  /** How it is read: directly, or through the checks a link needs. */
  readonly isLink: boolean;
}

/** A folder that cannot be listed, or leads out. */
export interface ListedFault {
  readonly path: string;
  readonly fault: EvidenceFault;
}

/** What stands under `.theurian/review/`, in path order. */
export interface Listing {
  readonly files: readonly ListedFile[];
  readonly faults: readonly ListedFault[];
}

const KIND_NAMES: ReadonlySet<string> = new Set(EVIDENCE_KINDS);

/**
 * Lists the evidence below `reviewRoot`. No folder, or a link to nothing, is an empty corpus. Throws
 * `review-unusable` when something else than a folder stands there or it cannot be listed.
 */
export function listEvidence(reviewRoot: string): Listing {
  const files: ListedFile[] = [];
  const faults: ListedFault[] = [];
  for (const folder of topFolders(reviewRoot)) {
    const repository = subfolders(reviewRoot, folder, faults);
    for (const kind of repository) {
      if (!KIND_NAMES.has(kind.name.toLowerCase())) continue;
      for (const leaf of entries(reviewRoot, `${folder.name}/${kind.name}`, kind, faults)) {
        if (!leaf.name.toLowerCase().endsWith(".json")) continue;
        const path = `${folder.name}/${kind.name}/${leaf.name}`;
        files.push({ path, isLink: leaf.kind === "link" });
      }
    }
  }
  return { files, faults };
}

function topFolders(reviewRoot: string): readonly DirectoryEntry[] {
  try {
    const leadsNowhere = realPath(reviewRoot) === null;
    if (leadsNowhere && (describePath(reviewRoot)?.kind ?? "link") === "link") return [];
    return listDirectory(reviewRoot, { label: ".theurian/review" });
  } catch (error) {
    if (!isFault(error)) throw error;
    throw rootRefusal(error);
  }
}

function rootRefusal(cause: TheurianError): TheurianError {
  const isDirectory = cause.fault !== "directory-expected";
  return new TheurianError(
    "review-unusable",
    isDirectory
      ? "Cannot list .theurian/review: the operating system refuses it"
      : "Cannot read .theurian/review: it is not a folder",
    {
      remedy: isDirectory
        ? "Give yourself access: see the modes with `ls -ld .theurian/review`, then `chmod u+rx` it " +
          "and run the command again"
        : "Move it out of .theurian/ (do not delete it: it may hold evidence), then run the " +
          "command again",
      cause,
    },
  );
}

function subfolders(
  reviewRoot: string,
  folder: DirectoryEntry,
  faults: ListedFault[],
): readonly DirectoryEntry[] {
  return entries(reviewRoot, folder.name, folder, faults);
}

/** Entries of a folder; a link is followed only while it stays below `.theurian/review`. */
function entries(
  reviewRoot: string,
  path: string,
  folder: DirectoryEntry,
  faults: ListedFault[],
): readonly DirectoryEntry[] {
  if (folder.kind !== "directory" && folder.kind !== "link") return [];
  try {
    const target = folder.kind === "link"
      ? containedPath(reviewRoot, path)
      : join(reviewRoot, path);
    if (folder.kind === "link" && describePath(target)?.kind !== "directory") return [];
    return listDirectory(target);
  } catch (error) {
    if (!isFault(error)) throw error;
    const rule = error.fault === "path-escape" ? "containment" : "unreadable";
    faults.push({ path, fault: new EvidenceFault(rule) });
    return [];
  }
}
