/**
 * The secret scan of an acceptance (proposals.md 6.3).
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { listDirectory } from "../platform/files/mod.ts";
import type { SecretPolicy } from "../projects/mod.ts";
import { readPlain } from "./_read_plain.ts";
import { screenedName } from "./_screened.ts";
import { EVIDENCE_FILE } from "./layout.ts";
import type { ReadProposal } from "./read_proposal.ts";
import { bodyChannels, type Channel, documentChannels, scanChannels } from "./secret_channels.ts";

/** What the scan says in the answer. */
export interface ProposalScan {
  readonly findings: readonly string[];
  /** What was not scanned, as a report names it. */
  readonly skipped: readonly string[];
}

/** Findings that a refusal lists. */
const LISTED = 5;
const EVIDENCE_LABEL = "the evidence record as written";

/** Other files of a proposal that are read; a drafted one has none. */
const OTHER_FILES = 100;
const MORE_FILES = "further files of the proposal";

/** A file beside the drafted ones, and its bytes where it could be read. */
interface OtherFile {
  readonly path: string;
  readonly label: string;
  readonly bytes: Uint8Array | null;
}

/**
 * Scans everything that would land, and everything in the directory, which its author is told to
 * commit. Throws `secret-found` under `block`, and then also for evidence that cannot be read.
 */
export function scanProposal(proposal: ReadProposal, policy: SecretPolicy): ProposalScan {
  if (policy === "off") return { findings: [], skipped: [] };
  const evidence = readEvidence(proposal, policy);
  // What Git ignores is not committed by accident.
  const others = proposal.entry.local ? [] : otherFiles(proposal);
  const { findings, unscanned } = scanChannels(channels(proposal, evidence, others));
  if (policy === "block" && findings.length > 0) throw found(findings);
  const skipped = [
    ...(unscanned.includes(EVIDENCE_LABEL) || evidence === "unreadable" ? [EVIDENCE_LABEL] : []),
    ...others.filter(({ label, bytes }) => bytes === null || unscanned.includes(label))
      .map(({ label }) => label),
  ];
  return { findings, skipped: [...new Set(skipped)] };
}

function* channels(
  proposal: ReadProposal,
  evidence: Uint8Array | null | "unreadable",
  others: readonly OtherFile[],
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
  for (const { path, label, bytes } of others) {
    yield { label: "the name of another file of the proposal", text: path };
    if (bytes !== null) yield { label, text: decoder.decode(bytes) };
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

function otherFiles({ entry, migrationFile, bodies }: ReadProposal): readonly OtherFile[] {
  const known = new Set([
    join(entry.path, EVIDENCE_FILE),
    join(entry.path, migrationFile),
    ...bodies.map((body) => body.source),
  ]);
  const others: OtherFile[] = [];
  for (const parts of partsBelow(entry.path, [])) {
    if (known.has(join(entry.path, ...parts))) continue;
    const path = parts.join("/");
    if (others.length === OTHER_FILES) {
      others.push({ path, label: MORE_FILES, bytes: null });
      break;
    }
    others.push({ path, label: `the file ${screenedName(path)}`, bytes: readOther(entry, parts) });
  }
  return others;
}

function readOther(entry: ReadProposal["entry"], parts: readonly string[]): Uint8Array | null {
  try {
    return readPlain(entry.path, parts, "another file");
  } catch (error) {
    if (!isFault(error)) throw error;
    return null;
  }
}

function* partsBelow(directory: string, parts: readonly string[]): Generator<readonly string[]> {
  for (const { name, kind } of listDirectory(join(directory, ...parts))) {
    if (kind === "directory") yield* partsBelow(directory, [...parts, name]);
    else yield [...parts, name];
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
