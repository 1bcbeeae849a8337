/**
 * A machine on which nothing is: an empty home, an empty environment, and, as a test wants, a service
 * manager and a client of a few lines. With THEURIAN_FRESH_ROOT, the root of a bare system, everything
 * runs inside it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { freePort, isHealthy } from "../../scripts/daemon.ts";
import { findProgram } from "../../scripts/program.ts";

const ROOT = Deno.env.get("THEURIAN_FRESH_ROOT") ?? "";
const PROGRAM = findProgram();

/** Whether there is an executable to put on the machine. */
export const HAS_EXECUTABLE = PROGRAM.prefix.length === 0 && Deno.build.os === "linux";

/** Starts the unit's own command line, with the unit's own environment and nothing else. */
const SYSTEMCTL = `#!/bin/sh
PATH=/usr/bin:/bin
state=@STATE@
unit=$HOME/.config/systemd/user/theurian.service
echo "$*" >> "$state/systemctl.log"
shift
running() { [ -s "$state/pid" ] && kill -0 "$(cat "$state/pid")" 2>/dev/null; }
stop() {
  running || return 0
  kill "$(cat "$state/pid")"
  while running; do sleep 0.02; done
  rm -f "$state/pid"
}
start() {
  running && return 0
  command=$(sed -n 's/^ExecStart=//p' "$unit")
  set --
  while read -r line; do set -- "$@" "$line"; done <<LINES
$(sed -n 's/^Environment=//p' "$unit")
LINES
  cd "$(sed -n 's/^WorkingDirectory=//p' "$unit")" || exit 1
  env -i HOME="$HOME" "$@" sh -c "echo \\$\\$ > $state/pid; exec $command" \\
    >> "$state/journal" 2>&1 < /dev/null &
  while [ ! -s "$state/pid" ]; do sleep 0.02; done
}
case $1 in
is-system-running) echo running ;;
start) start ;;
stop) stop ;;
restart) stop; start ;;
enable) touch "$state/enabled" ;;
disable) rm -f "$state/enabled"; stop ;;
is-active) if running; then echo active; else echo inactive; exit 3; fi ;;
esac
`;

const JOURNALCTL = `#!/bin/sh
PATH=/usr/bin:/bin
tail -n "$5" @STATE@/journal
`;

/** Keeps an entry in its own file, as the client does. */
const CLAUDE = `#!/bin/sh
PATH=/usr/bin:/bin
file=$HOME/.claude.json
case "$1 $2" in
"mcp add")
  header=\${10%%: *} value=\${10#*: }
  printf '{"mcpServers": {"theurian": {"type": "http", "url": "%s", "headers": {"%s": "%s"}}}}\\n' \\
    "$8" "$header" "$value" > "$file"
  ;;
"mcp remove") rm "$file" ;;
*) exit 2 ;;
esac
`;

/** How a command ended. */
export interface Ended {
  readonly exit: number;
  // deno-lint-ignore no-explicit-any
  readonly out: any;
  // deno-lint-ignore no-explicit-any
  readonly err: any;
}

/** A machine under test; paths are as programs on it see them. */
export interface FreshMachine extends AsyncDisposable {
  readonly home: string;
  readonly executable: string;
  readonly port: number;
  /** Runs `theurian … --json` with nothing but a home, a search path and what is given. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs a line in the machine's shell. */
  shell(line: string): Promise<string>;
  /** Starts a line in the machine's shell and leaves it running. */
  serve(line: string): Deno.ChildProcess;
  /** Every path below the home. */
  listing(): string[];
  read(path: string): string;
  write(path: string, text: string): void;
  /** Waits until the port answers, or no longer does. */
  answers(healthy: boolean): Promise<void>;
}

/**
 * Waits until a program that was just written can be started: another test that starts a child at
 * that moment holds it open for writing until the child runs its own program.
 */
