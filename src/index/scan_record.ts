/**
 * `.theurian/state/index-secret-scan.json`: what the secret scan of the published build found, as a
 * count (index-build.md 8.5). No text, no location.
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import {
  decodeUtf8,
  describePath,
  readRegularFileIfPresent,
  replaceFile,
} from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import { type ProjectPaths, SECRET_POLICIES, type SecretPolicy } from "../projects/mod.ts";
import { scanRecordPath } from "./index_files.ts";

/** The record of one build. */
export interface ScanRecord {
  readonly indexBuildId: string;
  readonly policy: SecretPolicy;
  /** At most the limit of a build's findings; 0 under `off`. */
  readonly findings: number;
}

const LABEL = ".theurian/state/index-secret-scan.json";
const RECORD_BYTES = 65_536;

/** The record; `null` when it is missing, unreadable or not in its form. */
export function readScanRecord(paths: ProjectPaths): ScanRecord | null {
  try {
    const bytes = readRegularFileIfPresent(scanRecordPath(paths), {
      maxBytes: RECORD_BYTES,
      label: LABEL,
    });
    const text = bytes === null ? null : decodeUtf8(bytes);
    return text === null ? null : recordOf(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || isFault(error)) return null;
    throw error;
  }
}

function recordOf(value: unknown): ScanRecord | null {
  if (typeof value !== "object" || value === null) return null;
  const { indexBuildId, policy, findings } = value as Readonly<Record<string, unknown>>;
  const known = SECRET_POLICIES.find((candidate) => candidate === policy);
  const isValid = typeof indexBuildId === "string" && !isBlank(indexBuildId) &&
    known !== undefined && Number.isSafeInteger(findings) && (findings as number) >= 0;
  return isValid ? { indexBuildId, policy: known, findings: findings as number } : null;
}

/** Writes the record through its temporary. Throws `file-*`. */
export function writeScanRecord(paths: ProjectPaths, record: ScanRecord): void {
  const path = scanRecordPath(paths);
  const { indexBuildId, policy, findings } = record;
  replaceFile(path, JSON.stringify({ indexBuildId, policy, findings }, null, 2), {
    mode: 0o644,
    temporary: `${path}.tmp`,
    label: LABEL,
  });
}

/** Refuses a link at the record's temporary before a long build, not after it (exit 4). */
export function requireWritableScanRecord(paths: ProjectPaths): void {
  const label = `${LABEL}.tmp`;
  if (describePath(`${scanRecordPath(paths)}.tmp`, { label })?.kind !== "link") return;
  throw new TheurianError("file-link", `Cannot write ${label}: it is a symbolic link`, {
    remedy: `Remove the link ${label}, then run: theurian index build`,
    exit: 4,
  });
}
