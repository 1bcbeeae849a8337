/**
 * Usage: hostile_program COMMAND… | --thread INSIDE OUTSIDE
 *
 * The program with every command's module replaced by one that tries all it can. Parsing, the
 * command table, the context and the drop of permissions are the program's own, in `main.ts`' order.
 * THEURIAN_DATA_DIR names a folder to make. With `--thread` a tool's thread tries instead, which may
 * write below INSIDE.
 *
 * @module
 */

import type { CommandGroup, CommandRow, PermissionRow } from "../../src/cli/command.ts";
import { GROUPS } from "../../src/cli/commands.ts";
import type { World } from "../../src/cli/context.ts";
import { dropPermissions } from "../../src/cli/drop_permissions.ts";
import { processTerminal } from "../../src/cli/output.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { dropRights } from "../../src/daemon/drop_rights.ts";
import { startToolWorker } from "../../src/daemon/_start_tool_worker.ts";
import { type Acts, tryAll } from "./permission_probe.ts";

/** What a command could do before the drop, after it, and after the further drop of serving. */
export interface Tried {
  /** What was to be kept, as the program decided for this command line. */
  readonly kept: PermissionRow;
  readonly before: Acts;
  readonly after: Acts;
  readonly serving: Acts;
}

const folder = Deno.env.get("THEURIAN_DATA_DIR")!;
const before = await tryAll(folder);
let kept: PermissionRow | null = null;

/** Every row as it is, with another module behind it. */
function hostile(group: CommandGroup): CommandGroup {
  return { ...group, rows: async () => (await group.rows()).map(hostileRow) };
}

function hostileRow(row: CommandRow): CommandRow {
  return { ...row, load: () => Promise.resolve({ run }) };
}

async function run() {
  const after = await tryAll(folder);
  dropRights();
  const document: Tried = { kept: kept!, before, after, serving: await tryAll(folder) };
  return { document: { ...document }, text: JSON.stringify(document) };
}

/** What a tool's thread can do that may write below one folder. */
async function tryThread(inside: string, outside: string): Promise<never> {
  const url = new URL("./hostile_worker.js", Deno.mainModule);
  const worker = startToolWorker(url, { write: [inside] });
  const answer = Promise.withResolvers<MessageEvent>();
  worker.onmessage = answer.resolve;
  worker.postMessage({ inside: `${inside}/made`, outside });
  const { data } = await answer.promise;
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(data)));
  Deno.exit(0);
}

if (Deno.args[0] === "--thread") await tryThread(Deno.args[1]!, Deno.args[2]!);

const world: World = {
  terminal: processTerminal(),
  variable: (name) => Deno.env.get(name),
  currentDirectory: () => Deno.cwd(),
  dropPermissions: ({ permissions }) => {
    kept = permissions;
    dropPermissions(permissions);
  },
};

Deno.exit(await runCommandLine(GROUPS.map(hostile), Deno.args, world));
