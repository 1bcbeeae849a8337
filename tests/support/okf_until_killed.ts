/**
 * Runs one command line in this process and kills the process at the nth step of its writing:
 * `CWD HOME DATA_DIRECTORY NTH ARGUMENT…`. Ends with 0 when there were fewer steps.
 *
 * @module
 */

import { runForTest } from "../../src/cli/test_world.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";

const [cwd, home, dataDirectory, nth, ...args] = Deno.args as [string, string, string, string];
let count = 0;
setWritePointHook(() => {
  if (++count === Number(nth)) Deno.kill(Deno.pid, "SIGKILL");
});
const { exit, stderr } = await runForTest(args, {
  cwd,
  environment: { HOME: home, THEURIAN_DATA_DIR: dataDirectory },
});
if (exit !== 0) console.error(stderr);
Deno.exit(exit);
