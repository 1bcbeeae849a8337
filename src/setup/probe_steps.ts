import {
  conflicting,
  exceptionAction,
  exceptionDetail,
  type Finding,
  type StepId,
} from "./report.ts";
import { observe, type SetupWorld } from "./setup_world.ts";
import { STEPS } from "./steps.ts";

/** What every step found, in order. Writes nothing; a probe that throws is a conflict. */
export async function probeSteps(world: SetupWorld): Promise<ReadonlyMap<StepId, Finding>> {
  const observed = await observe(world);
  const findings = new Map<StepId, Finding>();
  for (const step of STEPS) {
    try {
      findings.set(step.id, await step.probe(world, observed));
    } catch (error) {
      findings.set(
        step.id,
        conflicting(
          "This could not be looked at",
          exceptionDetail(error, world.withhold),
          exceptionAction(error, world.withhold),
        ),
      );
    }
  }
  return findings;
}
