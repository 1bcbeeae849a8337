/**
 * What `doctor` says about the published index's secret scan (index-build.md 8.5).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { isBuiltHere, type ProjectPaths, type SecretPolicy } from "../projects/mod.ts";
import { type PointerReading, readIndexPointer } from "./index_pointer.ts";
import { readScanRecord } from "./scan_record.ts";
import { SECRET_REMEDY } from "./secret_lines.ts";

/** The value of `indexSecretScan`; `degraded` counts as a problem. */
export interface IndexSecretScan {
  readonly status:
    | "not-applicable"
    | "unrecorded"
    | "unscanned"
    | "clean"
    | "warned"
    | "degraded";
  readonly policy: SecretPolicy | null;
  readonly findings: number;
  /** Only with findings. */
  readonly remedy?: string;
}

/**
 * The verdict on the published build of the project at `paths` (`null` where there is none, or its
 * paths cannot be used), or why there is no verdict. Provenance is asked first, so that a
 * planted record cannot make a foreign build look clean. Never throws for what is on disk.
 */
export function indexSecretScan(
  paths: ProjectPaths | null,
  dataDirectory: string,
): IndexSecretScan {
  const reading = paths === null ? null : pointerOf(paths);
  if (paths === null || reading?.kind !== "pointer") return unknown("not-applicable");
  const { indexBuildId } = reading.pointer;
  if (!isBuiltHere(dataDirectory, paths.root, "index", indexBuildId)) return unknown("unrecorded");
  const record = readScanRecord(paths);
  if (record === null || record.indexBuildId !== indexBuildId) return unknown("unrecorded");
  const { policy, findings } = record;
  if (policy === "off") return { status: "unscanned", policy, findings };
  if (findings === 0) return { status: "clean", policy, findings };
  const status = policy === "block" ? "degraded" : "warned";
  return { status, policy, findings, remedy: SECRET_REMEDY };
}

function unknown(status: "not-applicable" | "unrecorded"): IndexSecretScan {
  return { status, policy: null, findings: 0 };
}

function pointerOf(paths: ProjectPaths): PointerReading | null {
  try {
    return readIndexPointer(paths);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}
