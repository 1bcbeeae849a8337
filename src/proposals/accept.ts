/**
 * Acceptance: a person moves a proposal's files into place, for a pull request that approves them by
 * being merged (proposals.md 6). Command line only.
 *
 * @module
 */

import { loadMigrationSet, openSourceCache, verifyHistory } from "../knowledge/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  type Project,
  readConfiguration,
  type SecretPolicy,
  withWriteLock,
} from "../projects/mod.ts";
import { findProposal, proposalIdOf } from "./find_proposal.ts";
import { clearProposal, moveIntoPlace } from "./move_into_place.ts";
import { readProposal } from "./read_proposal.ts";
import { landingPath, rehearse } from "./rehearse.ts";
import { scanProposal } from "./scan_proposal.ts";
import { fateOf, refuseFate } from "./without_migration.ts";

/** What an acceptance answers (proposals.md 6.2). */
export interface Acceptance {
  readonly proposalId: string;
  /** Project-relative path, unlike a draft's file name. */
  readonly migrationFile: string;
  readonly bodyFiles: readonly string[];
  readonly replacedBodies: readonly string[];
  readonly secretScanPolicy: SecretPolicy;
  readonly secretFindings: readonly string[];
  readonly secretScanSkipped: readonly string[];
  readonly nextSteps: readonly string[];
  readonly remedy?: string;
}

/**
 * Accepts a proposal under the project's write lock, or refuses and moves nothing. Exit codes as in
 * proposals.md 6.8: 1 this proposal as it stands, 2 no id, 4 the knowledge state needs a look first.
 */
export async function acceptProposal(
  project: Project,
  dataDirectory: string,
  id: string,
): Promise<Acceptance> {
  const proposalId = proposalIdOf(id);
  return await withWriteLock(project.paths, () => accept(project, dataDirectory, proposalId));
}

function accept(project: Project, dataDirectory: string, proposalId: string): Acceptance {
  const { paths } = project;
  const landed = loadMigrationSet(paths, { cache: openSourceCache(paths, dataDirectory) });
  verifyHistory(project, dataDirectory, landed);
  const entry = findProposal(paths, proposalId);
  if (entry.migrationFiles.length === 0) throw refuseFate(fateOf(entry, landed), entry);
  const proposal = readProposal(paths, entry, landed);
  const { secretScan } = policyOf(project);
  const scan = scanProposal(proposal, secretScan);
  rehearse(landed, proposal);
  moveIntoPlace(paths, proposal);
  const cleared = clearProposal(proposal);
  return {
    proposalId,
    migrationFile: landingPath(proposal),
    bodyFiles: proposal.bodies.map((body) => body.landsAt),
    replacedBodies: proposal.bodies.filter((body) => body.replaces).map((body) => body.landsAt),
    secretScanPolicy: secretScan,
    secretFindings: scan.findings,
    secretScanSkipped: scan.skipped,
    nextSteps: nextSteps(entry.local, scan.findings.length > 0, scan.skipped),
    ...(cleared ? {} : {
      remedy: `Everything is in place, but some moved files are still in ${entry.directory}; ` +
        `delete that directory when you can.`,
    }),
  };
}

/** A fault of the configuration is exit 1 here, whatever door met it. */
function policyOf(project: Project): { readonly secretScan: SecretPolicy } {
  try {
    return readConfiguration(project.paths);
  } catch (error) {
    if (!isFault(error) || error.fault === "path-escape") throw error;
    throw new TheurianError(error.fault, error.message, {
      remedy: error.remedy,
      exit: 1,
      cause: error,
    });
  }
}

function nextSteps(local: boolean, secrets: boolean, skipped: readonly string[]): string[] {
  return [
    ...(secrets
      ? ["Rotate what looks like a secret: it is about to be in Git history for good."]
      : []),
    ...skipped.map((label) => `Look at ${label} yourself: it was not scanned for secrets.`),
    local
      ? "Commit the migration and its bodies on a branch and open a pull request; the evidence of a local proposal does not travel, so say there why the change is right."
      : "Commit the migration, its bodies and the proposal's evidence on a branch and open a pull request.",
    "Check the whole set with `theurian migrate validate` if you like.",
    "After the merge, run `theurian migrate apply`, then `theurian index build`.",
  ];
}
