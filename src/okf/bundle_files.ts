/**
 * The files of a foreign bundle: found without following directory links, read without leaving it and
 * without ever waiting (okf.md 5.1, 5.4).
 *
 * @module
 */

import { dirname, join } from "node:path";
import { isFault, type TheurianError } from "../platform/errors.ts";
import { listDirectory, readContained } from "../platform/files/mod.ts";
import { compareCodePoints } from "../platform/text.ts";
import { MANIFEST } from "./bundle_paths.ts";
import type { Refusal } from "./import_report.ts";

/** What a bundle offers to read. */
export interface BundleListing {
  /** Bundle-relative POSIX paths of possible concepts, in byte order. */
  readonly candidates: readonly string[];
  /** One refusal for each directory that cannot be listed. */
  readonly refusals: readonly Refusal[];
}

/** Finds every name that ends in `.md`, directories among them, but for index, log and manifest. */
export function listBundle(root: string): BundleListing {
  const candidates: string[] = [];
  const refusals: Refusal[] = [];
  const pending = [""];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    try {
      for (const { name, kind } of listDirectory(join(root, directory))) {
        const path = directory === "" ? name : `${directory}/${name}`;
        if (name.endsWith(".md") && name !== "index.md" && name !== "log.md" && path !== MANIFEST) {
          candidates.push(path);
        }
        if (kind === "directory") pending.push(path);
      }
    } catch (error) {
      if (!isFault(error)) throw error;
      refusals.push({ kind: "concept", key: directory, literal: "the directory is not readable" });
    }
  }
  refusals.sort((a, b) => compareCodePoints(a.key, b.key));
  return { candidates: candidates.sort(compareCodePoints), refusals };
}

/**
 * Reads a file of the bundle that a concept names relative to itself, or a concept by its own path
 * with an empty `from`. Answers the bytes, or one of a closed list of reasons.
 */
export function readBundleFile(
  root: string,
  from: string,
  request: string,
): Uint8Array | { readonly reason: string } {
  try {
    return readContained(root, join(root, dirname(from)), request).bytes;
  } catch (error) {
    if (!isFault(error)) throw error;
    return { reason: reasonOf(error) };
  }
}

const ROUTES: Readonly<Record<string, string>> = {
  "leaves": "escapes the bundle root",
  "absolute-link": "link target is not anchored in the bundle",
  "unreadable-link": "link is unreadable",
  "too-many-links": "leads through too many links",
};

function reasonOf(error: TheurianError): string {
  switch (error.fault) {
    case "path-escape":
      return ROUTES[String(error.details?.["route"])] ?? "is not a valid path";
    case "path-too-deep":
      return "nests too deep";
    case "file-missing":
      return "does not exist";
    case "file-too-large":
      return "is too large";
    case "file-irregular":
    case "file-link":
      return "is not a regular file";
    default:
      if (error.details?.["shape"] === "directory") return "is a directory";
      return error.details?.["errno"] === "ENOTDIR"
        ? "a path segment is a file"
        : "is not readable";
  }
}
