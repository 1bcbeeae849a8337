/**
 * Drafting from a body (proposals.md 3): values, then state, then the document, then the disk. A
 * refused draft leaves nothing behind.
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import { writeYaml } from "../platform/yaml/mod.ts";
import { checkDocument } from "./_check_document.ts";
import type { DraftContext } from "./draft_context.ts";
import { evidenceText } from "./evidence_text.ts";
import type { ProposalLoad } from "./caps.ts";
import { landDraft, type PreparedDraft, rehearseDraft } from "./land_draft.ts";
import { bodyTail, migrationFileName } from "./layout.ts";
import { contentOperations, draftTime, migrationDocument } from "./migration_text.ts";
import type { ContentDraft, ContentProposal } from "./model.ts";
import { contentPayload } from "./payload.ts";
import { slugOf } from "./slug.ts";
import { settleAgainstState } from "./state_rules.ts";
import { checkContentValues } from "./value_rules.ts";

/** A drafted content proposal, and what the surface may want to say about it. */
export interface DraftedContent {
  readonly proposal: ContentProposal;
  /** The draft with inherited labels; what is still `null` falls to the schema's default. */
  readonly settled: ContentDraft;
}

/** A content draft that is ready to be written. */
interface PreparedContent {
  readonly settled: ContentDraft;
  readonly draft: PreparedDraft;
  readonly contentSha256: string;
}

/**
 * Drafts one item's change. A draft equal to one that waits already answers with that one. Throws
 * `invalid-input`, `schema-violation`, `secret-found`, `proposals-full`, `lock-timeout`,
 * `gitignore-refused` and the file door's faults.
 */
export async function draftContent(
  asked: ContentDraft,
  context: DraftContext,
): Promise<DraftedContent> {
  const { settled, draft, contentSha256 } = prepareContent(asked, context);
  const landed = await landDraft(draft, context);
  const [revision] = landed.revisions;
  const proposal = contentPayload({
    proposalId: landed.proposalId,
    local: settled.local,
    migrationId: landed.migrationId,
    migrationFile: landed.migrationFile,
    revisionId: revision!.revisionId,
    expectedRevision: settled.expectedRevision,
    tail: revision!.tail,
    contentSha256,
  }, context.nextSteps(landed.proposalId, settled));
  return { proposal, settled };
}

/**
 * Throws whatever drafting would refuse and writes nothing; `ahead` is what would be drafted before.
 * Answers what this draft would add.
 */
export function rehearseContent(
  asked: ContentDraft,
  context: DraftContext,
  ahead: ProposalLoad,
): ProposalLoad {
  return rehearseDraft(prepareContent(asked, context).draft, context, ahead);
}

function prepareContent(asked: ContentDraft, context: DraftContext): PreparedContent {
  const settled = settleAgainstState(
    checkContentValues(asked, context.surface.speaks),
    context.surface,
  );
  const [proposalId, migrationId, revisionId] = [context.ulids(), context.ulids(), context.ulids()];
  const tail = bodyTail(settled.itemId, revisionId, settled.contentType);
  const contentSha256 = sha256Hex(settled.body);
  const document = migrationDocument(
    {
      id: migrationId,
      createdAt: draftTime(context.clock.now()),
      author: settled.author,
      description: settled.description,
    },
    contentOperations(settled, { revisionId, tail, contentSha256 }),
  );
  checkDocument(document, context.surface.speaks);
  const leaf = settled.itemId.slice(settled.itemId.lastIndexOf(".") + 1);
  const draft: PreparedDraft = {
    proposalId,
    migrationId,
    local: settled.local,
    bodies: [{ tail, bytes: settled.body }],
    evidence: evidenceText({
      proposalId,
      migrationId,
      itemId: settled.itemId,
      evidence: settled.evidence,
      sourceAnchors: settled.sourceAnchors,
      ...(context.evidenceExtras === undefined ? {} : { more: context.evidenceExtras }),
    }),
    migrationFile: migrationFileName(migrationId, slugOf(settled.title, leaf)),
    migration: writeYaml(document),
    document,
  };
  return { settled, draft, contentSha256 };
}
