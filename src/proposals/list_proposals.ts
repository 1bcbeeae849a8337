/**
 * The proposals of a project, one line each (cli-and-plugins.md 3.2).
 *
 * @module
 */

import {
  inspectMigrationSet,
  type Migration,
  type MigrationSet,
  openSourceCache,
  parseMigration,
} from "../knowledge/mod.ts";
import type { Clock } from "../platform/clock.ts";
import { isFault } from "../platform/errors.ts";
import type { JsonValue } from "../platform/json.ts";
import { instantOf } from "../platform/timestamp.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { readEvidenceRecord } from "./_evidence_record.ts";
import { asUnusable, readPlain } from "./_read_plain.ts";
import { namedItems } from "./evidence_text.ts";
import { unusable } from "./find_proposal.ts";
import { proposalEntries, type ProposalEntry } from "./pending.ts";
import { type ProposalState, stateOf } from "./proposal_state.ts";

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

/** What a list holds. */
export interface ProposalList {
  readonly proposals: readonly ListedProposal[];
  readonly unreadable: readonly UnreadableProposal[];
}

const DAY = 86_400_000_000n;
const MIGRATION = "the proposal's migration";

/** Every proposal, oldest first; one that cannot be read names itself and hides no other. */
export function listProposals(
  paths: ProjectPaths,
  dataDirectory: string,
  clock: Clock,
): ProposalList {
  const { set } = inspectMigrationSet(paths, { cache: openSourceCache(paths, dataDirectory) });
  const proposals: ListedProposal[] = [];
  const unreadable: UnreadableProposal[] = [];
  for (const entry of proposalEntries(paths)) {
    try {
      proposals.push(listed(paths, entry, set, clock));
    } catch (error) {
      if (!isFault(error)) throw error;
      unreadable.push({ proposalId: entry.proposalId, reason: error.message });
    }
  }
  return { proposals, unreadable };
}

function listed(
  paths: ProjectPaths,
  entry: ProposalEntry,
  set: MigrationSet | null,
  clock: Clock,
): ListedProposal {
  const state = stateOf(paths, entry, set);
  if (state === null) {
    throw unusable(
      "while the landed migrations do not load, nothing tells whether it was accepted",
      "Repair them first; `theurian migrate validate` says what is wrong.",
    );
  }
  const [file] = entry.migrationFiles;
  const migration = file === undefined ? landedMigration(entry, set) : ownMigration(entry);
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
    migrationFile: file ?? null,
  };
}

function ownMigration(entry: ProposalEntry): Migration {
  const [file, ...more] = entry.migrationFiles;
  if (more.length > 0) {
    throw unusable("it holds more than one migration file", "Keep the one that is meant.");
  }
  const bytes = readPlain(entry.path, [file!], MIGRATION);
  if (bytes === null) throw unusable("its migration file is gone", "Draft the change again.");
  const { migration, faults } = parseMigration(parsed(bytes));
  if (migration !== null) return migration;
  throw unusable(
    `its migration breaks a rule at ${faults[0]!.location}: ${faults[0]!.rule}`,
    "Correct it, or draft the change again.",
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseYaml(bytes, MIGRATION).value;
  } catch (error) {
    if (!isFault(error)) throw error;
    throw asUnusable(error, MIGRATION);
  }
}

function landedMigration(entry: ProposalEntry, set: MigrationSet | null): Migration | null {
  const record = readEvidenceRecord(entry.path);
  const id = record === "unreadable" ? null : record?.["migrationId"];
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
