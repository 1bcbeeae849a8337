/**
 * What the outside world gives a command, each part asked for only when a command uses it.
 *
 * @module
 */

import { type Clock, systemClock } from "../platform/clock.ts";
import { TheurianError } from "../platform/errors.ts";
import { ALWAYS_READ, type GrantedVariable } from "../platform/grants.ts";
import { escapeControls } from "../platform/text.ts";
import type { UlidSource } from "../platform/ulid.ts";
import type { CommandContext, CommandRow } from "./command.ts";
import type { Terminal } from "./output.ts";
import { terminalProgress } from "./progress.ts";

/** What differs between the real process and a test. */
export interface World {
  readonly terminal: Terminal;
  /** The value of a variable; `undefined` when unset. Only names of the grant list are asked for. */
  readonly variable: (name: GrantedVariable) => string | undefined;
  /** The current directory; throws when it is gone or cannot be spelled. */
  readonly currentDirectory: () => string;
  readonly dropPermissions: (row: CommandRow) => void;
  /** Standard input; nothing unless given. */
  readonly input?: () => ReadableStream<Uint8Array>;
  /** Defaults to the machine's clock. */
  readonly clock?: Clock;
  /** Defaults to a source over the clock. */
  readonly ulids?: UlidSource;
}

/** Reads what the row keeps of the environment; runs before the permission drop. */
export async function openContext(row: CommandRow, world: World): Promise<CommandContext> {
  const clock = world.clock ?? systemClock;
  const kept = new Map<string, string>();
  for (const name of [...ALWAYS_READ, ...row.permissions.env]) {
    const value = world.variable(name);
    if (value !== undefined && value !== "") kept.set(name, value);
  }
  const home = kept.get("HOME") ?? kept.get("USERPROFILE") ?? null;
  const startedIn = lazily(() => currentDirectory(world));
  const directory = lazily(() => dataDirectory(kept.get("THEURIAN_DATA_DIR"), home, startedIn));
  const ulids = world.ulids ?? await ulidsOf(row, clock);
  if (row.permissions.run.length > 0) await equipPrograms(kept.get("PATH") ?? "", home);
  return {
    get cwd() {
      return startedIn();
    },
    get dataDirectory() {
      return directory();
    },
    home,
    path: kept.get("PATH") ?? "",
    variable: (name) => kept.get(name) ?? null,
    clock,
    ulids,
    progress: terminalProgress(world.terminal, () => performance.now()),
    warn: (message) => world.terminal.err(`warning: ${escapeControls(message)}\n`),
    log: (line) => world.terminal.err(`${line}\n`),
    wire: {
      input: world.input ?? (() => new Blob().stream()),
      send: (line) => world.terminal.out(`${line}\n`),
    },
  };
}

/** Only a command that starts programs loads what finds them. */
async function equipPrograms(path: string, home: string | null): Promise<void> {
  const { setProgramEnvironment } = await import("../platform/resolve_program.ts");
  setProgramEnvironment(home === null ? { path } : { path, home });
}

function currentDirectory(world: World): string {
  try {
    return world.currentDirectory();
  } catch (cause) {
    throw new TheurianError(
      "file-missing",
      "Cannot tell the current directory: it is gone, or its path is not UTF-8",
      {
        remedy: "Change into a directory that exists and has a name in UTF-8, then run this again",
        exit: 1,
        cause,
      },
    );
  }
}

function dataDirectory(
  named: string | undefined,
  home: string | null,
  startedIn: () => string,
): string {
  if (named === undefined && home === null) {
    throw new TheurianError(
      "data-directory-unusable",
      "Cannot find the data directory: neither THEURIAN_DATA_DIR nor HOME is set",
      { remedy: "Set HOME, or set THEURIAN_DATA_DIR to a directory of your own" },
    );
  }
  return absolutePath(named ?? `${home}/.theurian`, startedIn);
}

/** Joined to the current directory when relative, without `.` and `..` parts. */
function absolutePath(path: string, startedIn: () => string): string {
  if (Deno.build.os === "windows") {
    return /^[A-Za-z]:[\\/]|^[\\/]{2}/.test(path) ? path : `${startedIn()}\\${path}`;
  }
  const parts: string[] = [];
  for (const part of `${path.startsWith("/") ? "" : startedIn()}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Only a command that writes mints identifiers; the others start without their library. */
async function ulidsOf(row: CommandRow, clock: Clock): Promise<UlidSource> {
  if (row.permissions.write) return (await import("../platform/ulid.ts")).ulidSource(clock);
  return () => {
    throw new TypeError("A command without write permission mints no identifier");
  };
}

function lazily<T>(compute: () => T): () => T {
  let value: { readonly it: T } | null = null;
  return () => (value ??= { it: compute() }).it;
}
