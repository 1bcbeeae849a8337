/**
 * The one place that writes to stdout and stderr.
 *
 * @module
 */

/** Where a command's output goes. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True when a person watches stderr. */
  readonly errIsTerminal: boolean;
}

/** The reader of stdout is gone: the process ends without a word (cli-and-plugins.md 1.2). */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** The process's own streams. */
export function processTerminal(): Terminal {
  return {
    out: (text) => writeAll(Deno.stdout, text),
    err: (text) => {
      try {
        writeAll(Deno.stderr, text);
      } catch (error) {
        if (!(error instanceof OutputClosed)) throw error;
      }
    },
    errIsTerminal: Deno.stderr.isTerminal(),
  };
}

/**
 * Writes a whole text, however little the stream takes at a time. Throws {@linkcode OutputClosed}
 * when its reader is gone.
 */
export function writeAll(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += stream.writeSync(bytes.subarray(at));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosed();
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      // A pipe that does not block is full: wait for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
