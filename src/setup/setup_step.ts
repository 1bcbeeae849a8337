import type { Finding, StepId } from "./report.ts";
import type { Observed, SetupWorld } from "./setup_world.ts";

/** One step: a probe that writes nothing, and for some an apply. */
export interface SetupStep {
  readonly id: StepId;
  /** A conflict here aborts before anything is written. */
  readonly blocks?: boolean;
  /** A failed apply stops the run. */
  readonly critical?: boolean;
  probe(world: SetupWorld, observed: Observed): Finding | Promise<Finding>;
  /** Does what the probe found missing. Throws when it cannot. */
  apply?(world: SetupWorld): void | Promise<void>;
}
