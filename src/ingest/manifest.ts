/**
 * What the last `ingest` parsed: project-relative path → SHA-256 of the source's bytes
 * (corpus-and-migrations.md section 17). Derived, so one that cannot be read is an empty one.
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import {
  decodeUtf8,
  ensureDirectory,
  readRegularFileIfPresent,
  replaceFile,
} from "../platform/files/mod.ts";
import { sortedJson } from "../platform/json.ts";
import { join } from "node:path";
import type { ProjectPaths } from "../projects/mod.ts";

const LABEL = ".theurian/cache/ingestion.json";

/** Reads the manifest; anything but a readable JSON object of texts counts as empty. */
export function readManifest(paths: ProjectPaths): ReadonlyMap<string, string> {
  try {
    const bytes = readRegularFileIfPresent(join(paths.cache, "ingestion.json"), { label: LABEL });
    const text = bytes === null ? null : decodeUtf8(bytes);
    const content: unknown = text === null ? null : JSON.parse(text);
    if (typeof content !== "object" || content === null || Array.isArray(content)) return new Map();
    return new Map(
      Object.entries(content).filter((entry): entry is [string, string] =>
        typeof entry[1] === "string"
      ),
    );
  } catch (error) {
    if (error instanceof SyntaxError || isFault(error)) return new Map();
    throw error;
  }
}

/** Replaces the manifest. A file that cannot be written is exit 4, whatever stands in the way. */
export function writeManifest(paths: ProjectPaths, manifest: ReadonlyMap<string, string>): void {
  const content: Record<string, string> = Object.create(null);
  for (const [path, hash] of manifest) content[path] = hash;
  try {
    ensureDirectory(paths.cache, { label: ".theurian/cache" });
    replaceFile(join(paths.cache, "ingestion.json"), `${sortedJson(content)}\n`, {
      mode: 0o644,
      label: LABEL,
    });
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    throw new TheurianError(cause.fault, cause.message, { remedy: cause.remedy, exit: 4, cause });
  }
}
