/**
 * `theurian adopt`: from documents that a repository already holds to proposals that a person can
 * merge (decision 33, cli-and-plugins.md 3.2). Approves nothing.
 *
 * @module
 */

import {
  checkGuards,
  inApplicationOrder,
  type ItemFacts,
  type Kind,
  type MigrationSet,
  type Replay,
  replay,
  type RevisionFacts,
  type SourceAnchor,
} from "../knowledge/mod.ts";
import { anchorOf, type SourceOrigin } from "../ingest/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import { writeYaml } from "../platform/yaml/mod.ts";
import { readConfiguration, type SecretPolicy } from "../projects/mod.ts";
import type { IdentityOverrides } from "./adopt_identity.ts";
import { checkDocument } from "./_check_document.ts";
import { type AdoptableDocument, findDocuments, type SkippedDocument } from "./adopt_documents.ts";
import type { DraftContext } from "./draft_context.ts";
import { evidenceText } from "./evidence_text.ts";
import { landDraft } from "./land_draft.ts";
import { bodyTail, migrationFileName, proposalDirectory } from "./layout.ts";
import { contentOperations, draftTime, migrationDocument } from "./migration_text.ts";
import type { ContentDraft } from "./model.ts";
import { pendingRevisions } from "./pending_revisions.ts";
import { scanSecrets } from "../secrets/mod.ts";

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
  /** Where the documents come from. */
  readonly origin: SourceOrigin;
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

interface Planned extends AdoptableDocument {
  readonly change: "new" | "updated";
  readonly contentSha256: string;
  /** What stands now and stays as reviewers left it; `null` for a new item. */
  readonly current: { readonly item: ItemFacts; readonly revision: RevisionFacts } | null;
}

/**
 * Drafts proposals for what is new or changed among the documents. Under `block` one secret stops
 * the whole run before anything is written. Throws `invalid-input`, `secret-found`,
 * `document-failed`, `proposals-full` and what drafting throws.
 */
export async function adoptDocuments(
  options: AdoptOptions,
  landed: MigrationSet,
  context: DraftContext,
): Promise<Adoption> {
  const { paths, root } = context.project;
  const { secretScan } = readConfiguration(paths);
  const found = findDocuments(root, options.cwd, options.paths, options.exclude, options);
  const plan = planAdoption(found.documents, landed, pendingRevisions(paths), options);
  const findings = secretScan === "off" ? [] : secretLines(plan.drafts);
  if (secretScan === "block" && findings.length > 0) throw secretsFound(findings);
  const proposals: AdoptionProposal[] = [];
  const documents: AdoptedDocument[] = [];
  for (const group of groups(plan.drafts)) {
    const proposal = options.dryRun ? null : await draftGroup(group, options, context);
    if (proposal !== null) proposals.push(proposal);
    documents.push(...group.map((one) => row(one, proposal?.proposalId ?? null)));
  }
  return {
    proposals,
    documents,
    unchanged: plan.unchanged,
    skipped: [...found.skipped, ...plan.skipped],
    secretScanPolicy: secretScan,
    secretFindings: findings,
    dryRun: options.dryRun,
    nextSteps: nextSteps(proposals, documents.length, options.dryRun),
  };
}

