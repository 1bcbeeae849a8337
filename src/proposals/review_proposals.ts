/**
 * What a reviewer sees: the list of proposals, and one proposal against what stands now
 * (cli-and-plugins.md 3.2).
 *
 * @module
 */

import { join } from "node:path";
import {
  inApplicationOrder,
  inspectMigrationSet,
  joinMigration,
  type Migration,
  type MigrationSet,
  parseMigration,
  type PermissiveMove,
  type Replay,
  replay,
} from "../knowledge/mod.ts";
import { type Clock } from "../platform/clock.ts";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, readRegularFileIfPresent } from "../platform/files/mod.ts";
import { instantOf } from "../platform/timestamp.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { changesOf, type ProposedChange } from "./changes.ts";
import { namedItems } from "./evidence_text.ts";
import { EVIDENCE_FILE } from "./layout.ts";
import { proposalEntries, type ProposalEntry } from "./pending.ts";
import { readPlain } from "./_read_plain.ts";
import { readProposal } from "./read_proposal.ts";
import { landingPath } from "./rehearse.ts";
import { fateOf } from "./without_migration.ts";
import { unusable } from "./find_proposal.ts";
import type { JsonValue } from "../platform/json.ts";

/** Where a proposal stands. */
export type ProposalState = "pending" | "accepted" | "interrupted";

/** One line of the list. */
export interface ListedProposal {
  readonly proposalId: string;
  readonly state: ProposalState;
  readonly local: boolean;
  readonly author: string | null;
  readonly createdAt: string | null;
  readonly ageDays: number | null;
  readonly itemIds: readonly string[];
  /** `new`, `update` or both as `mixed` for content; `operations` for a document. */
  readonly change: "new" | "update" | "mixed" | "operations" | null;
  readonly migrationFile: string | null;
}

/** A proposal that could not be read. */
export interface UnreadableProposal {
  readonly proposalId: string;
  readonly reason: string;
}

const DAY = 86_400_000_000n;

/** Every proposal, oldest first; one that cannot be read names itself and hides no other. */
export function listProposals(
  paths: ProjectPaths,
  clock: Clock,
): {
  readonly proposals: readonly ListedProposal[];
  readonly unreadable: readonly UnreadableProposal[];
} {
  const { set } = inspectMigrationSet(paths);
  const proposals: ListedProposal[] = [];
  const unreadable: UnreadableProposal[] = [];
  for (const entry of proposalEntries(paths)) {
    try {
      proposals.push(listed(entry, set, clock));
    } catch (error) {
      if (!isFault(error)) throw error;
      unreadable.push({ proposalId: entry.proposalId, reason: error.message });
    }
  }
  return { proposals, unreadable };
}

function listed(
  entry: ProposalEntry,
  set: MigrationSet | null,
  clock: Clock,
): ListedProposal {
  const state = stateOf(entry, set);
  const migration = state === "pending" ? pendingMigration(entry) : landedMigration(entry, set);
  const created = migration === null ? null : instantOf(migration.createdAt);
  return {
    proposalId: entry.proposalId,
    state,
    local: entry.local,
    author: migration?.author ?? null,
    createdAt: migration?.createdAt ?? null,
    ageDays: created === null
      ? null
      : Math.max(0, Number((BigInt(clock.now()) * 1000n - created) / DAY)),
    itemIds: migration === null ? [] : namedItems(migration.operations as unknown as JsonValue),
    change: migration === null ? null : kindOfChange(migration),
    migrationFile: entry.migrationFiles[0] ?? null,
  };
}

/** The state as the directory and the landed set tell it; there is no status file. */
export function stateOf(entry: ProposalEntry, set: MigrationSet | null): ProposalState {
  if (entry.migrationFiles.length > 0) return "pending";
  if (set === null) return "interrupted";
  return fateOf(entry, set).startsWith("accepted") ? "accepted" : "interrupted";
}

function pendingMigration(entry: ProposalEntry): Migration {
  if (entry.migrationFiles.length > 1) {
    throw unusable("it holds more than one migration file", "Keep the one that is meant.");
  }
  const bytes = readPlain(entry.path, [entry.migrationFiles[0]!], "the proposal's migration")!;
  const { migration, faults } = parseMigration(parseYaml(bytes, "the proposal's migration").value);
  if (migration !== null) return migration;
  throw unusable(
    `its migration breaks a rule at ${faults[0]!.location}: ${faults[0]!.rule}`,
    "Correct it, or draft the change again.",
  );
}

function landedMigration(entry: ProposalEntry, set: MigrationSet | null): Migration | null {
  const id = evidenceOf(entry)?.["migrationId"];
  return typeof id === "string" ? set?.byId.get(id)?.migration ?? null : null;
}

function kindOfChange(migration: Migration): ListedProposal["change"] {
  const kinds = new Set(
    migration.operations.flatMap((one) =>
      one.op === "upsertRevision" ? [one.expectedRevision === null ? "new" : "update"] : []
    ),
  );
  if (kinds.size === 0) return "operations";
  return kinds.size > 1 ? "mixed" : [...kinds][0] as "new" | "update";
}

/** One proposal as a reviewer reads it. */
export interface ShownProposal {
  readonly proposalId: string;
  readonly state: ProposalState;
  readonly proposalDirectory: string;
  readonly migrationId: string;
  readonly author: string;
  readonly createdAt: string;
  readonly description: string | null;
  readonly operations: readonly string[];
  readonly changes: readonly ProposedChange[];
  /** Rows that the proposal adds to the report of the whole set. */
  readonly permissiveMoves: readonly PermissiveMove[];
  readonly evidence: Readonly<Record<string, unknown>> | null;
}

/**
 * Shows a pending proposal against the landed set. Throws `proposal-unusable` for one that is not
 * pending or cannot be read.
 */
export function showProposal(
  paths: ProjectPaths,
  entry: ProposalEntry,
  landed: MigrationSet,
): ShownProposal {
  if (entry.migrationFiles.length === 0) {
    throw unusable(
      `it is ${stateOf(entry, landed)}, there is nothing left to show`,
      "See the landed migration with `git log -p -- .theurian/migrations`.",
    );
  }
  const proposal = readProposal(paths, entry, landed);
  const union = joinMigration(landed, {
    path: landingPath(proposal),
    bytes: proposal.bytes,
    bodies: proposal.byContentFile,
  });
  const migration = union.byId.get(proposal.document["id"] as string)!.migration;
  const before = replay(inApplicationOrder(landed), null);
  return {
    proposalId: entry.proposalId,
    state: "pending",
    proposalDirectory: entry.directory,
    migrationId: migration.id,
    author: migration.author,
    createdAt: migration.createdAt,
    description: migration.description,
    operations: migration.operations.map((operation) => operation.op),
    changes: changesOf(migration, before, landed, proposal),
    permissiveMoves: newMoves(before, union),
    evidence: evidenceOf(entry),
  };
}

/** A set that would not replay has no report; accepting says what is wrong with it. */
function newMoves(before: Replay, union: MigrationSet): readonly PermissiveMove[] {
  try {
    const known = new Set(before.permissiveMoves.map((move) => JSON.stringify(move)));
    return replay(inApplicationOrder(union), null).permissiveMoves
      .filter((move) => !known.has(JSON.stringify(move)));
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  }
}

function evidenceOf(entry: ProposalEntry): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = readRegularFileIfPresent(join(entry.path, EVIDENCE_FILE));
    const text = bytes === null ? null : decodeUtf8(bytes);
    const value: unknown = text === null ? null : JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value)
      ? value as Record<string, unknown> | null
      : null;
  } catch (error) {
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
