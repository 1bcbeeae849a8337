/**
 * The baked permissions as the scripts and the documentation name them. The lists themselves are
 * `src/platform/grants.ts`, which the executable reads too.
 *
 * @module
 */

import { GRANTED_ENVIRONMENT, GRANTED_PROGRAMS, grantFlags } from "../src/platform/grants.ts";

/** Programs the executable may start; the first two touch knowledge, the rest manage the service. */
export const RUN_PROGRAMS = GRANTED_PROGRAMS;

/** Environment names the executable may read (daemon-and-setup.md 12, and those `gh` is given). */
export const ENVIRONMENT_NAMES = GRANTED_ENVIRONMENT;

/** The flags, in the spelling that `deno run` and `deno compile` share. */
export const PERMISSION_FLAGS: readonly string[] = grantFlags();
