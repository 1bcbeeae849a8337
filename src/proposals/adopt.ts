/**
 * `theurian adopt`: from documents that a repository already holds to proposals that a person can
 * merge (decision 33, cli-and-plugins.md 3.2). Approves nothing.
 *
 * @module
 */

import type { Kind, MigrationSet } from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { gitIgnoredFiles } from "../platform/git.ts";
import { writeYaml } from "../platform/yaml/mod.ts";
import { readConfiguration, type SecretPolicy } from "../projects/mod.ts";
import { scanSecrets } from "../secrets/mod.ts";
import { checkDocument } from "./_check_document.ts";
import { screenedName } from "./_screened.ts";
import { findFiles, readDocuments, type SkippedDocument } from "./adopt_documents.ts";
import { type AdoptionOrigin, adoptionOrigin } from "./adopt_origin.ts";
import { planAdoption, type PlannedDocument } from "./adopt_plan.ts";
import { checkCaps } from "./caps.ts";
import type { DraftContext } from "./draft_context.ts";
import { evidenceText } from "./evidence_text.ts";
import { bytesOf, landDraft, type PreparedDraft } from "./land_draft.ts";
import { bodyTail, migrationFileName, proposalDirectory } from "./layout.ts";
import { contentOperations, draftTime, migrationDocument } from "./migration_text.ts";
import type { ContentDraft } from "./model.ts";
import { proposalEntries } from "./pending.ts";
import { pendingUpserts } from "./pending_upserts.ts";

/** How documents are adopted. */
export interface AdoptOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly owner: string;
  readonly author: string;
  readonly namespace: string | null;
  readonly kind: Kind | null;
  readonly local: boolean;
  readonly dryRun: boolean;
}

/** One document's row. */
export interface AdoptedDocument {
  readonly path: string;
  readonly itemId: string;
  readonly title: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly change: "new" | "updated";
  readonly proposalId: string | null;
}

/** One drafted proposal. */
export interface AdoptionProposal {
  readonly proposalId: string;
  readonly proposalDirectory: string;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly itemIds: readonly string[];
}

