/**
 * What `doctor` says about the published index's secret scan (index-build.md 8.5).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { isBuiltHere, type Project, type SecretPolicy } from "../projects/mod.ts";
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
 * The verdict on the published build, or why there is none. Provenance is asked first, so that a
 * planted record cannot make a foreign build look clean. Never throws for what is on disk.
 */
export function indexSecretScan(project: Project | null, dataDirectory: string): IndexSecretScan {
  const reading = project === null ? null : pointerOf(project);
  if (project === null || reading?.kind !== "pointer") return unknown("not-applicable");
  const { indexBuildId } = reading.pointer;
  if (!isBuiltHere(dataDirectory, project.root, "index", indexBuildId)) {
    return unknown("unrecorded");
  }
  const record = readScanRecord(project.paths);
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

function pointerOf(project: Project): PointerReading | null {
  try {
    return readIndexPointer(project.paths);
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}
