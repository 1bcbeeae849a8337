import { readIndexPointer, readScanRecord } from "../index/mod.ts";
import { isFault } from "../platform/errors.ts";
import { isBuiltHere, projectPaths, type SecretPolicy } from "../projects/mod.ts";

/** What the published index's build recorded about secrets (index-build.md 8.5). */
export interface IndexSecretScan {
  readonly status: "not-applicable" | "unrecorded" | "unscanned" | "clean" | "warned" | "degraded";
  readonly policy: SecretPolicy | null;
  readonly findings: number;
  readonly remedy?: string;
}

const NOT_APPLICABLE: IndexSecretScan = { status: "not-applicable", policy: null, findings: 0 };
const UNRECORDED: IndexSecretScan = { status: "unrecorded", policy: null, findings: 0 };

/** Reads the stored verdict; never scans again. `repository` is `null` outside one. */
export function indexSecretScan(repository: string | null, dataDirectory: string): IndexSecretScan {
  if (repository === null) return NOT_APPLICABLE;
  try {
    const paths = projectPaths(repository);
    const reading = readIndexPointer(paths);
    if (reading.kind !== "pointer") return NOT_APPLICABLE;
    const { indexBuildId } = reading.pointer;
    if (!isBuiltHere(dataDirectory, repository, "index", indexBuildId)) return UNRECORDED;
    const record = readScanRecord(paths);
    if (record === null || record.indexBuildId !== indexBuildId) return UNRECORDED;
    return verdictOf(record.policy, record.findings);
  } catch (error) {
    if (isFault(error)) return NOT_APPLICABLE;
    throw error;
  }
}

function verdictOf(policy: SecretPolicy, findings: number): IndexSecretScan {
  if (policy === "off") return { status: "unscanned", policy, findings };
  if (findings === 0) return { status: "clean", policy, findings };
  return {
    status: policy === "warn" ? "warned" : "degraded",
    policy,
    findings,
    remedy: "Run `theurian index build` to see where, take the secrets out of the knowledge and " +
      "revoke them, then build again",
  };
}
