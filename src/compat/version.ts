/**
 * Versions as both sides of the contract write them: SemVer 2.0.0, and the PEP 440 forms a Core may
 * report, which are translated to SemVer (compat.md section 5).
 *
 * @module
 */

/** A version; numbers are digit strings, since they have no upper bound. */
export interface Version {
  readonly release: readonly [string, string, string];
  /** Pre-release identifiers; empty for a final release. */
  readonly prerelease: readonly string[];
  /** Build metadata without its plus sign; takes no part in any comparison. */
  readonly build: string | null;
}

const SEMVER = new RegExp(
  "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)" +
    "(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)" +
    "(?:\\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?" +
    "(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
);

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

/** Unicode `White_Space` and U+001C to U+001F; JavaScript's own trim differs at both ends. */
const TRIMMED =
  "[\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const AROUND = new RegExp(`^${TRIMMED}|${TRIMMED}$`, "g");

/** A declared version: strict SemVer, surrounded by any white space; `null` when it is none. */
export function parseDeclaredVersion(text: string): Version | null {
  return parseSemver(text.replace(AROUND, ""));
}

/** Core's version: a PEP 440 form first, then SemVer; `null` when neither grammar reads it. */
export function parseCoreVersion(text: string): Version | null {
  const trimmed = text.replace(AROUND, "");
  return parsePep440(trimmed) ?? parseSemver(trimmed);
}

/** Canonical SemVer text, build metadata kept. */
export function versionText(version: Version): string {
  return version.release.join(".") +
    (version.prerelease.length === 0 ? "" : `-${version.prerelease.join(".")}`) +
    (version.build === null ? "" : `+${version.build}`);
}

function parseSemver(text: string): Version | null {
  const match = SEMVER.exec(text);
  if (match === null) return null;
  const [, major, minor, patch, prerelease, build] = match;
  return {
    release: [major!, minor!, patch!],
    prerelease: prerelease === undefined ? [] : prerelease.split("."),
    build: build ?? null,
  };
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
