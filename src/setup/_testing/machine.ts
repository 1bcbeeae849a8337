/**
 * A machine of its own for setup: a home, a service manager and a client program that keep their
 * state in files, and a port that answers while the service is active.
 *
 * @module
 */

import { join } from "node:path";
import { IMPLEMENTATION } from "../../daemon/mod.ts";
import { setProgramEnvironment } from "../../platform/resolve_program.ts";
import { findServiceManager } from "../service/mod.ts";
import type { SetupWorld } from "../setup_world.ts";

const SYSTEMCTL = `#!/bin/sh
state="$(dirname "$0")/../state"
echo "$*" >> "$state/systemctl.log"
shift
case "$1" in
  is-system-running) cat "$state/manager" ;;
  start|restart)
    if [ -f "$state/fail" ]; then echo "Job for $2 failed" >&2; exit 1; fi
    if [ ! -f "$state/dead" ]; then touch "$state/active"; fi ;;
  stop|disable) rm -f "$state/active" ;;
  is-active) if [ -f "$state/active" ]; then echo active; else echo inactive; exit 3; fi ;;
esac
exit 0
`;

const JOURNALCTL = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/../state/journalctl.log"
printf '{"event":"one"}\\n{"event":"two"}\\n'
`;

/** Adds and removes an entry as the client does: it rewrites the file it owns. */
const CLAUDE = `
const state = new URL("../state/", import.meta.url).pathname;
Deno.writeTextFileSync(state + "claude.log", Deno.args.join("\\n") + "\\n", { append: true });
const exists = (name) => { try { Deno.statSync(state + name); return true; } catch { return false; } };
if (exists("claude-fails")) { console.error("not logged in"); Deno.exit(1); }
if (exists("claude-lies")) Deno.exit(0);
const path = Deno.env.get("HOME") + "/.claude.json";
let content = {};
try { content = JSON.parse(Deno.readTextFileSync(path)); } catch { /* none yet */ }
content.mcpServers ??= {};
if (Deno.args[1] === "add") {
  const [, , , , , , , url, , header] = Deno.args;
  const [name, ...value] = header.split(": ");
  content.mcpServers.theurian = { type: "http", url, headers: { [name]: value.join(": ") } };
} else delete content.mcpServers.theurian;
Deno.writeTextFileSync(path, JSON.stringify(content, null, 2));
`;

/** A machine under test. */
export interface Machine extends AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly dataDirectory: string;
  readonly port: number;
  /** Its search path. */
  readonly path: string;
  /** Where the fakes keep what they were told, and what the test tells them. */
  readonly state: string;
  world(over?: Partial<SetupWorld>): Promise<SetupWorld>;
  /** Puts a word for the fakes: `fail`, `dead`, `claude-lies`, … */
  tell(word: string): void;
  /** Every path below the home, for "nothing was written". */
  listing(): string[];
}

/** What a machine starts with. */
export interface MachineOptions {
  readonly manager?: string | null;
  readonly client?: boolean;
  /** Name of the data directory below the home. */
  readonly data?: string;
  /** What answers on the port while the service is active. */
  readonly health?: Record<string, unknown>;
}

/** Builds a machine; disposing removes it. */
export function newMachine(options: MachineOptions = {}): Machine {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "setup-" }));
  const [home, bin, state, work] = ["home", "bin", "state", "work"].map((name) => join(root, name));
  for (const directory of [home!, bin!, state!, work!]) Deno.mkdirSync(directory);
  const executable = join(bin!, "theurian");
  writeProgram(executable, "#!/bin/sh\n");
  const manager = options.manager === undefined ? "running" : options.manager;
  if (manager !== null) writeProgram(join(bin!, "systemctl"), SYSTEMCTL);
  if (manager !== null) writeProgram(join(bin!, "journalctl"), JOURNALCTL);
  Deno.writeTextFileSync(join(state!, "manager"), `${manager}\n`);
  if (options.client !== false) installClient(bin!);
  const path = `${bin}:${systemTools(root)}`;
  setProgramEnvironment({ path, home: home! });
  const dataDirectory = join(home!, options.data ?? ".theurian");
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    if (!isThere(join(state!, "active"))) return new Response("starting", { status: 503 });
    return Response.json({
      status: "ok",
      version: "0.6.0",
      protocolVersion: "theurian/v1",
      dataDir: dataDirectory,
      implementation: IMPLEMENTATION,
      ...options.health,
    });
  });
  const world = async (over: Partial<SetupWorld> = {}): Promise<SetupWorld> => ({
    system: "linux",
    executable,
    home: home!,
    cwd: work!,
    dataDirectory,
    port: server.addr.port,
    manager: await findServiceManager({
      system: "linux",
      home: home!,
      configHome: null,
      session: {},
      userId: () => 1000,
    }),
    withhold: false,
    startWaitMs: 300,
    ...over,
  });
  return {
    root,
    home: home!,
    dataDirectory,
    port: server.addr.port,
    path,
    state: state!,
    world,
    tell: (word) => Deno.writeTextFileSync(join(state!, word), ""),
    listing: () => list(home!),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      setProgramEnvironment({ path: Deno.env.get("PATH") ?? "" });
      Deno.removeSync(root, { recursive: true });
    },
  };
}

/** Links the few tools the fakes call, so that the machine's real service manager is not found. */
function systemTools(root: string): string {
  const tools = join(root, "tools");
  Deno.mkdirSync(tools);
  for (const tool of ["sh", "dirname", "cat", "touch", "rm"]) {
    const real = ["/usr/bin", "/bin"].map((directory) => join(directory, tool)).find(isThere);
    Deno.symlinkSync(real!, join(tools, tool));
  }
  return tools;
}

function installClient(bin: string): void {
  const script = join(bin, "claude.js");
  Deno.writeTextFileSync(script, CLAUDE);
  const cache = join(bin, "..", "cache");
  writeProgram(
    join(bin, "claude"),
    `#!/bin/sh\nDENO_DIR='${cache}' exec '${Deno.execPath()}' run -A --no-lock --no-config '${script}' "$@"\n`,
  );
}

function writeProgram(path: string, text: string): void {
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, 0o755);
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function list(directory: string, prefix = ""): string[] {
  return [...Deno.readDirSync(directory)].flatMap((entry) => {
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory ? [name, ...list(join(directory, entry.name), `${name}/`)] : [name];
  }).sort();
}
