/**
 * The secret scan of an acceptance (proposals.md 6.3).
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import type { SecretPolicy } from "../projects/mod.ts";
import { readPlain } from "./_read_plain.ts";
import { EVIDENCE_FILE } from "./layout.ts";
import type { ReadProposal } from "./read_proposal.ts";
import { bodyChannels, type Channel, documentChannels, scanChannels } from "./secret_channels.ts";

/** What the scan says in the answer. */
export interface ProposalScan {
  readonly findings: readonly string[];
  readonly skipped: readonly string[];
}

/** Findings that a refusal lists. */
const LISTED = 5;
const EVIDENCE_LABEL = "the evidence record as written";

/** Scans everything that would land or be committed. Throws `secret-found` under `block`. */
export function scanProposal(proposal: ReadProposal, policy: SecretPolicy): ProposalScan {
  if (policy === "off") return { findings: [], skipped: [] };
  const evidence = readEvidence(proposal, policy);
  const { findings, unscanned } = scanChannels(channels(proposal, evidence));
  if (policy === "block" && findings.length > 0) throw found(findings);
  const skipped = unscanned.includes(EVIDENCE_LABEL) || evidence === "unreadable"
    ? [EVIDENCE_LABEL]
    : [];
  return { findings, skipped };
}

function* channels(
  proposal: ReadProposal,
  evidence: Uint8Array | null | "unreadable",
): Generator<Channel> {
  yield* bodyChannels(proposal.bodies.map((body) => body.bytes));
  yield* documentChannels(proposal.document);
  const decoder = new TextDecoder();
  yield { label: "the migration file as written", text: decoder.decode(proposal.bytes) };
  yield { label: "the migration filename", text: proposal.migrationFile };
  for (const [index, body] of proposal.bodies.entries()) {
    yield { label: `the landed path of body[${index}]`, text: body.landsAt };
  }
  if (evidence instanceof Uint8Array) {
    yield { label: EVIDENCE_LABEL, text: decoder.decode(evidence) };
  }
}

function readEvidence(
  proposal: ReadProposal,
  policy: SecretPolicy,
): Uint8Array | null | "unreadable" {
  try {
    return readPlain(proposal.entry.path, [EVIDENCE_FILE], "the evidence record");
  } catch (error) {
    if (!isFault(error) || policy === "block") throw error;
    return "unreadable";
  }
}

function found(findings: readonly string[]): TheurianError {
  return new TheurianError(
    "secret-found",
    `Cannot accept the proposal: it looks as if it held a secret: ${
      findings.slice(0, LISTED).join("; ")
    }`,
    {
      remedy:
        "Rotate the value if it is real and take it out of the proposal. Where it is no secret, " +
        "set `security.secretScan` in .theurian/config.yaml to `warn`.",
    },
  );
}
