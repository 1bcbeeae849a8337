/**
 * A command line that cannot be used (cli-and-plugins.md 1.2): three parts on stderr, exit 2, or the
 * two-key document with `--json`.
 *
 * @module
 */

import { CUT_MARKER } from "../platform/text.ts";

/** Why the command line was not run. */
export interface UsageFault {
  /** Words of the level at which reading stopped; empty at the top. */
  readonly path: readonly string[];
  /** What follows the path in the usage line, such as `[OPTIONS] [PATH]`. */
  readonly synopsis: string;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Three parts: the usage line, where to read more, the fault. */
export function usageText(fault: UsageFault): string {
  const command = ["theurian", ...fault.path].join(" ");
  return `Usage: ${[command, fault.synopsis].filter((part) => part !== "").join(" ")}\n` +
    `Try '${command} --help' for help.\n\n` +
    `Error: ${fault.message}\n`;
}

/** The same as the error document. */
export function usageDocument(fault: UsageFault): { error: string; remedy: string } {
  const command = ["theurian", ...fault.path].join(" ");
  return {
    error: fault.message,
    remedy: `Run \`${command} --help\` and correct the command line`,
  };
}

/**
 * A word of the command line as a message may show it: only what looks like the name of a command or
 * an option. Anything else may be a value that was put in the wrong place, so it is not repeated.
 */
export function shownWord(word: string): string {
  if (/^-{0,2}[A-Za-z][A-Za-z0-9-]*$/.test(word)) {
    return word.length <= 40 ? `"${word}"` : `"${word.slice(0, 40)}${CUT_MARKER}"`;
  }
  return "that was given";
}

/** The known word that is at most two edits away, when exactly one is nearest. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = 3;
  for (const candidate of known) {
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    } else if (distance === bestDistance) best = null;
  }
  return bestDistance < word.length ? best : null;
}

/** Insertions, deletions and replacements between two short words. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
