/**
 * What makes two drafts the same change: everything but what was minted for them (proposals.md 1,
 * P7).
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import { sortedJson } from "../platform/json.ts";

/** SHA-256 over a migration document without its id, time, revision ids and body places. */
export function changeFingerprint(document: unknown): string {
  const { id: _id, createdAt: _createdAt, ...rest } = asRecord(document);
  const operations = Array.isArray(rest.operations) ? rest.operations.map(withoutMinted) : null;
  return sha256Hex(sortedJson({ ...rest, operations }));
}

function withoutMinted(operation: unknown): unknown {
  if (asRecord(operation).op !== "upsertRevision") return operation;
  const { revisionId: _revision, contentFile: _file, ...rest } = asRecord(operation);
  return rest;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}
