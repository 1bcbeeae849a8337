/**
 * The traps of daemon-and-setup.md.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { DAEMON_HTTP } from "./daemon_http.ts";
import { DAEMON_LIFE } from "./daemon_life.ts";
import { DAEMON_SETUP } from "./daemon_setup.ts";

export const DAEMON: Area = {
  name: "daemon",
  traps: 57,
  mutants: [...DAEMON_HTTP, ...DAEMON_LIFE, ...DAEMON_SETUP],
  withoutMutant: [
    {
      trap: 55,
      why:
        "about how tests are run: with the compiled executable and its own flags, which no rule of a source file says",
    },
  ],
};
