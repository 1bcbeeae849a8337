/**
 * Tells a person what a long command is at: one line on stderr that replaces itself, only on a
 * terminal and only once the command has taken half a second. stdout is never touched.
 *
 * @module
 */

import { escapeControls, firstCodePoints } from "../platform/text.ts";
import type { Progress } from "./command.ts";
import type { Terminal } from "./output.ts";

/** Milliseconds before the first line. */
const QUIET = 500;
/** Milliseconds between two lines. */
const PACE = 100;
/** Code points of a line, short enough not to wrap on a usual terminal. */
const WIDTH = 76;

/** Progress of one command; `now` is in milliseconds and only ever compared. */
export function terminalProgress(terminal: Terminal, now: () => number): Progress {
  if (!terminal.errIsTerminal) return { step: () => {}, done: () => {} };
  const start = now();
  let last = -Infinity;
  let shown = 0;
  const write = (line: string) => {
    terminal.err(`\r${line.padEnd(shown)}`);
    shown = line.length;
  };
  return {
    step(what, done, total) {
      const time = now();
      if (time - start < QUIET || time - last < PACE) return;
      last = time;
      const count = done === undefined
        ? ""
        : total === undefined
        ? ` ${done}`
        : ` ${done}/${total}`;
      write(firstCodePoints(escapeControls(`${what}${count}`), WIDTH));
    },
    done() {
      if (shown === 0) return;
      write("");
      terminal.err("\r");
      shown = 0;
    },
  };
}
