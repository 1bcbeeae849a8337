/**
 * Drafting from a migration document without content (proposals.md 4.3).
 *
 * @module
 */

import { join } from "node:path/posix";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { writeYaml } from "../platform/yaml/mod.ts";
import type { WritableYaml } from "../platform/yaml/mod.ts";
import { OPERATION_NAMES } from "../knowledge/mod.ts";
import { checkDocument } from "./_check_document.ts";
import { refuseDraft } from "./_refuse.ts";
import type { ProposalLoad } from "./caps.ts";
import type { DraftContext } from "./draft_context.ts";
import { evidenceText, namedItems } from "./evidence_text.ts";
import { landDraft, type PreparedDraft, rehearseDraft } from "./land_draft.ts";
import { EVIDENCE_FILE, migrationFileName, proposalDirectory } from "./layout.ts";
import { draftTime } from "./migration_text.ts";
import type { DocumentDraft, DocumentProposal } from "./model.ts";
import { slugOf } from "./slug.ts";
import { checkEvidence } from "./value_rules.ts";

/** Operations that a document may hold: none changes content or who may read. */
export const DRAFTABLE_OPERATIONS = [
  "deprecateItem",
  "addRelation",
  "removeRelation",
  "addAlias",
  "removeAlias",
  "changeOwner",
  "registerSpecification",
  "supersedeSpecification",
  "addEvidence",
  "removeEvidence",
] as const;

/** Operations of one proposal; accept refuses more, so a draft does too. */
export const MAX_OPERATIONS = 250;

/** Keys that are always ours. */
const STAMPED = ["apiVersion", "id", "createdAt"];

/**
 * Drafts the caller's document under a minted id and time. Throws as `draftContent` does; nothing
 * is written then. Whether it would apply is found out at acceptance.
 */
export async function draftDocument(
  draft: DocumentDraft,
  context: DraftContext,
): Promise<DocumentProposal> {
  const { prepared, document } = prepareDocument(draft, context);
  const landed = await landDraft(prepared, context);
  const directory = proposalDirectory(landed.proposalId, draft.local);
  return {
    proposalId: landed.proposalId,
    proposalDirectory: directory,
    migrationId: landed.migrationId,
    migrationFile: landed.migrationFile,
    evidenceFile: join(directory, EVIDENCE_FILE),
    operations: operationNames(document),
    nextSteps: context.nextSteps(landed.proposalId, null),
  };
}

/** As `rehearseContent`, for a document. */
export function rehearseDocument(
  draft: DocumentDraft,
  context: DraftContext,
  ahead: ProposalLoad,
): ProposalLoad {
  return rehearseDraft(prepareDocument(draft, context).prepared, context, ahead);
}

function prepareDocument(
  draft: DocumentDraft,
  context: DraftContext,
): { readonly prepared: PreparedDraft; readonly document: JsonObject } {
  checkEvidence(draft.evidence, context.surface.speaks);
  refuseOtherOperations(draft.document.operations);
  const [proposalId, migrationId] = [context.ulids(), context.ulids()];
  const document = stamped(draft.document, migrationId, draftTime(context.clock.now()));
  checkDocument(document, context.surface.speaks);
  const description = draft.document.description;
  const prepared: PreparedDraft = {
    proposalId,
    migrationId,
    local: draft.local,
    bodies: [],
    evidence: evidenceText({
      proposalId,
      migrationId,
      itemId: namedItems(draft.document.operations),
      evidence: draft.evidence,
      sourceAnchors: [],
    }),
    migrationFile: migrationFileName(
      migrationId,
      slugOf(typeof description === "string" ? description : "", "migration"),
    ),
    migration: writeYaml(document as WritableYaml),
    document,
  };
  return { prepared, document };
}

/** Unknown shapes are left to the schema; a known operation that may not be drafted is refused here. */
function refuseOtherOperations(operations: JsonValue | undefined): void {
  if (!Array.isArray(operations)) return;
  if (operations.length > MAX_OPERATIONS) {
    throw refuseDraft(
      `Cannot draft: the document has more than ${MAX_OPERATIONS} operations`,
      "Split it into several proposals.",
    );
  }
  for (const [index, operation] of operations.entries()) {
    const op = (operation as JsonObject | null)?.op;
    if (typeof op !== "string" || !OPERATION_NAMES.includes(op as never)) continue;
    if (DRAFTABLE_OPERATIONS.includes(op as never)) continue;
    const content = op === "createItem" || op === "upsertRevision";
    throw refuseDraft(
      `Cannot draft: operation ${index} is \`${op}\`, which a document may not hold`,
      content
        ? "Use `knowledge.proposeChange` for content."
        : "It changes who may read; write that migration by hand and have it reviewed.",
    );
  }
}

function stamped(document: JsonObject, id: string, createdAt: string): JsonObject {
  const own = Object.entries(document).filter(([key]) => !STAMPED.includes(key));
  return { apiVersion: "theurian.dev/v1", id, createdAt, ...Object.fromEntries(own) };
}

function operationNames(document: JsonObject): readonly string[] {
  return (document.operations as readonly JsonObject[]).map((operation) => operation.op as string);
}
