/**
 * Runs a command under `strace` and tells what it did to the outside: programs started, addresses
 * spoken to, files opened and changed.
 *
 * @module
 */

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

/** Runs a command and reads what it did. */
export async function trace(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Trace> {
  const log = Deno.makeTempFileSync({ prefix: "leaks-trace-" });
  try {
    const { code, stderr } = await new Deno.Command("strace", {
      args: ["-f", "-y", "-qq", "-s", "400", "-o", log, "-e", `trace=${CALLS}`, command, ...args],
      cwd: options.cwd,
      clearEnv: true,
      env: { ...options.env },
      stdin: "null",
      signal: AbortSignal.timeout(60_000),
    }).output();
    const lines = Deno.readTextFileSync(log).split("\n");
    return { exit: code, stderr: new TextDecoder().decode(stderr), ...readLines(lines) };
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
