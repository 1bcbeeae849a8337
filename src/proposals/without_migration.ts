/**
 * A proposal directory without a migration file: was it accepted, or never finished?
 * (proposals.md 6.7)
 *
 * @module
 */

import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { listDirectory } from "../platform/files/mod.ts";
import { isUlid } from "../platform/ulid.ts";
import type { MigrationSet } from "../knowledge/mod.ts";
import { readEvidenceRecord } from "./_evidence_record.ts";
import { namedItems } from "./evidence_text.ts";
import { BODY_FILE_NAME, EVIDENCE_FILE } from "./layout.ts";
import type { ProposalEntry } from "./pending.ts";
import { unusable } from "./find_proposal.ts";
import type { JsonValue } from "../platform/json.ts";

/** What became of a proposal whose migration file is gone. */
export type Fate =
  | "accepted"
  | "accepted-unconfirmed"
  | "accepted-inferred"
  | "not-accepted"
  | "unfinished"
  | "empty"
  | "indeterminate";

/** Tells what became of the proposal. Reads the evidence record and the landed set only. */
export function fateOf(entry: ProposalEntry, landed: MigrationSet): Fate {
  const record = readEvidenceRecord(entry.path);
  if (record === "unreadable") return "indeterminate";
  const migrationId = record?.["migrationId"];
  if (typeof migrationId === "string" && isUlid(migrationId)) {
    const migration = landed.byId.get(migrationId)?.migration;
    if (migration === undefined) return "not-accepted";
    const named = namedItems(migration.operations as unknown as JsonValue);
    const claimed = [record!["itemId"]].flat().filter((id) => typeof id === "string");
    return claimed.some((id) => named.includes(id)) ? "accepted" : "accepted-unconfirmed";
  }
  if (holdsDraftedBody(entry.path)) return "unfinished";
  return listDirectory(entry.path).length === 0 ? "empty" : "accepted-inferred";
}

/** The refusal that an accept gives for a fate. */
export function refuseFate(fate: Fate, entry: ProposalEntry): TheurianError {
  switch (fate) {
    case "accepted":
      return accepted("it was accepted already: its migration is in place");
    case "accepted-unconfirmed":
      return accepted(
        "a migration with its id is in place, but nothing here confirms that it is this one",
      );
    case "accepted-inferred":
      return accepted("its migration is gone, as it is after an acceptance");
    case "not-accepted":
      return unusable(
        "its migration file is missing and no migration with its id is in place",
        `Restore the file with git, or discard it with \`theurian propose discard ${entry.proposalId}\` and draft again.`,
      );
    case "unfinished":
      return unusable(
        "it was never finished: there is a body but no migration",
        `Discard it with \`theurian propose discard ${entry.proposalId}\` and draft again.`,
      );
    case "empty":
      return new TheurianError("proposal-accepted", EMPTY, { remedy: LOOK_FIRST });
    case "indeterminate":
      return unusable(
        `${entry.directory}/${EVIDENCE_FILE} cannot be read, so nothing tells what became of it`,
        "Look at the directory and at `git log -- .theurian/migrations`, then delete the directory if it is done with.",
      );
  }
}

const EMPTY =
  "Cannot accept the proposal again: its directory is empty, as it is after an acceptance";
const LOOK_FIRST = "Look at `theurian migrate status` and `git log -- .theurian/migrations` " +
  "before drafting this change again.";

function accepted(reason: string): TheurianError {
  return new TheurianError("proposal-accepted", `Cannot accept the proposal again: ${reason}`, {
    remedy: LOOK_FIRST,
  });
}

function holdsDraftedBody(path: string): boolean {
  return listDirectory(path).some((entry) =>
    entry.kind === "directory"
      ? holdsDraftedBody(join(path, entry.name))
      : BODY_FILE_NAME.test(entry.name)
  );
}
