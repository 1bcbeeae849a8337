/**
 * The last part of every draft: secret scan, then, under the write lock, the search for an equal
 * proposal, the caps and the files (proposals.md 1 P7, 2.1, 3.3).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { readRegularFile } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import { readConfiguration, withWriteLock } from "../projects/mod.ts";
import { checkCaps } from "./caps.ts";
import { changeFingerprint } from "./change_fingerprint.ts";
import type { DraftContext } from "./draft_context.ts";
import { PROPOSED_KNOWLEDGE } from "./layout.ts";
import { proposalEntries, type ProposalEntry } from "./pending.ts";
import { bodyChannels, type Channel, documentChannels, scanChannels } from "./secret_channels.ts";
import { type StagedProposal, stageProposal } from "./stage.ts";

/** A proposal ready to be written, with its migration as a value. */
export interface PreparedDraft extends StagedProposal {
  readonly document: unknown;
}

/** The proposal that stands now: this draft's, or an equal one that was waiting. */
export interface LandedDraft {
  readonly proposalId: string;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly bodies: readonly { readonly revisionId: string; readonly tail: string }[];
  /** False when an equal proposal was waiting. */
  readonly created: boolean;
}

/** Writes the draft, or finds its equal. Throws `secret-found`, `proposals-full`, `lock-timeout`. */
export async function landDraft(
  draft: PreparedDraft,
  context: DraftContext,
): Promise<LandedDraft> {
  const { paths } = context.project;
  const configuration = readConfiguration(paths);
  if (configuration.secretScan === "block") refuseSecrets(draft, context.surface.speaks);
  return await withWriteLock(paths, () => {
    const entries = proposalEntries(paths);
    const equal = findEqual(entries, draft);
    if (equal !== null) return equal;
    checkCaps(entries, bytesOf(draft), configuration);
    stageProposal(paths, draft);
    return landedFrom(draft.proposalId, draft.migrationFile, draft.document, true);
  }, { waitMs: context.lockWaitMs });
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

function bytesOf(draft: PreparedDraft): number {
  return draft.bodies.reduce((sum, body) => sum + body.bytes.length, 0) +
    new TextEncoder().encode(draft.evidence + draft.migration).length;
}

function findEqual(
  entries: readonly ProposalEntry[],
  draft: PreparedDraft,
): LandedDraft | null {
  const wanted = changeFingerprint(draft.document);
  for (const entry of entries) {
    const [file, ...more] = entry.migrationFiles;
    if (entry.local !== draft.local || file === undefined || more.length > 0) continue;
    const document = readDocument(join(entry.path, file));
    if (document === null || changeFingerprint(document) !== wanted) continue;
    const landed = landedFrom(entry.proposalId, file, document, false);
    if (landed.bodies.every(({ tail }, index) => bodyIs(entry, tail, draft.bodies[index]?.bytes))) {
      return landed;
    }
  }
  return null;
}

/** A waiting proposal that cannot be read is no equal; accepting it will say what is wrong. */
function readDocument(path: string): unknown {
  try {
    return parseYaml(readRegularFile(path), "the proposal's migration").value;
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

function bodyIs(entry: ProposalEntry, tail: string, bytes: Uint8Array | undefined): boolean {
  if (bytes === undefined) return false;
  try {
    const path = join(entry.path, PROPOSED_KNOWLEDGE, ...tail.split("/"));
    return sha256Hex(readRegularFile(path)) === sha256Hex(bytes);
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}

function landedFrom(
  proposalId: string,
  migrationFile: string,
  document: unknown,
  created: boolean,
): LandedDraft {
  const { id, operations } = document as {
    id: string;
    operations: readonly { op: string; revisionId: string; contentFile: string }[];
  };
  const bodies = operations.filter(({ op }) => op === "upsertRevision").map((operation) => ({
    revisionId: operation.revisionId,
    tail: operation.contentFile.replace(/^\.\.\/knowledge\//, ""),
  }));
  return { proposalId, migrationId: id, migrationFile, bodies, created };
}
