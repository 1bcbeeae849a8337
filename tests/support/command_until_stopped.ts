/**
 * Runs one command line of the product and stops it at the nth step of writing: `kill` ends the
 * process without any clean-up, an errno (`ENOSPC`, `EIO`, `EACCES`) makes that step fail. Step 0
 * never comes: the number of steps is then printed on stderr as `steps: N`, last.
 *
 * Arguments: step, `kill` or an errno, then the command's own.
 */

import { GROUPS } from "../../src/cli/commands.ts";
import { processTerminal } from "../../src/cli/output.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";

const [step, how, ...args] = Deno.args as [string, string, ...string[]];
let count = 0;
setWritePointHook(() => {
  if (++count !== Number(step)) return;
  if (how === "kill") Deno.kill(Deno.pid, "SIGKILL");
  throw Object.assign(new Error("stopped by the test"), { code: how });
});
const exit = await runCommandLine(GROUPS, args, {
  terminal: processTerminal(),
  variable: (name) => Deno.env.get(name),
  currentDirectory: () => Deno.cwd(),
  dropPermissions: () => {},
});
if (step === "0") await Deno.stderr.write(new TextEncoder().encode(`steps: ${count}\n`));
Deno.exit(exit);
