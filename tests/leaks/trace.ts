/**
 * Runs a command under `strace` and tells what it did to the outside: programs started, addresses
 * spoken to, files opened and changed.
 *
 * @module
 */

import type { Program } from "../../scripts/program.ts";

/** What one command did. */
export interface Trace {
  readonly exit: number;
  readonly stderr: string;
  /** Paths of programs that were started. */
  readonly programs: readonly string[];
  /** Addresses it connected or bound to, those of this machine's own network left out. */
  readonly addresses: readonly string[];
  /** Real paths of files that were opened, for reading or writing. */
  readonly opened: readonly string[];
  /** Paths that were created, written, renamed or removed. */
  readonly changed: readonly string[];
}

const CALLS = [
  ...["execve", "execveat", "connect", "bind", "sendto", "sendmsg", "open", "openat", "openat2"],
  ...[
    "creat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
  ],
  ...[
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "truncate",
    "chmod",
    "fchmodat",
    "mknod",
    "mknodat",
  ],
].join(",");

const WATCH = ["-f", "-y", "-qq", "-s", "400", "-e", `trace=${CALLS}`];

/** True where a process may be traced. */
export function canTrace(): boolean {
  try {
    const { success } = new Deno.Command("strace", {
      args: ["-f", "-o", "/dev/null", "true"],
      stdout: "null",
      stderr: "null",
    }).outputSync();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A program that is watched while somebody else starts and ends it; the log is read afterwards. */
export function watched(program: Program, log: string): Program {
  // The watcher stands aside, so that signals reach the program itself.
  const prefix = ["-D", ...WATCH, "-o", log, program.command, ...program.prefix];
  return { ...program, command: "strace", prefix };
}

/** What a watched program did until it ended. */
export function readTrace(log: string): Omit<Trace, "exit" | "stderr"> {
  return readLines(Deno.readTextFileSync(log).split("\n"));
}

/** Runs a command and reads what it did. */
export async function trace(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Trace> {
  const log = Deno.makeTempFileSync({ prefix: "leaks-trace-" });
  try {
    const { code, stderr } = await new Deno.Command("strace", {
      args: [...WATCH, "-o", log, command, ...args],
      cwd: options.cwd,
      clearEnv: true,
      env: { ...options.env },
      stdin: "null",
      signal: AbortSignal.timeout(60_000),
    }).output();
    return { exit: code, stderr: new TextDecoder().decode(stderr), ...readTrace(log) };
  } finally {
    Deno.removeSync(log);
  }
}

function readLines(lines: readonly string[]): Omit<Trace, "exit" | "stderr"> {
  const programs: string[] = [];
  const addresses: string[] = [];
  const opened: string[] = [];
  const changed: string[] = [];
  for (const line of lines) {
    const call = /^\d+ +(\w+)\((.*)$/.exec(line);
    // What failed did nothing.
    if (call === null || / = -1 /.test(line)) continue;
    const [, name = "", rest = ""] = call;
    if (/^execve/.test(name)) programs.push(firstText(rest));
    else if (/^(?:connect|bind|send)/.test(name)) addresses.push(...foreignAddresses(rest));
    else if (/^(?:open|creat)/.test(name)) {
      const real = / = \d+<(.*)>$/.exec(line)?.[1] ?? firstText(rest);
      opened.push(real);
      if (/O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(rest)) changed.push(real);
    } else changed.push(...[...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) => match[1]!));
  }
  return { programs, addresses, opened, changed };
}

function firstText(rest: string): string {
  return /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? "";
}

function foreignAddresses(rest: string): string[] {
  if (!/AF_INET/.test(rest)) return [];
  return /inet_addr\("127\.0\.0\.1"\)/.test(rest) ? [] : [rest];
}
