/**
 * `okf import`: one proposal for each concept of a bundle, and one for their edges (okf.md section 5).
 * Nothing is approved, applied or fetched.
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import { describePath, realPath } from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import {
  checkEvidence,
  draftContent,
  type DraftContext,
  draftDocument,
  type ProposalLoad,
  rehearseContent,
  rehearseDocument,
} from "../proposals/mod.ts";
import { EdgeCollector } from "./collect_edges.ts";
import { conceptDraft, type Drafter, flagsOf } from "./draft_concept.ts";
import { draftReason, isDraftRefusal, refusalSentence } from "./draft_refusal.ts";
import { countByKind, type Flag, type ImportReport, type Refusal } from "./import_report.ts";
import { mapConcepts, type MappedConcept } from "./map_concepts.ts";
import { bundleDigestMatches } from "./verify_digest.ts";

/** What an import is asked for. */
export interface ImportRequest extends Drafter {
  /** Absolute path of the bundle directory. */
  readonly bundle: string;
  /** Only these ids; all when empty. */
  readonly items: readonly string[];
  /** Draft nothing; tell what would be drafted and refused. */
  readonly dryRun: boolean;
}

/** What drafting has come to so far. */
interface Progress {
  readonly proposalIds: string[];
  readonly drafted: Set<MappedConcept>;
  readonly refusals: Refusal[];
  readonly flagged: Flag[];
  ahead: ProposalLoad;
}

/**
 * Drafts a bundle. A concept that cannot be taken becomes a refusal and the rest goes on. Throws
 * `invalid-input` and `bundle-invalid` (exit 2), and what drafting throws when the project itself
 * cannot take a proposal; running it again then finds what was drafted.
 */
export async function importBundle(
  request: ImportRequest,
  context: DraftContext,
  onDraft: (done: number, total: number) => void = () => {},
): Promise<ImportReport> {
  checkRequest(request);
  const root = bundleRoot(request.bundle);
  const { concepts, refusals } = mapConcepts(root, request.items);
  // Named items alone are read, so the rest of the bundle cannot be judged.
  const matches = request.items.length === 0 ? bundleDigestMatches(root) : null;
  const progress: Progress = {
    proposalIds: [],
    drafted: new Set(),
    refusals: [...refusals],
    flagged: [],
    ahead: { proposals: 0, bytes: 0 },
  };
  try {
    for (const [done, concept] of concepts.entries()) {
      onDraft(done, concepts.length);
      await takeConcept(concept, request, context, progress);
    }
    await takeEdges(concepts, request, context, progress);
  } catch (error) {
    throw withDrafted(error, progress.proposalIds.length);
  }
  return reportOf(progress, request.dryRun, matches);
}

async function takeConcept(
  concept: MappedConcept,
  request: ImportRequest,
  context: DraftContext,
  progress: Progress,
): Promise<void> {
  const now = context.clock.now();
  const draft = conceptDraft(concept, request, now);
  try {
    if (request.dryRun) {
      progress.ahead = sumOf(progress.ahead, rehearseContent(draft, context, progress.ahead));
    } else {
      progress.proposalIds.push((await draftContent(draft, context)).proposal.proposalId);
    }
  } catch (error) {
    if (!isDraftRefusal(error)) throw error;
    const { itemId: key } = concept.facts;
    const reason = draftReason(error, concept, context.surface);
    const literal = refusalSentence(error, reason);
    progress.refusals.push({ kind: "draft", key, literal, concept: concept.path, reason });
    return;
  }
  progress.drafted.add(concept);
  progress.flagged.push(...flagsOf(concept, now));
}

/** The edges of drafted concepts as one proposal more; each edge of the others is refused. */
async function takeEdges(
  concepts: readonly MappedConcept[],
  { author, evidence, dryRun }: ImportRequest,
  context: DraftContext,
  { drafted, refusals, proposalIds, ahead }: Progress,
): Promise<void> {
  const edges = new EdgeCollector();
  for (const concept of concepts) {
    const owner = { itemId: concept.facts.itemId, concept: concept.path };
    for (const edge of concept.facts.edges) {
      if (drafted.has(concept)) edges.add(owner, edge);
      else edges.refuse(owner, edge);
    }
  }
  refusals.push(...edges.refusals);
  if (edges.operations.length === 0) return;
  const operations = edges.operations.map((operation) => ({ ...operation }));
  const draft = { document: { author, operations }, evidence, local: false };
  try {
    if (dryRun) rehearseDocument(draft, context, ahead);
    else proposalIds.push((await draftDocument(draft, context)).proposalId);
  } catch (error) {
    if (!isDraftRefusal(error)) throw error;
    const literal = refusalSentence(error, null);
    refusals.push({ kind: "relations", key: "addRelation", literal });
  }
}

function reportOf(
  { proposalIds, drafted, refusals, flagged }: Progress,
  dryRun: boolean,
  matches: boolean | null,
): ImportReport {
  return {
    proposalIds,
    conceptsAdmitted: drafted.size,
    refusals,
    refusalsByKind: countByKind(refusals),
    ...(flagged.length === 0 ? {} : { flagged }),
    ...(matches === null ? {} : { bundleDigestMatches: matches }),
    ...(dryRun ? { dryRun: true } : {}),
  };
}

function sumOf(a: ProposalLoad, b: ProposalLoad): ProposalLoad {
  return { proposals: a.proposals + b.proposals, bytes: a.bytes + b.bytes };
}

/** Each proposal is whole, and the same import finds it again: the reader need not clean up. */
function withDrafted(error: unknown, count: number): unknown {
  if (!isFault(error) || error.fault === "interrupted" || count === 0) return error;
  return new TheurianError(error.fault, `${error.message}; ${count} proposals are drafted`, {
    remedy: `${error.remedy.replace(/\.$/, "")}. Then run the same import again: ` +
      "it goes on from what it has drafted",
    exit: error.exit,
    cause: error,
  });
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
