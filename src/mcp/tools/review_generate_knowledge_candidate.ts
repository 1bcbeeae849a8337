import { KINDS } from "../../knowledge/mod.ts";
import type { JsonObject } from "../../platform/json.ts";
import {
  type ContentDraft,
  draftFacade,
  type DraftSurface,
  toolNextSteps,
  toolSurface,
} from "../../proposals/mod.ts";
import { checkGate, resolveThread } from "../../review/candidate/mod.ts";
import type { ServedStore } from "../../review/mod.ts";
import { servableReview } from "../../review/search/mod.ts";
import { namedIn, openNamed, portable } from "../_open_project.ts";
import type { Tool } from "../tool.ts";
import { anchorsOf, DRAFT_LOCK_WAIT, evidenceOf } from "./_draft_call.ts";
import { nameStore } from "./_served_store.ts";
import { wellFormed, wordOf } from "./knowledge_propose_change.ts";

/** `review.generateKnowledgeCandidate` (mcp-tools.md, proposals.md 4.4): drafts, never approves. */
export const reviewGenerateKnowledgeCandidate: Tool = {
  name: "review.generateKnowledgeCandidate",
  title: "Draft knowledge from a review thread",
  description:
    "Packages a generalisation that you wrote of one ingested review thread as a proposal that a " +
    "person reviews and merges. The thread must be resolved in a merged pull request with passing " +
    "checks, and fixCommit must have changed the thread's file; that is verified here, not taken " +
    "from the call. It approves nothing.",
  lane: "draft",
  inputSchema: "review-generate-knowledge-candidate-input.schema.json",
  outputSchema: null,
  check(input, context) {
    wordOf(input, "kind", KINDS);
    const { named, store } = nameStore(input, context, servableReview);
    return { ...portable(named), store: { ...store }, input };
  },
  async answer(call, context) {
    const named = namedIn(call);
    const { project } = named;
    const input = call["input"] as JsonObject;
    const store = call["store"] as unknown as ServedStore;
    const [repository, recordKey, category, fixCommit] = [
      "repository",
      "recordKey",
      "category",
      "fixCommit",
    ].map((key) => input[key] as string) as [string, string, string, string];
    const thread = resolveThread(store, project.paths.review, repository, recordKey);
    const gate = checkGate({ root: project.root, repository, recordKey, fixCommit }, thread);
    using reader = openNamed(named, context);
    const surface = toolSurface(reader, context.grant.sensitivities);
    const facade = draftFacade({
      project,
      clock: context.clock,
      ulids: context.ulids,
      surface,
      lockWaitMs: DRAFT_LOCK_WAIT,
      nextSteps: toolNextSteps,
      evidenceExtras: { candidate: { repository, recordKey, category, fixCommit, gate } },
    });
    return { ...await facade.draftContent(candidateDraft(input, surface)) } as JsonObject;
  },
};

/** A candidate is prose of inferred trust; a new item starts as internal, a known one keeps its label. */
function candidateDraft(input: JsonObject, surface: DraftSurface): ContentDraft {
  const text = (key: string) => input[key] as string;
  const expectedRevision = (input["expectedRevision"] ?? null) as string | null;
  const itemId = text("itemId");
  const isNew = expectedRevision === null && surface.item(itemId) === null;
  return {
    itemId,
    title: text("title"),
    kind: wordOf(input, "kind", KINDS)!,
    owner: text("owner"),
    author: text("author"),
    description: text("description"),
    body: new TextEncoder().encode(wellFormed(text("body"))),
    contentType: "text/markdown",
    evidence: evidenceOf(input),
    sourceAnchors: anchorsOf(input),
    labels: (input["labels"] ?? []) as readonly string[],
    scopePaths: (input["scopePaths"] ?? []) as readonly string[],
    namespace: (input["namespace"] ?? null) as string | null,
    trustLevel: "inferred",
    sensitivity: isNew ? "internal" : null,
    expectedRevision,
    local: false,
  };
}
