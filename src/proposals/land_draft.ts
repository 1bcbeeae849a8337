/**
 * The last part of every draft: secret scan, then, under the write lock, the search for an equal
 * proposal, the caps and the files (proposals.md 1 P7, 2.1, 3.3).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { SOURCE_FILE_BYTES } from "../platform/files/mod.ts";
import { readConfiguration, withWriteLock } from "../projects/mod.ts";
import { refuseDraft } from "./_refuse.ts";
import { checkCaps, type ProposalLoad } from "./caps.ts";
import type { DraftContext } from "./draft_context.ts";
import { findEqual, type HeldRevision, heldRevisions } from "./find_equal.ts";
import { proposalEntries } from "./pending.ts";
import { bodyChannels, type Channel, documentChannels, scanChannels } from "./secret_channels.ts";
import { type StagedProposal, stageProposal } from "./stage.ts";

/** A proposal ready to be written, with its migration as a valid document. */
export interface PreparedDraft extends StagedProposal {
  readonly migrationId: string;
  readonly document: unknown;
}

/** The proposal that stands now: this draft's, or an equal one that was waiting. */
export interface LandedDraft {
  readonly proposalId: string;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly revisions: readonly HeldRevision[];
}

/** Longest migration that is drafted, in characters; accept reads longer ones (proposals.md 4.3). */
const MIGRATION_CHARACTERS = 1_000_000;

/**
 * Writes the draft, or finds its equal. Throws `secret-found`, `proposals-full`, `lock-timeout`,
 * `invalid-input`.
 */
export async function landDraft(
  draft: PreparedDraft,
  context: DraftContext,
): Promise<LandedDraft> {
  const { paths } = context.project;
  refuseOversized(draft);
  const configuration = readConfiguration(paths);
  if (configuration.secretScan === "block") refuseSecrets(draft, context.surface.speaks);
  return await withWriteLock(paths, () => {
    const entries = proposalEntries(paths);
    const equal = findEqual(entries, draft);
    if (equal !== null) return equal;
    checkCaps(entries, { proposals: 1, bytes: bytesOf(draft) }, configuration);
    stageProposal(paths, draft);
    const { proposalId, migrationId, migrationFile, document } = draft;
    return { proposalId, migrationId, migrationFile, revisions: heldRevisions(document) };
  }, { waitMs: context.lockWaitMs });
}

/**
 * Refuses what landing the draft would refuse, and writes nothing. `ahead` is what would be drafted
 * before it; answers what this one would add, which is nothing when its equal waits.
 */
export function rehearseDraft(
  draft: PreparedDraft,
  context: DraftContext,
  ahead: ProposalLoad,
): ProposalLoad {
  const { paths } = context.project;
  refuseOversized(draft);
  const configuration = readConfiguration(paths);
  if (configuration.secretScan === "block") refuseSecrets(draft, context.surface.speaks);
  const entries = proposalEntries(paths);
  if (findEqual(entries, draft) !== null) return { proposals: 0, bytes: 0 };
  const load = { proposals: 1, bytes: bytesOf(draft) };
  const whole = {
    proposals: ahead.proposals + load.proposals,
    bytes: ahead.bytes + load.bytes,
  };
  checkCaps(entries, whole, configuration);
  return load;
}

/** What acceptance could not read must not be drafted. */
function refuseOversized({ migration, evidence }: PreparedDraft): void {
  if (migration.length > MIGRATION_CHARACTERS) {
    throw refuseDraft(
      `Cannot draft: the migration would have more than ${MIGRATION_CHARACTERS} characters`,
      "Split the change into several proposals, or shorten its labels, paths, anchors or notes.",
    );
  }
  if (evidence.length > SOURCE_FILE_BYTES) {
    throw refuseDraft(
      "Cannot draft: the evidence record would be larger than 8 MiB",
      "Shorten the reasoning; keep what a reviewer needs.",
    );
  }
}

function refuseSecrets(draft: PreparedDraft, speaks: DraftContext["surface"]["speaks"]): void {
  const { findings } = scanChannels(channels(draft));
  if (findings.length === 0) return;
  throw new TheurianError(
    "secret-found",
    `Cannot draft: the text looks as if it held a secret: ${findings.slice(0, 5).join("; ")}`,
    {
      exit: 2,
      wireCode: "INVALID_INPUT",
      remedy: "Take the value out and rotate it if it is real; " +
        (speaks === "mcp"
          ? "then draft again."
          : "where it is no secret, set `security.secretScan` in .theurian/config.yaml to `warn`."),
    },
  );
}

function* channels(draft: PreparedDraft): Generator<Channel> {
  yield* bodyChannels(draft.bodies.map((body) => body.bytes));
  yield* documentChannels(draft.document);
  yield { label: "the migration filename", text: draft.migrationFile };
  yield { label: "the evidence record as written", text: draft.evidence };
}

/** Bytes that a draft takes on the disk. */
export function bytesOf(draft: StagedProposal): number {
  return draft.bodies.reduce((sum, body) => sum + body.bytes.length, 0) +
    new TextEncoder().encode(draft.evidence + draft.migration).length;
}