/** What an adoption answers. */
export interface Adoption {
  readonly proposals: readonly AdoptionProposal[];
  readonly documents: readonly AdoptedDocument[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedDocument[];
  readonly secretScanPolicy: SecretPolicy;
  readonly secretFindings: readonly string[];
  readonly dryRun: boolean;
  readonly nextSteps: readonly string[];
}

/** Items of one proposal: two operations each, below the bound of 250. */
const ITEMS_A_PROPOSAL = 100;
const MAX_FINDINGS = 20;

/** One proposal before it is written. */
interface PreparedGroup {
  readonly documents: readonly PlannedDocument[];
  readonly draft: PreparedDraft;
}

/**
 * Drafts proposals for what is new or changed among the documents. Under `block` one secret stops
 * the whole run before anything is written, and so does a bound on what may wait. Throws
 * `invalid-input`, `secret-found`, `document-failed`, `proposals-full` and what drafting throws.
 */
export async function adoptDocuments(
  options: AdoptOptions,
  landed: MigrationSet,
  context: DraftContext,
): Promise<Adoption> {
  const { paths, root } = context.project;
  const configuration = readConfiguration(paths);
  const { secretScan } = configuration;
  const named = findFiles(root, options.cwd, options.paths, options.exclude);
  const ignored = await gitIgnoredFiles(root, named.files);
  const found = readDocuments(root, named.files.filter((file) => !ignored.has(file)), options);
  const origin = await adoptionOrigin(root, found.documents);
  const plan = planAdoption(found.documents, {
    landed,
    pending: pendingUpserts(paths),
    repository: origin.repository,
    overrides: options,
  });
  const findings = secretScan === "off" ? [] : secretLines(plan.drafts);
  if (secretScan === "block" && findings.length > 0) throw secretsFound(findings);
  const prepared = groups(plan.drafts).map((group) => prepare(group, options, origin, context));
  if (prepared.length > 0) {
    const bytes = prepared.reduce((sum, { draft }) => sum + bytesOf(draft), 0);
    checkCaps(proposalEntries(paths), { proposals: prepared.length, bytes }, configuration);
  }
  const { proposals, documents } = options.dryRun
    ? { proposals: [], documents: plan.drafts.map((one) => row(one, null)) }
    : await draftAll(prepared, context);
  return {
    proposals,
    documents,
    unchanged: plan.unchanged,
    skipped: [...named.skipped, ...found.skipped, ...plan.skipped],
    secretScanPolicy: secretScan,
    secretFindings: findings,
    dryRun: options.dryRun,
    nextSteps: nextSteps(proposals, documents.length, plan.unchanged, options.dryRun),
  };
}

async function draftAll(
  prepared: readonly PreparedGroup[],
  context: DraftContext,
): Promise<Pick<Adoption, "proposals" | "documents">> {
  const proposals: AdoptionProposal[] = [];
  const rows: AdoptedDocument[] = [];
  for (const { documents, draft } of prepared) {
    const landed = await landDraft(draft, context);
    proposals.push({
      proposalId: landed.proposalId,
      proposalDirectory: proposalDirectory(landed.proposalId, draft.local),
      migrationId: landed.migrationId,
      migrationFile: landed.migrationFile,
      itemIds: documents.map((one) => one.itemId),
    });
    rows.push(...documents.map((one) => row(one, landed.proposalId)));
  }
  return { proposals, documents: rows };
}

/** A few large proposals are easier to merge than many small ones. */
function groups(drafts: readonly PlannedDocument[]): PlannedDocument[][] {
  const parts: PlannedDocument[][] = [];
  for (let i = 0; i < drafts.length; i += ITEMS_A_PROPOSAL) {
    parts.push(drafts.slice(i, i + ITEMS_A_PROPOSAL));
  }
  return parts;
}

function prepare(
  documents: readonly PlannedDocument[],
  options: AdoptOptions,
  origin: AdoptionOrigin,
  context: DraftContext,
): PreparedGroup {
  const [proposalId, migrationId] = [context.ulids(), context.ulids()];
  const made = documents.map((one) => {
    const revisionId = context.ulids();
    return { one, revisionId, tail: bodyTail(one.itemId, revisionId, "text/markdown") };
  });
  const count = documents.length;
  const document = migrationDocument(
    {
      id: migrationId,
      createdAt: draftTime(context.clock.now()),
      author: options.author,
      description: `Adopt ${count} existing document${count === 1 ? "" : "s"}.`,
    },
    made.flatMap(({ one, revisionId, tail }) =>
      contentOperations(contentOf(one, options, origin), {
        revisionId,
        tail,
        contentSha256: one.contentSha256,
      })
    ),
  );
  checkDocument(document, "cli");
  return {
    documents,
    draft: {
      proposalId,
      migrationId,
      local: options.local,
      bodies: made.map(({ one, tail }) => ({ tail, bytes: one.body })),
      evidence: evidenceText({
        proposalId,
        migrationId,
        itemId: documents.map((one) => one.itemId),
        evidence: {
          agentId: "theurian-adopt",
          taskId: "adopt",
          model: "none",
          reasoning: "The documents were in the repository already; their text is unchanged.",
        },
        sourceAnchors: documents.map((one) => origin.anchor(one)),
      }),
      migrationFile: migrationFileName(migrationId, "adopt-documents"),
      migration: writeYaml(document),
      document,
    },
  };
}

function contentOf(
  one: PlannedDocument,
  options: AdoptOptions,
  origin: AdoptionOrigin,
): ContentDraft {
  return {
    itemId: one.itemId,
    title: one.title,
    kind: one.kind,
    owner: one.current?.item.owner ?? options.owner,
    author: options.author,
    description: "",
    body: one.body,
    contentType: "text/markdown",
    evidence: { agentId: "", taskId: "", model: "", reasoning: "" },
    sourceAnchors: [origin.anchor(one)],
    labels: one.current?.revision.labels ?? one.labels,
    scopePaths: one.current?.revision.scopePaths ?? [],
    namespace: one.namespace,
    trustLevel: one.current?.item.trustLevel ?? null,
    sensitivity: one.current?.item.sensitivity ?? null,
    expectedRevision: one.current?.revision.revisionId ?? null,
    local: options.local,
  };
}

/** Over the whole files and their names: titles, labels and ids are made of them. */
function secretLines(drafts: readonly PlannedDocument[]): string[] {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  for (const { path, bytes } of drafts) {
    const shown = screenedName(path);
    for (const { family, prefix } of scanSecrets(path, MAX_FINDINGS - lines.length)) {
      lines.push(`the name of ${shown}: ${family} (${prefix}...)`);
    }
    if (lines.length >= MAX_FINDINGS) break;
    for (const finding of scanSecrets(decoder.decode(bytes), MAX_FINDINGS - lines.length)) {
      const { line, column, family, prefix } = finding;
      lines.push(`${shown}:${line}:${column}: ${family} (${prefix}...)`);
    }
    if (lines.length >= MAX_FINDINGS) break;
  }
  return lines;
}

function secretsFound(lines: readonly string[]): TheurianError {
  return new TheurianError(
    "secret-found",
    `Cannot adopt: these lines look as if they held a secret: ${lines.join("; ")}`,
    {
      remedy:
        "Rotate what is real and take it out, or leave the file out with `--exclude`. Where it is " +
        "no secret, set `security.secretScan` in .theurian/config.yaml to `warn`.",
    },
  );
}

function row(one: PlannedDocument, proposalId: string | null): AdoptedDocument {
  const { path, itemId, title, kind, namespace, change } = one;
  return { path, itemId, title, kind, namespace, change, proposalId };
}

function nextSteps(
  proposals: readonly AdoptionProposal[],
  documents: number,
  unchanged: number,
  dryRun: boolean,
): readonly string[] {
  if (documents === 0 && unchanged === 0) {
    return ["Nothing was adopted; see `skipped` for what was found."];
  }
  if (documents === 0) return ["Nothing is new: every document is adopted or waits for review."];
  if (dryRun) return ["Nothing was written; run it again without --dry-run to draft."];
  const [first] = proposals;
  return [
    "Nothing is approved: these are proposals that wait for a person.",
    `Read one with \`theurian propose show ${
      first!.proposalId
    }\`; adjust titles, kinds and owners in its migration file if you like.`,
    "Accept each with `theurian propose accept ID`, commit, and open a pull request.",
    "After the merge, run `theurian migrate apply`, then `theurian index build`.",
  ];
}
