/**
 * The executable: argv → command row → permission drop → module → exit code.
 *
 * @module
 */

import { GROUPS } from "./src/cli/commands.ts";
import type { World } from "./src/cli/context.ts";
import { dropPermissions } from "./src/cli/drop_permissions.ts";
import { processTerminal } from "./src/cli/output.ts";
import { reportError, runCommandLine } from "./src/cli/run.ts";

// Read at once: the daemon gives the whole environment up, and a defect may show itself after that.
const debug = Deno.env.get("THEURIAN_DEBUG");

const world: World = {
  terminal: processTerminal(),
  variable: (name) => name === "THEURIAN_DEBUG" ? debug : Deno.env.get(name),
  currentDirectory: () => Deno.cwd(),
  dropPermissions: (row) => dropPermissions(row.permissions),
  input: () => Deno.stdin.readable,
};

const asDefect = (event: Event, cause: unknown) => {
  event.preventDefault();
  Deno.exit(reportError(cause, Deno.args.includes("--json"), world));
};
addEventListener("unhandledrejection", (event) => asDefect(event, event.reason));
addEventListener("error", (event) => asDefect(event, event.error));

Deno.exit(await runCommandLine(GROUPS, Deno.args, world));
