/**
 * Proposals: drafts that people review, and their acceptance (proposals.md). Tools hold
 * {@linkcode draftFacade} only.
 *
 * @module
 */

export * from "./accept.ts";
export * from "./adopt.ts";
export * from "./adopt_documents.ts";
export * from "./adopt_identity.ts";
export * from "./adopt_origin.ts";
export * from "./adopt_plan.ts";
export * from "./caps.ts";
export * from "./change_fingerprint.ts";
export * from "./changes.ts";
export * from "./discard.ts";
export * from "./draft_content.ts";
export * from "./draft_context.ts";
export * from "./draft_document.ts";
export * from "./evidence_text.ts";
export * from "./facade.ts";
export * from "./find_equal.ts";
export * from "./find_proposal.ts";
export * from "./land_draft.ts";
export * from "./layout.ts";
export * from "./list_proposals.ts";
export * from "./migration_text.ts";
export * from "./model.ts";
export * from "./move_checks.ts";
export * from "./move_into_place.ts";
export * from "./payload.ts";
export * from "./pending.ts";
export * from "./pending_upserts.ts";
export * from "./proposal_state.ts";
export * from "./read_proposal.ts";
export * from "./rehearse.ts";
export * from "./scan_proposal.ts";
export * from "./secret_channels.ts";
export * from "./show_proposal.ts";
export * from "./slug.ts";
export * from "./stage.ts";
export * from "./state_rules.ts";
export * from "./surfaces.ts";
export * from "./value_rules.ts";
export * from "./without_migration.ts";
