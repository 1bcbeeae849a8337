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

/** Calls back after so many milliseconds, unless the returned function is called before. */
export type Later = (work: () => void, ms: number) => () => void;

/**
 * Progress of one command; `now` is in milliseconds and only ever compared. What is told too soon is
 * shown when its time comes, so that a step that waits is seen however early it began.
 */
export function terminalProgress(
  terminal: Terminal,
  now: () => number,
  later: Later = unrefLater,
): Progress {
  if (!terminal.errIsTerminal) return { step: () => {}, done: () => {} };
  const start = now();
  let last = { what: "", time: -Infinity };
  let shown = 0;
  let next: { what: string; line: string } | null = null;
  let cancel: (() => void) | null = null;
  const write = (line: string) => {
    terminal.err(`\r${line.padEnd(shown)}`);
    shown = line.length;
  };
  const show = () => {
    cancel?.();
    cancel = null;
    if (next === null) return;
    last = { what: next.what, time: now() };
    write(next.line);
    next = null;
  };
  return {
    step(what, done, total) {
      next = { what, line: lineOf(what, done, total) };
      const time = now();
      const paced = what === last.what ? last.time + PACE - time : 0;
      const wait = Math.max(start + QUIET - time, paced);
      if (wait <= 0) show();
      else cancel ??= later(show, wait);
    },
    done() {
      cancel?.();
      cancel = null;
      next = null;
      if (shown === 0) return;
      write("");
      terminal.err("\r");
      shown = 0;
    },
  };
}

function lineOf(what: string, done?: number, total?: number): string {
  const count = done === undefined ? "" : total === undefined ? ` ${done}` : ` ${done}/${total}`;
  return firstCodePoints(escapeControls(`${what}${count}`), WIDTH);
}

/** A timer that keeps no command alive. */
function unrefLater(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  Deno.unrefTimer(timer);
  return () => clearTimeout(timer);
}
