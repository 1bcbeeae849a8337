/**
 * A dry reading of every authored source of a project: what parses, as what, and what does not
 * (corpus-and-migrations.md section 17). Stores no body and approves nothing.
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { readContained } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { type DocumentAnchor, DocumentFault, type ParseWarning } from "./document.ts";
import { readManifest } from "./manifest.ts";
import { mediaTypeOfName, parseSource } from "./parse_source.ts";
import { sourceFiles } from "./source_files.ts";

/** Directories that hold sources, in reading order. */
const DIRECTORIES = [".theurian/knowledge", ".theurian/specifications"];

/** Where the sources come from. */
export interface SourceOrigin {
  /** Commit at HEAD, or `null` without one. */
  readonly commit: string | null;
  /** The remote's address, empty without one. */
  readonly repositoryUrl: string;
}

/** One document as the report shows it. */
export interface DocumentRow {
  readonly path: string;
  readonly title: string;
  readonly contentType: string;
  readonly parser: string;
  readonly structured: boolean;
}

/** What an ingest found. */
export interface IngestReport {
  readonly documents: readonly DocumentRow[];
  readonly failures: readonly {
    readonly path: string;
    readonly reason: string;
    readonly mediaType: string | null;
  }[];
  readonly warnings: readonly ParseWarning[];
  readonly unchanged: number;
  readonly skipped: number;
  /** What the next run compares with: unchanged and newly parsed sources. */
  readonly manifest: ReadonlyMap<string, string>;
}

/** Reads every source; `onFile` is told each path before it is read. */
export function ingestSources(
  paths: ProjectPaths,
  origin: SourceOrigin,
  onFile: (path: string) => void = () => {},
): IngestReport {
  const previous = readManifest(paths);
  const manifest = new Map<string, string>();
  const report = {
    documents: [] as DocumentRow[],
    failures: [] as IngestReport["failures"][number][],
    warnings: [] as ParseWarning[],
    unchanged: 0,
    skipped: 0,
  };
  for (const directory of DIRECTORIES) {
    for (const path of sourceFiles(paths.root, directory)) {
      onFile(path);
      try {
        const { bytes } = readContained(paths.root, paths.root, path, { label: path });
        const hash = sha256Hex(bytes);
        if (previous.get(path) === hash) report.unchanged++;
        else if (mediaTypeOfName(path) === null) {
          report.skipped++;
          continue;
        } else readOne(path, bytes, origin, report);
        manifest.set(path, hash);
      } catch (error) {
        if (!(error instanceof DocumentFault) && !isFault(error)) throw error;
        const mediaType = error instanceof DocumentFault ? mediaTypeOfName(path) : null;
        report.failures.push({ path, reason: error.message, mediaType });
      }
    }
  }
  return { ...report, manifest };
}

function readOne(
  path: string,
  bytes: Uint8Array,
  origin: SourceOrigin,
  report: { documents: DocumentRow[]; warnings: ParseWarning[] },
): void {
  const document = parseSource(bytes, anchorOf(path, origin));
  report.documents.push({
    path,
    title: document.title,
    contentType: document.contentType,
    parser: document.parser,
    structured: document.structured !== null,
  });
  report.warnings.push(...document.warnings);
}

/** Where a source stands: in Git once there is a commit. */
export function anchorOf(path: string, { commit, repositoryUrl }: SourceOrigin): DocumentAnchor {
  if (commit === null) {
    return {
      provider: "filesystem",
      sourceUri: `file://${path}`,
      repository: null,
      commitSha: null,
      filePath: path,
    };
  }
  const repository = repositoryUrl === "" ? "local" : repositoryUrl;
  return {
    provider: "git",
    sourceUri: `git://${repository}/${path}`,
    repository,
    commitSha: commit,
    filePath: path,
  };
}
