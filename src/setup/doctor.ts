import { type IndexSecretScan, indexSecretScan } from "../index/mod.ts";
import { isFault } from "../platform/errors.ts";
import { type ProjectPaths, projectPaths } from "../projects/mod.ts";
import { probeSteps } from "./probe_steps.ts";
import { redactReport } from "./redact_report.ts";
import type { SetupReport } from "./report.ts";
import { stopped } from "./run_setup.ts";
import { repositoryAround, type SetupWorld } from "./setup_world.ts";

/** The document of `doctor`. */
export interface DoctorReport extends SetupReport {
  readonly healthy: boolean;
  readonly problemCount: number;
  readonly indexSecretScan: IndexSecretScan;
}

/** What `doctor --report` adds. */
export interface SharedReport extends DoctorReport {
  readonly redacted: true;
  readonly platform: string;
  readonly version: string;
}

/** Looks at everything setup looks at, and writes nothing (daemon-and-setup.md 7.7). */
export async function runDoctor(world: SetupWorld): Promise<DoctorReport> {
  const plan = stopped("plan-built", await probeSteps(world), true, []);
  const scan = indexSecretScan(pathsAround(world.cwd), world.dataDirectory);
  const open = plan.steps.filter(({ status }) => status === "missing" || status === "conflicting");
  const problemCount = open.length + (scan.status === "degraded" ? 1 : 0);
  return { ...plan, healthy: problemCount === 0, problemCount, indexSecretScan: scan };
}

/** Paths of the repository around a directory; `null` outside one, and where they leave it. */
function pathsAround(directory: string): ProjectPaths | null {
  const repository = repositoryAround(directory);
  try {
    return repository === null ? null : projectPaths(repository);
  } catch (error) {
    if (isFault(error, "path-escape")) return null; // A step reports it.
    throw error;
  }
}

/** The same for sharing: nothing of the user's machine that we did not author. */
export async function runSharedDoctor(
  world: SetupWorld,
  facts: { readonly platform: string; readonly version: string },
): Promise<SharedReport> {
  const report = { ...await runDoctor(world), redacted: true as const, ...facts };
  return redactReport(report, world, repositoryAround(world.cwd));
}
