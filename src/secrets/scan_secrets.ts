/**
 * The secret detector (index-build.md 8.2): one pass over the runs of token characters. Best effort;
 * it gates proposals and reports on builds, and is no replacement for a scanner of the repository.
 *
 * @module
 */

import { looksRandom, SHORTEST_ENTROPIC_RUN } from "./_entropy_gate.ts";
import {
  FAMILY_OPENING,
  findFamily,
  holdsDigit,
  isTokenUnit,
  matchAt,
  type TokenRun,
} from "./_families.ts";
import { FindingPlacer, type SecretFinding } from "./secret_finding.ts";

/** The shortest run that can hold any match: `-----BEGIN`. */
const SHORTEST_RUN = 10;

/**
 * Finds what looks like a credential, in text order, at most `limit` findings. Linear in the text.
 * Matches do not overlap: the leftmost wins, then the family that is named first.
 */
export function scanSecrets(text: string, limit = Infinity): SecretFinding[] {
  const findings: SecretFinding[] = [];
  if (limit <= 0) return findings;
  const placer = new FindingPlacer(text);
  const shortest = FAMILY_OPENING.test(text) ? SHORTEST_RUN : SHORTEST_ENTROPIC_RUN;
  let from = 0;
  let run = nextRun(text, 0, shortest);
  for (; run !== null; run = nextRun(text, run.end, shortest)) {
    for (const match of matchesIn(text, run, from)) {
      findings.push(placer.place(match.family, match.start));
      if (findings.length >= limit) return findings;
      from = match.end;
    }
  }
  return findings;
}

/**
 * The next run of at least `shortest` token characters. Looks at the last character that
 * such a run would have and goes back from there: prose is passed in a few steps a word.
 */
function nextRun(text: string, from: number, shortest: number): TokenRun | null {
  let start = from;
  while (start + shortest <= text.length) {
    let probe = start + shortest - 1;
    while (probe >= start && isTokenUnit(text.charCodeAt(probe))) probe--;
    if (probe >= start) {
      start = probe + 1;
      continue;
    }
    let end = start + shortest;
    while (end < text.length && isTokenUnit(text.charCodeAt(end))) end++;
    return { start, end };
  }
  return null;
}

type Match = { family: SecretFinding["family"]; start: number; end: number };

/** Matches that start in the run, at or behind `from`, where an earlier match ended. */
function* matchesIn(text: string, run: TokenRun, from: number): Generator<Match> {
  const isWhole = from <= run.start;
  const isLong = run.end - run.start >= SHORTEST_ENTROPIC_RUN;
  if (isWhole && isLong && matchAt(text, run, run.start) === null) {
    if (looksRandom(text.slice(run.start, run.end))) {
      yield { family: "high-entropy-token", start: run.start, end: run.end };
    } else yield* secondLook(text, run);
    return;
  }
  let cursor = Math.max(run.start, from);
  for (let match = findFamily(text, run, cursor); match !== null;) {
    yield match;
    cursor = match.end;
    match = findFamily(text, run, cursor);
  }
}

/** A long run that is not random may still hold a token; prose with dashes has no digit in it. */
function* secondLook(text: string, run: TokenRun): Generator<Match> {
  let match = findFamily(text, run, run.start);
  while (match !== null) {
    if (holdsDigit(text, match.start, match.end)) yield match;
    match = findFamily(text, run, match.end);
  }
}
