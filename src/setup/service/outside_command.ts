import { errorKind, isFault } from "../../platform/errors.ts";
import { runProcess } from "../../platform/process.ts";

/** Longest run of a service manager's or client's command, in milliseconds. */
export const OUTSIDE_MS = 20_000;

/** How a command of another program ended; 127 not found, 124 out of time, 126 not startable. */
export interface OutsideResult {
  readonly code: number;
  /** What it printed on both streams, trimmed. */
  readonly output: string;
}

/** How a command is run. */
export interface OutsideOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs another program's command to its end; never throws (daemon-and-setup.md 7.5). */
export async function runOutside(
  program: string,
  args: readonly string[],
  options: OutsideOptions = {},
): Promise<OutsideResult> {
  try {
    const { code, stdout, stderr } = await runProcess({
      program,
      args,
      cwd: "/",
      env: options.env ?? {},
      timeoutMs: options.timeoutMs ?? OUTSIDE_MS,
      maxOutputBytes: 1 << 20,
    });
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
    const output = [text(stdout), text(stderr)].filter((part) => part !== "").join("\n");
    return { code, output };
  } catch (error) {
    if (isFault(error, "process-timeout")) return { code: 124, output: `${program} did not end` };
    return { code: 126, output: `${program} could not be run (${errorKind(error)})` };
  }
}
