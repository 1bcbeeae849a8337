/**
 * Where a concept says that it comes from (okf.md 5.2; section 6 on anchors of our own bundles).
 *
 * @module
 */

import type { SourceAnchor } from "../knowledge/mod.ts";
import { codePointLength, WHITESPACE_CLASS } from "../platform/text.ts";

/** Provider of an anchor of which a bundle says no more than an address. */
const FOREIGN_PROVIDER = "okf-source";

const HAS_WHITESPACE = new RegExp(`[${WHITESPACE_CLASS}]`);
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
const GIT_OBJECT = /^[0-9a-f]{7,64}$/;

/** Longest texts of an anchor, as the migration schema bounds them. */
const LONGEST = { provider: 64, repository: 512, filePath: 1_024 };

/** An anchor with nothing but its provider and address. */
export function plainAnchor(provider: string, sourceUri: string): SourceAnchor {
  return {
    provider,
    sourceUri,
    repository: null,
    commitSha: null,
    blobSha: null,
    filePath: null,
    lineStart: null,
    lineEnd: null,
    externalId: null,
  };
}

/**
 * Anchors of the acceptable entries of `sources`, in order. Judged by syntax alone; nothing is ever
 * opened. With `restore`, what the exporter wrote of an anchor is read back, member by member.
 */
export function sourceAnchors(value: unknown, restore: boolean): readonly SourceAnchor[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const { resource, theurian_anchor: written } = mappingOf(entry);
    if (typeof resource !== "string" || !isAcceptable(resource)) return [];
    const provider = textOf(mappingOf(written)["provider"], LONGEST.provider);
    return restore && provider !== null && provider !== ""
      ? [restoredAnchor(provider, resource, mappingOf(written))]
      : [plainAnchor(FOREIGN_PROVIDER, resource)];
  });
}

function isAcceptable(resource: string): boolean {
  if (resource === "" || HAS_WHITESPACE.test(resource)) return false;
  return HAS_SCHEME.test(resource) || !resource.startsWith("/");
}

/** What no migration could hold is left out; the rest of the anchor stays. */
function restoredAnchor(
  provider: string,
  sourceUri: string,
  written: Readonly<Record<string, unknown>>,
): SourceAnchor {
  const commit = textOf(written["commit_sha"], 64);
  const start = lineOf(written["line_start"]);
  const end = lineOf(written["line_end"]);
  return {
    ...plainAnchor(provider, sourceUri),
    repository: textOf(written["repository"], LONGEST.repository),
    commitSha: commit !== null && GIT_OBJECT.test(commit) ? commit : null,
    filePath: textOf(written["file_path"], LONGEST.filePath),
    lineStart: start,
    lineEnd: start !== null && end !== null && end >= start ? end : null,
  };
}

function textOf(value: unknown, longest: number): string | null {
  return typeof value === "string" && codePointLength(value) <= longest ? value : null;
}

function lineOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 1 ? (value as number) : null;
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}
