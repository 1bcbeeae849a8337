/**
 * Reading evidence files one by one (review.md 6, "Reading back"). A bad file is named and left out;
 * it never keeps the others from being read (decision 8).
 *
 * @module
 */

import { join } from "node:path";
import { type FaultCode, isFault } from "../../platform/errors.ts";
import {
  fileMark,
  fileReader,
  readContained,
  type ReadFile,
  realPath,
} from "../../platform/files/mod.ts";
import { cureOf, EvidenceFault, type EvidenceRule } from "./fault.ts";
import type { ListedFile } from "./listing.ts";
import type { Evidence } from "./model.ts";
import { parseEvidence, repositoryOf } from "./parse.ts";

/** Largest evidence file in bytes. */
export const EVIDENCE_BYTES = 8_388_608;

/** A file that could not be used, in words for a person. */
export interface BadRecord {
  /** Below `.theurian/review/`, with `/`. */
  readonly path: string;
  /** The repository it says it belongs to, when that can be read. */
  readonly repository: string | null;
  readonly error: string;
  readonly remedy: string;
}

const RULE_OF_FAULT: Partial<Record<FaultCode, EvidenceRule>> = {
  "path-escape": "containment",
  "path-too-deep": "depth-of-path",
  "file-irregular": "not-regular",
  "file-link": "link",
  "file-too-large": "size",
};

const files = fileReader();

/** Bytes of one listed file, good until the next read. Throws {@linkcode EvidenceFault}. */
function readBytes(reviewRoot: string, file: ListedFile): ReadFile {
  try {
    const options = { maxBytes: EVIDENCE_BYTES };
    if (!file.isLink) return files.read(join(reviewRoot, file.path), options);
    const { bytes, path } = readContained(reviewRoot, reviewRoot, file.path, options);
    return { bytes, mark: fileMark(path) };
  } catch (error) {
    if (!isFault(error)) throw error;
    const isDirectory = error.details?.["shape"] === "directory";
    throw new EvidenceFault(
      isDirectory ? "not-regular" : RULE_OF_FAULT[error.fault] ?? "unreadable",
    );
  }
}

/** A record and what its file looked like when it was read. */
export interface ReadEvidence {
  readonly evidence: Evidence;
  readonly mark: string;
}

/** Reads and checks one listed file. Throws {@linkcode EvidenceFault}. */
export function readEvidenceFile(reviewRoot: string, file: ListedFile): ReadEvidence {
  const { bytes, mark } = readBytes(reviewRoot, file);
  return { evidence: parseEvidence(bytes, file.path), mark };
}

/** What a listed file looks like now; through a link, what it leads to. */
export function evidenceMark(reviewRoot: string, file: ListedFile): string {
  const path = join(reviewRoot, file.path);
  return fileMark(file.isLink ? realPath(path) ?? path : path);
}

/** What to tell about a file whose reading threw `fault`. */
export function badRecord(reviewRoot: string, file: ListedFile, fault: EvidenceFault): BadRecord {
  return {
    path: file.path,
    repository: readableRepository(reviewRoot, file),
    error: fault.message,
    remedy: cureOf(fault, file.path),
  };
}

function readableRepository(reviewRoot: string, file: ListedFile): string | null {
  try {
    return repositoryOf(readBytes(reviewRoot, file).bytes);
  } catch (error) {
    if (error instanceof EvidenceFault) return null;
    throw error;
  }
}
