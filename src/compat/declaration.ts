/**
 * The declaration a client ships as `compatibility.yaml` (compat.md section 2). Takes the parsed
 * value, so that nothing here loads a parser.
 *
 * @module
 */

import { parseDeclaredVersion, versionText } from "./version.ts";
import type { Declaration } from "./verdict.ts";

/** Checks a parsed document against the published schema; a sentence says what is wrong. */
export function declarationOf(value: unknown): Declaration | { readonly fault: string } {
  const fault = shapeFault(value);
  if (fault !== null) return { fault };
  const document = value as {
    pluginVersion: string;
    coreCompatibility: { minimum: string; maximumExclusive: string };
    protocolVersion: string;
  };
  return {
    pluginVersion: document.pluginVersion,
    coreMinimum: document.coreCompatibility.minimum,
    coreMaximumExclusive: document.coreCompatibility.maximumExclusive,
    protocolVersion: document.protocolVersion,
  };
}

function shapeFault(value: unknown): string | null {
  return objectFault(value, "the document", [
    "pluginVersion",
    "coreCompatibility",
    "protocolVersion",
  ]) ?? objectFault(
    (value as Record<string, unknown>)["coreCompatibility"],
    "coreCompatibility",
    ["minimum", "maximumExclusive"],
  ) ?? valueFault(value as Record<string, unknown>);
}

function objectFault(value: unknown, name: string, keys: readonly string[]): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return `${name} must be a mapping`;
  }
  const missing = keys.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${name} has no "${missing}"`;
  return Object.keys(value).every((key) => keys.includes(key))
    ? null
    : `${name} may hold only ${keys.join(", ")}`;
}

function valueFault(document: Record<string, unknown>): string | null {
  const core = document["coreCompatibility"] as Record<string, unknown>;
  for (
    const [name, value] of [
      ["pluginVersion", document["pluginVersion"]],
      ["coreCompatibility.minimum", core["minimum"]],
      ["coreCompatibility.maximumExclusive", core["maximumExclusive"]],
    ] as const
  ) {
    const version = typeof value === "string" ? parseDeclaredVersion(value) : null;
    if (version === null || versionText(version) !== value) {
      return `${name} must be SemVer written as text, such as 1.2.3`;
    }
  }
  const protocol = document["protocolVersion"];
  return typeof protocol === "string" && /^theurian\/v[1-9][0-9]*$/.test(protocol)
    ? null
    : "protocolVersion must be theurian/v followed by a number from 1 on";
}
