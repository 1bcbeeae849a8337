/**
 * Finds the waiting proposal that says what a new draft says, so that a client which asks twice gets
 * one proposal (proposals.md 1, P7).
 *
 * @module
 */

import { join } from "node:path";
import { parseMigration } from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, readRegularFile } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import { changeFingerprint } from "./change_fingerprint.ts";
import { contentFileOf, MIGRATION_FILE_NAME, PROPOSED_KNOWLEDGE } from "./layout.ts";
import type { ProposalEntry } from "./pending.ts";

/** A draft to compare with, its migration as a value. */
export interface ComparableDraft {
  readonly local: boolean;
  readonly migrationFile: string;
  readonly document: unknown;
  readonly bodies: readonly { readonly tail: string; readonly bytes: Uint8Array }[];
}

/** A revision that a proposal holds. */
export interface HeldRevision {
  readonly revisionId: string;
  /** Its body's place below `knowledge/`. */
  readonly tail: string;
}

/** The equal of a draft. */
export interface EqualProposal {
  readonly proposalId: string;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly revisions: readonly HeldRevision[];
}

/**
 * The waiting proposal with the same change, or `null`. Only files that carry the draft's slug and
 * the digests of its bodies are parsed, so the cost hardly grows with what waits.
 */
export function findEqual(
  entries: readonly ProposalEntry[],
  draft: ComparableDraft,
): EqualProposal | null {
  const wanted = changeFingerprint(draft.document);
  const digests = draft.bodies.map((body) => sha256Hex(body.bytes));
  for (const entry of entries) {
    const [file, ...more] = entry.migrationFiles;
    if (entry.local !== draft.local || file === undefined || more.length > 0) continue;
    if (behindId(file) !== behindId(draft.migrationFile)) continue;
    const document = readDocument(join(entry.path, file), digests);
    if (document === null || changeFingerprint(document) !== wanted) continue;
    const { id } = document as { id: string };
    const revisions = heldRevisions(document);
    if (id !== MIGRATION_FILE_NAME.exec(file)![1] || !isAsDrafted(entry, revisions, draft)) {
      continue;
    }
    return { proposalId: entry.proposalId, migrationId: id, migrationFile: file, revisions };
  }
  return null;
}

/** The revisions of a valid migration document, in its order. */
export function heldRevisions(document: unknown): readonly HeldRevision[] {
  const { operations } = document as {
    operations: readonly { op: string; revisionId: string; contentFile: string }[];
  };
  return operations.filter(({ op }) => op === "upsertRevision").map((operation) => ({
    revisionId: operation.revisionId,
    tail: operation.contentFile.slice(contentFileOf("").length),
  }));
}

function behindId(migrationFile: string): string {
  return migrationFile.slice(26);
}

/** A file that is no valid migration is no equal; accepting it will say what is wrong. */
function readDocument(path: string, digests: readonly string[]): unknown {
  try {
    const bytes = readRegularFile(path);
    const text = decodeUtf8(bytes);
    if (text === null || !digests.every((digest) => text.includes(digest))) return null;
    const { value } = parseYaml(bytes, "the proposal's migration");
    return parseMigration(value).migration === null ? null : value;
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** True when every body still is where the draft would put it, with the draft's bytes. */
function isAsDrafted(
  entry: ProposalEntry,
  revisions: readonly HeldRevision[],
  { document, bodies }: ComparableDraft,
): boolean {
  const drafted = heldRevisions(document);
  return revisions.every(({ revisionId, tail }, index) => {
    const { bytes } = bodies[index]!;
    const { revisionId: minted, tail: place } = drafted[index]!;
    return tail === place.replace(minted, revisionId) && bodyIs(entry, tail, bytes);
  });
}

function bodyIs(entry: ProposalEntry, tail: string, bytes: Uint8Array): boolean {
  try {
    const path = join(entry.path, PROPOSED_KNOWLEDGE, ...tail.split("/"));
    return sha256Hex(readRegularFile(path)) === sha256Hex(bytes);
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}
