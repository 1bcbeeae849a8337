/**
 * Whether a client may talk to this Core (compat.md sections 4 and 7). Pure: the answer depends on
 * the declared strings and on Core's two constants, and on nothing else.
 *
 * @module
 */

import { cut, escapeControls } from "../platform/text.ts";
import { compareVersions } from "./compare_versions.ts";
import { parseCoreVersion, parseDeclaredVersion, type Version, versionText } from "./version.ts";

/** What a client declares, as it declares it. */
export interface Declaration {
  readonly pluginVersion: string;
  readonly coreMinimum: string;
  readonly coreMaximumExclusive: string;
  readonly protocolVersion: string;
}

/** What Core reports; a `null` version means that Core is not there. */
export interface CoreFacts {
  readonly version: string | null;
  /** `null` or empty when Core reports none. */
  readonly protocol: string | null;
}

export const OUTCOMES = [
  "compatible",
  "core-missing",
  "core-too-old",
  "core-too-new",
  "protocol-mismatch",
] as const;
export type Outcome = typeof OUTCOMES[number];

/** The seven keys of a verdict, in the order they are shown. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly compatible: boolean;
  readonly message: string;
  /** Empty exactly when compatible. */
  readonly remedy: string;
  readonly pluginVersion: string;
  readonly coreVersion: string | null;
  readonly protocolVersion: string | null;
}

/** A declaration that cannot be judged. */
export interface InvalidDeclaration {
  readonly outcome: "invalid-declaration";
  readonly error: string;
}

/** How a person gets Core; named before anything that needs it (compat.md 4.3). */
export const INSTALLER =
  "download the archive for your platform and SHA256SUMS from the Theurian release page, verify the " +
  "checksum and put `theurian` on PATH, or run the release's install.sh (install.ps1 on Windows)";

/** Most characters of a declared text that a sentence repeats. */
const SHOWN = 120;

const PROTOCOL = /^theurian\/v[1-9][0-9]*$/;

/** Judges a declaration against Core. Takes any text and never throws. */
export function judge(declaration: Declaration, core: CoreFacts): Verdict | InvalidDeclaration {
  const plugin = parseDeclaredVersion(declaration.pluginVersion);
  const minimum = parseDeclaredVersion(declaration.coreMinimum);
  const ceiling = parseDeclaredVersion(declaration.coreMaximumExclusive);
  if (plugin === null) return notSemver("the plugin version", declaration.pluginVersion);
  if (minimum === null) return notSemver("the minimum of Core", declaration.coreMinimum);
  if (ceiling === null) return notSemver("the ceiling of Core", declaration.coreMaximumExclusive);
  if (compareVersions(ceiling, minimum) <= 0) {
    return invalid(
      `The range holds no version: the ceiling ${named(ceiling)} is not above the minimum ` +
        named(minimum),
    );
  }
  if (!PROTOCOL.test(declaration.protocolVersion)) {
    return invalid(
      `Cannot read the protocol version ${shown(declaration.protocolVersion)}: it must be ` +
        "theurian/v followed by a number from 1 on",
    );
  }
  const coreVersion = core.version === null ? null : parseCoreVersion(core.version);
  if (core.version !== null && coreVersion === null) {
    return invalid(
      `Cannot read the version of Core ${shown(core.version)}: it is neither PEP 440 nor SemVer`,
    );
  }
  const range = { plugin, minimum, ceiling };
  return resolve(range, declaration.protocolVersion, coreVersion, core.protocol || null);
}

interface Range {
  readonly plugin: Version;
  readonly minimum: Version;
  readonly ceiling: Version;
}

/** The first rule that applies decides; the range comes before the protocol (section 7). */
function resolve(
  { plugin, minimum, ceiling }: Range,
  declared: string,
  core: Version | null,
  protocol: string | null,
): Verdict {
  const name = named(plugin);
  const verdict = (outcome: Outcome, message: string, remedy: string): Verdict => ({
    outcome,
    compatible: outcome === "compatible",
    message,
    remedy,
    pluginVersion: versionText(plugin),
    coreVersion: core === null ? null : versionText(core),
    protocolVersion: core === null ? null : protocol,
  });
  if (core === null) return verdict("core-missing", CORE_MISSING.message, CORE_MISSING.remedy);
  const own = named(core);
  const bounds = `at least ${named(minimum)} and below ${named(ceiling)}`;
  if (compareVersions(core, minimum) < 0) {
    return verdict(
      "core-too-old",
      `Theurian Core ${own} is older than ${named(minimum)}, the least that this plugin ` +
        "works with.",
      `Install a Core of ${bounds}: ${INSTALLER}. Then start a new session.`,
    );
  }
  if (compareVersions(core, ceiling) >= 0) {
    return verdict(
      "core-too-new",
      `Theurian Core ${own} is newer than plugin ${name} supports: it works below ` +
        `${named(ceiling)}.`,
      "Update the plugin with `/plugin marketplace update theurian-plugins`, then " +
        "`/plugin install theurian@theurian-plugins`, and start a new session. Core was not changed.",
    );
  }
  if (protocol !== declared) {
    return verdict(
      "protocol-mismatch",
      `The plugin speaks ${cut(declared, SHOWN)}, Theurian Core speaks ${
        protocol === null ? "(no protocol reported)" : escapeControls(cut(protocol, SHOWN))
      }.`,
      "Update the plugin and Core to a pair that matches; docs/clients.md lists which versions do.",
    );
  }
  return verdict(
    "compatible",
    `Theurian plugin ${name} works with Core ${own} over ${cut(declared, SHOWN)}.`,
    "",
  );
}

/** The sentences of `core-missing`, which a client shows when it finds no Core to ask. */
export const CORE_MISSING = {
  message: "Theurian Core is not installed, or `theurian` is not on PATH.",
  remedy: `First install it: ${INSTALLER}. Then run /theurian:setup.`,
};

function notSemver(what: string, value: string): InvalidDeclaration {
  return invalid(`Cannot read ${what} ${shown(value)}: it must be SemVer, such as 1.2.3`);
}

/** A version in a sentence; the keys carry it whole. */
function named(version: Version): string {
  return cut(versionText(version), SHOWN);
}

function shown(value: string): string {
  return `"${escapeControls(cut(value, SHOWN))}"`;
}

function invalid(error: string): InvalidDeclaration {
  return { outcome: "invalid-declaration", error };
}
