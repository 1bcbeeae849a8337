/**
 * `.theurian/state/active-index.json`: which build is published (index-build.md section 9).
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import {
  containedPath,
  decodeUtf8,
  describePath,
  parsedOnce,
  removeFile,
  replaceFile,
  rereadRegularFile,
} from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { SENSITIVITIES, type Sensitivity } from "../knowledge/model.ts";
import { indexPointerPath } from "./index_files.ts";
import { INDEX_STAMP } from "./schema.ts";

/** What the pointer says; facts that an older writer left out are `null`. */
export interface IndexPointer {
  readonly indexBuildId: string;
  readonly stateHash: string | null;
  readonly projectId: string | null;
  readonly indexesUnapproved: boolean;
  /** Levels the build may hold, least restricted first; `null` when not recorded or not decodable. */
  readonly indexedSensitivities: readonly Sensitivity[] | null;
  readonly purgeFailed: boolean;
}

/** What stands at the pointer's path. */
export type PointerReading =
  /** Nothing, or another implementation's pointer (decision 2). */
  | { readonly kind: "absent" }
  /** Something that no pointer can be read from; `why` is in our words. */
  | { readonly kind: "corrupt"; readonly why: string }
  | { readonly kind: "pointer"; readonly pointer: IndexPointer };

const LABEL = ".theurian/state/active-index.json";
const POINTER_BYTES = 65_536;

/** Reads the pointer; never waits on a pipe. Throws only `path-escape` (exit 4). */
export function readIndexPointer(paths: ProjectPaths): PointerReading {
  const path = indexPointerPath(paths);
  containedPath(paths.root, path, { label: LABEL });
  let bytes: Uint8Array | null;
  try {
    bytes = rereadRegularFile(path, { maxBytes: POINTER_BYTES, label: LABEL });
  } catch (error) {
    if (isFault(error)) return { kind: "corrupt", why: reasonOf(error) };
    throw error;
  }
  return bytes === null ? { kind: "absent" } : decoded(bytes);
}

const decoded = parsedOnce(decodePointer);

function reasonOf(error: TheurianError): string {
  switch (error.fault) {
    case "file-link":
    case "file-irregular":
      return "it is not a regular file";
    case "file-too-large":
      return "it is too large for a pointer";
    default:
      return "it cannot be read";
  }
}

function decodePointer(bytes: Uint8Array): PointerReading {
  const corrupt = (why: string) => ({ kind: "corrupt", why }) as const;
  const text = decodeUtf8(bytes);
  if (text === null) return corrupt("it is not valid UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return corrupt("it is not JSON");
    throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return corrupt("it is not a JSON object");
  }
  const stored = value as Readonly<Record<string, unknown>>;
  const { indexBuildId, stateHash, projectId } = stored;
  if (typeof indexBuildId !== "string" || isBlank(indexBuildId)) {
    return corrupt('it has no usable "indexBuildId"');
  }
  if (stored["stamp"] !== INDEX_STAMP) return { kind: "absent" };
  return {
    kind: "pointer",
    pointer: {
      indexBuildId,
      stateHash: typeof stateHash === "string" && stateHash !== "" ? stateHash : null,
      projectId: typeof projectId === "string" && projectId !== "" ? projectId : null,
      indexesUnapproved: isTruthy(stored["indexesUnapproved"]),
      indexedSensitivities: levelsOf(stored["indexedSensitivities"]),
      purgeFailed: isTruthy(stored["purgeFailed"]),
    },
  };
}

/** Any JSON value that is not empty counts: a doubtful flag must not open a door. */
function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function levelsOf(value: unknown): readonly Sensitivity[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const known = (word: unknown) => (SENSITIVITIES as readonly unknown[]).includes(word);
  return value.every(known) ? SENSITIVITIES.filter((level) => value.includes(level)) : null;
}

/**
 * Puts a pointer in place of whatever stands there, but for a directory. Throws `file-*` (exit 4)
 * and leaves the old pointer; a link at the temporary is refused, never written through.
 */
export function publishIndexPointer(paths: ProjectPaths, pointer: IndexPointer): void {
  const path = indexPointerPath(paths);
  const content = { ...pointer, stamp: INDEX_STAMP };
  removeIrregular(path);
  replaceFile(path, JSON.stringify(content, null, 2), {
    mode: 0o644,
    temporary: `${path}.tmp`,
    label: LABEL,
  });
}

/** A pipe, or a link inside the tree, is no pointer and gives way to one. */
function removeIrregular(path: string): void {
  const facts = describePath(path, { label: LABEL });
  if (facts === null || facts.kind === "file") return;
  if (facts.kind === "directory") {
    throw new TheurianError(
      "file-not-writable",
      `Cannot publish the index: a directory stands at ${LABEL}`,
      { remedy: `Remove the directory ${LABEL}, then run: theurian index build` },
    );
  }
  removeFile(path, { label: LABEL });
}