function waitUntilRunnable(path: string): void {
  for (let attempt = 1;; attempt++) {
    try {
      new Deno.Command(path, { args: ["version"], stdout: "null", stderr: "null" }).outputSync();
      return;
    } catch (error) {
      if (!String(error).includes("Text file busy") || attempt === 50) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
}

/** Sets a machine up; disposing ends what runs on it and removes it. */
export function freshMachine(options: { manager: boolean; client: boolean }): FreshMachine {
  const place = ROOT === ""
    ? Deno.realPathSync(Deno.makeTempDirSync({ prefix: "release-fresh-" }))
    : Deno.makeTempDirSync({ dir: `${ROOT}/tmp`, prefix: "release-fresh-" }).slice(ROOT.length);
  const [home, bin, state] = ["home", "bin", "state"].map((name) => `${place}/${name}`);
  for (const directory of [home!, bin!, state!]) Deno.mkdirSync(ROOT + directory);
  const executable = `${bin}/theurian`;
  Deno.copyFileSync(PROGRAM.command, ROOT + executable);
  waitUntilRunnable(ROOT + executable);
  const install = (name: string, text: string) =>
    Deno.writeTextFileSync(`${ROOT}${bin}/${name}`, text.replaceAll("@STATE@", state!), {
      mode: 0o755,
    });
  if (options.manager) {
    install("systemctl", SYSTEMCTL);
    install("journalctl", JOURNALCTL);
  }
  if (options.client) install("claude", CLAUDE);
  const port = freePort();
  const inside = (
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const variables = Object.entries({ HOME: home!, PATH: bin!, ...env });
    const named = variables.map(([name, value]) => `${name}=${value}`);
    const line = ["-i", ...named, program, ...args];
    return ROOT === ""
      ? new Deno.Command("/usr/bin/env", { args: line, cwd: home!, ...PIPES })
      : new Deno.Command("chroot", {
        args: [ROOT, "/usr/bin/env", "-C", home!, ...line],
        ...PIPES,
      });
  };
  const children: Deno.ChildProcess[] = [];
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    home: home!,
    executable,
    port,
    async run(line, env) {
      const { code, stdout, stderr } = await inside(executable, [...line.split(" "), "--json"], env)
        .output();
      const document = (bytes: Uint8Array) => bytes.length === 0 ? null : JSON.parse(text(bytes));
      return { exit: code, out: document(stdout), err: document(stderr) };
    },
    async shell(line) {
      const { code, stdout, stderr } = await inside("/bin/sh", ["-c", line]).output();
      assert.equal(code, 0, text(stderr));
      return text(stdout);
    },
    serve(line) {
      const child = inside("/bin/sh", ["-c", `exec ${line}`]).spawn();
      children.push(child);
      return child;
    },
    listing: () => listBelow(ROOT + home),
    read: (path) => Deno.readTextFileSync(ROOT + path),
    write: (path, text) => Deno.writeTextFileSync(ROOT + path, text),
    async answers(healthy) {
      const deadline = performance.now() + 15_000;
      while (await isHealthy(port) !== healthy) {
        assert.ok(performance.now() < deadline, `the port should ${healthy ? "" : "not "}answer`);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) {
        try {
          child.kill("SIGKILL");
        } catch {
          // It has ended.
        }
        await child.output();
      }
      endService(`${ROOT}${state}/pid`);
      Deno.removeSync(ROOT + place, { recursive: true });
    },
  };
}

const PIPES = { stdin: "null", stdout: "piped", stderr: "piped" } as const;

/** Ends what the service manager of a failed test has left running. */
function endService(path: string): void {
  try {
    Deno.kill(Number(Deno.readTextFileSync(path)), "SIGKILL");
  } catch {
    // Nothing runs.
  }
}

function listBelow(directory: string, prefix = ""): string[] {
  return [...Deno.readDirSync(directory)].flatMap((entry) => {
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory
      ? [name, ...listBelow(`${directory}/${entry.name}`, `${name}/`)]
      : [name];
  }).sort();
}
