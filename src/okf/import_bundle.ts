/**
 * `okf import`: one proposal for each concept of a bundle, and one for their edges (okf.md section 5).
 * Nothing is approved, applied or fetched.
 *
 * @module
 */

import { errorKind, isFault, TheurianError } from "../platform/errors.ts";
import { describePath, realPath } from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import {
  checkEvidence,
  draftContent,
  type DraftContext,
  draftDocument,
  type DraftEvidence,
} from "../proposals/mod.ts";
import { EdgeCollector } from "./collect_edges.ts";
import { countByKind, type ImportReport, type Refusal } from "./import_report.ts";
import { mapConcepts, type MappedConcept } from "./map_concepts.ts";

/** What an import is asked for. */
export interface ImportRequest {
  /** Absolute path of the bundle directory. */
  readonly bundle: string;
  readonly owner: string;
  readonly author: string;
  readonly evidence: DraftEvidence;
  /** Only these ids; all when empty. */
  readonly items: readonly string[];
}

/**
 * Drafts a bundle. A concept that cannot be taken becomes a refusal and the rest goes on. Throws
 * `invalid-input` and `bundle-invalid` (exit 2), and what drafting throws when the project itself
 * cannot take a proposal.
 */
export async function importBundle(
  request: ImportRequest,
  context: DraftContext,
  onDraft: (done: number, total: number) => void = () => {},
): Promise<ImportReport> {
  checkRequest(request);
  const root = bundleRoot(request.bundle);
  const { concepts, refusals: unmapped } = mapConcepts(root, request.items);
  const refusals: Refusal[] = [...unmapped];
  const proposalIds: string[] = [];
  const drafted = new Set<MappedConcept>();
  for (const [done, concept] of concepts.entries()) {
    onDraft(done, concepts.length);
    try {
      proposalIds.push(await draftConcept(concept, request, context));
      drafted.add(concept);
    } catch (error) {
      refusals.push(draftRefusal(concept, error));
    }
  }
  const edges = new EdgeCollector();
  for (const concept of concepts) {
    const { itemId, edges: listed } = concept.facts;
    for (const edge of listed) {
      if (drafted.has(concept)) edges.add(itemId, edge);
      else edges.refuse(itemId, edge);
    }
  }
  refusals.push(...edges.refusals);
  const conceptsAdmitted = proposalIds.length;
  if (edges.operations.length > 0) {
    try {
      proposalIds.push(await draftEdges(edges, request, context));
    } catch (error) {
      if (!isDraftRefusal(error)) throw error;
      refusals.push({ kind: "relations", key: "addRelation", literal: refusalText(error) });
    }
  }
  return { proposalIds, conceptsAdmitted, refusals, refusalsByKind: countByKind(refusals) };
}

async function draftConcept(
  { facts, body, contentType, origins }: MappedConcept,
  { owner, author, evidence }: ImportRequest,
  context: DraftContext,
): Promise<string> {
  const anchors = [
    ...origins.map((path) => ({ provider: "okf-bundle", sourceUri: `okf-bundle:${path}`, path })),
    ...facts.sources.map((uri) => ({ provider: "okf-source", sourceUri: uri, path: null })),
  ];
  const { proposal } = await draftContent({
    itemId: facts.itemId,
    title: facts.title,
    kind: facts.kind,
    owner,
    author,
    description: `Import ${facts.itemId} from an OKF bundle`,
    body,
    contentType,
    evidence,
    sourceAnchors: anchors.map(({ provider, sourceUri, path }) => ({
      provider,
      sourceUri,
      repository: null,
      commitSha: null,
      blobSha: null,
      filePath: path,
      lineStart: null,
      lineEnd: null,
      externalId: null,
    })),
    labels: facts.labels,
    scopePaths: [],
    namespace: null,
    trustLevel: "inferred",
    sensitivity: facts.sensitivity,
    expectedRevision: null,
    local: false,
  }, context);
  return proposal.proposalId;
}

async function draftEdges(
  edges: EdgeCollector,
  { author, evidence }: ImportRequest,
  context: DraftContext,
): Promise<string> {
  const operations = edges.operations.map((operation) => ({ ...operation }));
  const draft = { document: { author, operations }, evidence, local: false };
  return (await draftDocument(draft, context)).proposalId;
}

function checkRequest({ owner, author, evidence }: ImportRequest): void {
  checkEvidence(evidence, "cli");
  for (const [name, value] of [["--owner", owner], ["--author", author]] as const) {
    if (!isBlank(value)) continue;
    throw new TheurianError("invalid-input", `Cannot import: ${name} is blank`, {
      remedy: `Give ${name} some text`,
    });
  }
}

function bundleRoot(path: string): string {
  const root = realPath(path);
  if (root !== null && describePath(root)?.kind === "directory") return root;
  throw new TheurianError("bundle-invalid", "Cannot import: the bundle is no directory", {
    remedy: "Unpack the bundle and give the path of its directory",
  });
}

/** What one concept may be refused for; anything else stops the import. */
function isDraftRefusal(error: unknown): error is TheurianError {
  return isFault(
    error,
    "invalid-input",
    "schema-violation",
    "secret-found",
    "proposals-full",
    "revision-conflict",
    "proposal-unusable",
    "file-too-large",
  );
}

function draftRefusal({ facts }: MappedConcept, error: unknown): Refusal {
  if (!isDraftRefusal(error)) throw error;
  return { kind: "draft", key: facts.itemId, literal: refusalText(error) };
}

function refusalText(error: TheurianError): string {
  return `drafting refused it (${errorKind(error)}): ${error.message}`;
}
