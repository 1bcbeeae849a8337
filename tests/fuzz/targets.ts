import type { FuzzTarget } from "./fuzz.ts";
import { PROJECT_TARGETS } from "./project_targets.ts";
import { SERVED_TARGETS } from "./served_targets.ts";
import { TEXT_TARGETS } from "./text_targets.ts";

/** Everything that reads what others wrote. */
export const TARGETS: readonly FuzzTarget[] = [
  ...TEXT_TARGETS,
  ...PROJECT_TARGETS,
  ...SERVED_TARGETS,
];