interface Plan {
  readonly drafts: readonly Planned[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedDocument[];
}

function planAdoption(
  documents: readonly AdoptableDocument[],
  landed: MigrationSet,
  pending: ReadonlyMap<string, string>,
  overrides: IdentityOverrides,
): Plan {
  checkGuards(landed, () => false);
  const now = replay(inApplicationOrder(landed), null);
  const adoptedBefore = itemsBySourcePath(now);
  const drafts: Planned[] = [];
  const skipped: SkippedDocument[] = [];
  let unchanged = 0;
  for (const document of documents) {
    const itemId = adoptedBefore.get(document.path) ?? document.itemId;
    const contentSha256 = sha256Hex(document.body);
    const item = now.state.items.get(itemId)?.item ?? null;
    const current = item?.currentRevisionId ?? null;
    const waiting = pending.get(itemId);
    if (item !== null && RETIRED.has(item.status)) {
      skipped.push({ path: document.path, reason: `its item ${itemId} is ${item.status}` });
    } else if (
      waiting === contentSha256 ||
      (current !== null && now.state.revisions.get(current)?.contentSha256 === contentSha256)
    ) {
      unchanged++;
    } else if (waiting !== undefined) {
      skipped.push({
        path: document.path,
        reason: `another proposal for ${itemId} waits for review`,
      });
    } else {
      drafts.push(planned({ ...document, itemId }, contentSha256, now, overrides));
    }
  }
  return { drafts, unchanged, skipped };
}

/** An item that stands keeps the labels that its reviewers gave it. */
function planned(
  document: AdoptableDocument,
  contentSha256: string,
  now: Replay,
  overrides: IdentityOverrides,
): Planned {
  const item = now.state.items.get(document.itemId)?.item ?? null;
  const id = item?.currentRevisionId ?? null;
  if (item === null || id === null) {
    return { ...document, contentSha256, change: "new", current: null };
  }
  return {
    ...document,
    kind: overrides.kind ?? item.kind,
    namespace: overrides.namespace ?? item.namespace,
    contentSha256,
    change: "updated",
    current: { item, revision: now.state.revisions.get(id)! },
  };
}

const RETIRED: ReadonlySet<string> = new Set(["deprecated", "superseded", "rejected"]);

/** Items whose current revision names a file of this repository as its source. */
function itemsBySourcePath(now: Replay): ReadonlyMap<string, string> {
  const byPath = new Map<string, string>();
  for (const { item } of now.state.items.values()) {
    if (item.currentRevisionId === null) continue;
    const anchors = now.state.revisions.get(item.currentRevisionId)?.sourceAnchors ?? [];
    for (const anchor of anchors) {
      if (anchor.provider === "git" && anchor.filePath !== null) {
        byPath.set(anchor.filePath, item.itemId);
      }
    }
  }
  return byPath;
}

/** A few large proposals are easier to merge than many small ones. */
function groups(drafts: readonly Planned[]): Planned[][] {
  const parts: Planned[][] = [];
  for (let i = 0; i < drafts.length; i += ITEMS_A_PROPOSAL) {
    parts.push(drafts.slice(i, i + ITEMS_A_PROPOSAL));
  }
  return parts;
}

async function draftGroup(
  group: readonly Planned[],
  options: AdoptOptions,
  context: DraftContext,
): Promise<AdoptionProposal> {
  const [proposalId, migrationId] = [context.ulids(), context.ulids()];
  const made = group.map((one) => {
    const revisionId = context.ulids();
    return { one, revisionId, tail: bodyTail(one.itemId, revisionId, "text/markdown") };
  });
  const operations = made.flatMap(({ one, revisionId, tail }) =>
    contentOperations(contentOf(one, options), {
      revisionId,
      tail,
      contentSha256: one.contentSha256,
    })
  );
  const description = `Adopt ${group.length} existing document${group.length === 1 ? "" : "s"}.`;
  const document = migrationDocument(
    {
      id: migrationId,
      createdAt: draftTime(context.clock.now()),
      author: options.author,
      description,
    },
    operations,
  );
  checkDocument(document, "cli");
  const landed = await landDraft({
    proposalId,
    local: options.local,
    bodies: made.map(({ one, tail }) => ({ tail, bytes: one.body })),
    evidence: evidenceText({
      proposalId,
      migrationId,
      itemId: group.map((one) => one.itemId),
      evidence: {
        agentId: "theurian-adopt",
        taskId: "adopt",
        model: "none",
        reasoning: "The documents were in the repository already; their text is unchanged.",
      },
      sourceAnchors: group.map((one) => sourceAnchorOf(one, options)),
    }),
    migrationFile: migrationFileName(migrationId, "adopt-documents"),
    migration: writeYaml(document),
    document,
  }, context);
  return {
    proposalId: landed.proposalId,
    proposalDirectory: proposalDirectory(landed.proposalId, options.local),
    migrationId: landed.migrationId,
    migrationFile: landed.migrationFile,
    itemIds: group.map((one) => one.itemId),
  };
}

function contentOf(one: Planned, options: AdoptOptions): ContentDraft {
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
    sourceAnchors: [sourceAnchorOf(one, options)],
    labels: one.current?.revision.labels ?? [],
    scopePaths: one.current?.revision.scopePaths ?? [],
    namespace: one.namespace,
    trustLevel: one.current?.item.trustLevel ?? null,
    sensitivity: one.current?.item.sensitivity ?? null,
    expectedRevision: one.current?.revision.revisionId ?? null,
    local: options.local,
  };
}

function sourceAnchorOf(one: Planned, { origin }: AdoptOptions): SourceAnchor {
  const { provider, sourceUri, repository, commitSha } = anchorOf(one.path, origin);
  return {
    provider,
    sourceUri,
    repository,
    commitSha,
    blobSha: null,
    filePath: one.path,
    lineStart: 1,
    lineEnd: Math.max(1, one.lines),
    externalId: null,
  };
}

function secretLines(drafts: readonly Planned[]): string[] {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  for (const one of drafts) {
    // Line numbers are those of the file: front matter was cut from its start.
    const body = decoder.decode(one.body);
    const offset = Math.max(0, one.lines - body.split("\n").length + (body.endsWith("\n") ? 1 : 0));
    for (const finding of scanSecrets(body, MAX_FINDINGS - lines.length)) {
      const { line, column, family, prefix } = finding;
      lines.push(`${one.path}:${line + offset}:${column}: ${family} (${prefix}...)`);
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

function row(one: Planned, proposalId: string | null): AdoptedDocument {
  const { path, itemId, title, kind, namespace, change } = one;
  return { path, itemId, title, kind, namespace, change, proposalId };
}

function nextSteps(
  proposals: readonly AdoptionProposal[],
  documents: number,
  dryRun: boolean,
): readonly string[] {
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
