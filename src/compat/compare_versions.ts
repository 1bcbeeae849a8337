/**
 * One total order for every comparison: SemVer's, with pre-releases ranked by the release train
 * `dev < alpha < beta < rc < final`, and a development build of a pre-release below it
 * (compat.md section 6).
 *
 * @module
 */

import type { Version } from "./version.ts";

/** Below every alphanumeric identifier. Outside the alphabet, so that no input spells it. */
const LOW = "!dev";
/** Above every alphanumeric identifier. */
const HIGH = "~final";

/** Negative when `a` sorts before `b`, positive when after, 0 when equal up to build metadata. */
export function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    const order = compareDigits(a.release[i]!, b.release[i]!);
    if (order !== 0) return order;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) {
    return Math.sign(b.prerelease.length - a.prerelease.length);
  }
  return compareIdentifiers(onTrain(a.prerelease), onTrain(b.prerelease));
}

/**
 * Rewrites a list for the release train. Every list is rewritten before any comparison: consulting
 * phases only where both sides have one gives a cycle.
 */
function onTrain(identifiers: readonly string[]): readonly string[] {
  const [first, second] = identifiers;
  if (first === "dev") return [LOW, ...identifiers.slice(1)];
  const isPhase = identifiers.length === 2 && isDigits(second!) &&
    (first === "alpha" || first === "beta" || first === "rc");
  return isPhase ? [...identifiers, HIGH] : identifiers;
}

function compareIdentifiers(a: readonly string[], b: readonly string[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compareIdentifier(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

function compareIdentifier(a: string, b: string): number {
  const numeric = isDigits(a);
  if (numeric !== isDigits(b)) return numeric ? -1 : 1;
  if (numeric) return compareDigits(a, b);
  // "!" and "~" enclose the identifier alphabet in ASCII, which puts both marks in their places.
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareDigits(a: string, b: string): number {
  if (a.length !== b.length) return Math.sign(a.length - b.length);
  return a < b ? -1 : a > b ? 1 : 0;
}

function isDigits(text: string): boolean {
  return /^[0-9]+$/.test(text);
}
