/**
 * Runs a Git that hangs, under the shipped permissions, and expects to be told so. Ends with 0 then.
 *
 * @module
 */

import { isFault } from "../../src/platform/errors.ts";
import { runProcess } from "../../src/platform/process.ts";
import { setProgramEnvironment } from "../../src/platform/resolve_program.ts";

setProgramEnvironment({ path: Deno.env.get("PATH") ?? "" });
try {
  await runProcess({ program: "git", args: ["status"], cwd: "/", timeoutMs: 300 });
  Deno.exit(1);
} catch (error) {
  Deno.exit(isFault(error, "process-timeout") ? 0 : 2);
}
