/**
 * The one door to programs (decision on child processes): an argument vector, no shell, a scrubbed
 * environment, limits of time and output, and no process left behind.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { errorKind, TheurianError } from "./errors.ts";
import { collectStream, OutputLimit } from "./_collect_stream.ts";
import { endProcessGroup } from "./_end_process_group.ts";
import { inheritedVariables, resolveProgram } from "./resolve_program.ts";

/** One program to run. */
export interface ProcessRequest {
  /** A name that is looked up on the search path, or an absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Bytes for its standard input; it reads nothing otherwise. */
  readonly stdin?: Uint8Array;
  /** Variables beyond the search path, home and language; nothing else is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** Gives the program `env` alone: no search path, home or language of ours. */
  readonly onlyEnv?: boolean;
  /** Milliseconds until its whole process group is ended. */
  readonly timeoutMs: number;
  /** Most bytes of standard output, and of standard error; {@linkcode OUTPUT_BYTES} unless given. */
  readonly maxOutputBytes?: number;
}

/** How a program ended. */
export interface ProcessResult {
  /** Its exit code; 128 plus the signal that ended it; 127 when there is no such program. */
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** Most bytes that are taken from one stream of a program. */
export const OUTPUT_BYTES = 16_777_216;

/** Exit code of a program that could not be found, as shells give it. */
export const PROGRAM_NOT_FOUND = 127;

// Loader variables load code into the program.
const REFUSED_VARIABLE = /^(?:LD_|DYLD_)/;

let lastMoment = Infinity;

/**
 * Ends every program within this many milliseconds from now, whatever its own limit: for a command
 * whose caller waits no longer.
 */
export function endProgramsWithin(ms: number): void {
  lastMoment = performance.now() + ms;
}

/**
 * Runs a program to its end. Throws `process-timeout`, `process-output` and, when this process is
 * asked to end meanwhile, `interrupted`, each after ending the program's process group; throws
 * `process-failed` when it cannot be started. An exit code other than 0 is a result.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const path = isAbsolute(request.program) ? request.program : resolveProgram(request.program);
  const nothing = new Uint8Array(0);
  if (path === null) return { code: PROGRAM_NOT_FOUND, stdout: nothing, stderr: nothing };
  return await finish(start(path, request), request);
}

function start(path: string, request: ProcessRequest): Deno.ChildProcess {
  const env: Record<string, string> = request.onlyEnv === true ? {} : inheritedVariables();
  for (const [name, value] of Object.entries(request.env ?? {})) {
    if (!REFUSED_VARIABLE.test(name)) env[name] = value;
  }
  try {
    return new Deno.Command(path, {
      args: [...request.args],
      cwd: request.cwd,
      env,
      clearEnv: true,
      stdin: request.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true, // Leads a process group of its own, which can be ended as a whole.
    }).spawn();
  } catch (error) {
    throw startRefusal(programName(request), error);
  }
}

function startRefusal(program: string, cause: unknown): TheurianError {
  // The grant is resolved once, when the executable starts: what is not on the PATH then is refused.
  const ungranted = cause instanceof Deno.errors.NotCapable;
  return new TheurianError(
    "process-failed",
    ungranted
      ? `Cannot start ${program}: it was not on the PATH when this command began`
      : `Cannot start ${program}: the system refused with ${errorKind(cause)}`,
    {
      remedy: ungranted
        ? `Set PATH so that it holds the directory of ${program}, then run the command again`
        : "Check that the program can be run and that the folder exists",
      cause,
    },
  );
}

async function finish(child: Deno.ChildProcess, request: ProcessRequest): Promise<ProcessResult> {
  const limit = request.maxOutputBytes ?? OUTPUT_BYTES;
  const stdout = collectStream(child.stdout, limit);
  const stderr = collectStream(child.stderr, limit);
  const ended = Promise.all([child.status, stdout.bytes, stderr.bytes, feed(child, request.stdin)]);
  const limitMs = Math.min(request.timeoutMs, Math.max(lastMoment - performance.now(), 0));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<TheurianError>((resolve) => {
    timer = setTimeout(() => resolve(timeoutRefusal(request, limitMs)), limitMs);
  });
  const interrupt = onInterrupt();
  let failure: TheurianError;
  try {
    const outcome = await Promise.race([ended, late, interrupt.refusal]);
    if (!(outcome instanceof TheurianError)) {
      return { code: outcome[0].code, stdout: outcome[1], stderr: outcome[2] };
    }
    failure = outcome;
  } catch (error) {
    if (!(error instanceof OutputLimit)) throw error;
    failure = outputRefusal(request, limit);
  } finally {
    clearTimeout(timer);
    interrupt[Symbol.dispose]();
  }
  await endProcessGroup(child);
  await Promise.all([stdout.cancel(), stderr.cancel()]);
  throw failure;
}

/**
 * A program leads its own process group, so an interrupt from the terminal does not reach it: while
 * it runs, the interrupt is taken here.
 */
function onInterrupt(): Disposable & { readonly refusal: Promise<TheurianError> } {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const { promise, resolve } = Promise.withResolvers<TheurianError>();
  const handler = () =>
    resolve(
      new TheurianError("interrupted", "Cannot finish: it was interrupted", {
        remedy: "Run the command again",
      }),
    );
  for (const signal of signals) Deno.addSignalListener(signal, handler);
  return {
    refusal: promise,
    [Symbol.dispose]() {
      for (const signal of signals) Deno.removeSignalListener(signal, handler);
    },
  };
}

/** A program may end without reading its input: that is its own affair. */
async function feed(child: Deno.ChildProcess, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) return;
  const writer = child.stdin.getWriter();
  try {
    await writer.write(bytes);
    await writer.close();
  } catch {
    await writer.abort().catch(() => {});
  }
}

function programName(request: ProcessRequest): string {
  return request.program.split(/[\\/]/).at(-1) ?? request.program;
}

function timeoutRefusal(request: ProcessRequest, limitMs: number): TheurianError {
  const name = programName(request);
  return new TheurianError(
    "process-timeout",
    `Cannot use ${name}: it did not end within ${Math.round(limitMs)} ms`,
    { remedy: `Run ${name} by hand in the project to see what it waits for` },
  );
}

function outputRefusal(request: ProcessRequest, limit: number): TheurianError {
  const name = programName(request);
  return new TheurianError(
    "process-output",
    `Cannot use ${name}: it printed more than ${limit} bytes`,
    { remedy: `Run ${name} by hand in the project to see what it prints` },
  );
}
