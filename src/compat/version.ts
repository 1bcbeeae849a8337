/**
 * Versions as both sides of the contract write them: SemVer 2.0.0, and the PEP 440 forms a Core may
 * report, which are translated to SemVer (compat.md section 5).
 *
 * Every step is linear in the text: a declaration may hold megabytes.
 *
 * @module
 */

import { strip } from "../platform/text.ts";

/** A version; numbers are digit strings, since they have no upper bound. */
export interface Version {
  readonly release: readonly [string, string, string];
  /** Pre-release identifiers; empty for a final release. */
  readonly prerelease: readonly string[];
  /** Build metadata without its plus sign; takes no part in any comparison. */
  readonly build: string | null;
}

const RELEASE = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;
const LEADING_ZERO = /^0[0-9]+$/;

const PEP_440 = new RegExp(
  "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(?:\\.(0|[1-9][0-9]*))?" +
    "(?:[._-]?(alpha|a|beta|b|rc|c|preview|pre)(?:[._-]?([0-9]+))?)?" +
    "(?:[._-]?(dev)(?:[._-]?([0-9]+))?)?$",
  "i",
);

const PHASES: Readonly<Record<string, string>> = {
  a: "alpha",
  alpha: "alpha",
  b: "beta",
  beta: "beta",
  c: "rc",
  rc: "rc",
  pre: "rc",
  preview: "rc",
};

/** A declared version: strict SemVer, surrounded by any white space; `null` when it is none. */
export function parseDeclaredVersion(text: string): Version | null {
  return parseSemver(strip(text));
}

/** Core's version: a PEP 440 form first, then SemVer; `null` when neither grammar reads it. */
export function parseCoreVersion(text: string): Version | null {
  const trimmed = strip(text);
  return parsePep440(trimmed) ?? parseSemver(trimmed);
}

/** Canonical SemVer text, build metadata kept. */
export function versionText(version: Version): string {
  return version.release.join(".") +
    (version.prerelease.length === 0 ? "" : `-${version.prerelease.join(".")}`) +
    (version.build === null ? "" : `+${version.build}`);
}

/** Identifiers are split before they are matched: one pattern over the list overflows the stack. */
function parseSemver(text: string): Version | null {
  const match = RELEASE.exec(text);
  if (match === null) return null;
  const [whole, major, minor, patch] = match;
  const plus = text.indexOf("+", whole.length);
  const front = text.slice(whole.length, plus === -1 ? text.length : plus);
  const build = plus === -1 ? null : text.slice(plus + 1);
  if (front !== "" && !front.startsWith("-")) return null;
  const prerelease = front === "" ? [] : front.slice(1).split(".");
  if (!prerelease.every((word) => IDENTIFIER.test(word) && !LEADING_ZERO.test(word))) return null;
  if (build !== null && !build.split(".").every((word) => IDENTIFIER.test(word))) return null;
  return { release: [major!, minor!, patch!], prerelease, build };
}

function parsePep440(text: string): Version | null {
  const match = PEP_440.exec(text);
  if (match === null) return null;
  const [, major, minor, patch = "0", label, labelNumber, dev, devNumber] = match;
  const prerelease: string[] = [];
  if (label !== undefined) {
    prerelease.push(PHASES[label.toLowerCase()]!, plainNumber(labelNumber));
  }
  if (dev !== undefined) prerelease.push("dev", plainNumber(devNumber));
  return { release: [major!, minor!, patch], prerelease, build: null };
}

/** An omitted number is 0, and leading zeros do not count (PEP 440). */
function plainNumber(digits: string | undefined): string {
  return (digits ?? "0").replace(/^0+(?=[0-9])/, "");
}
