import { type SourceAnchor } from "../../knowledge/mod.ts";
import type { JsonObject } from "../../platform/json.ts";
import {
  type DraftEvidence,
  type DraftFacade,
  draftFacade,
  toolNextSteps,
  toolSurface,
} from "../../proposals/mod.ts";
import { namedIn, nameServable, openNamed, portable } from "../_open_project.ts";
import type { CheckedCall, ToolContext } from "../tool.ts";

/** Longest wait of a draft for another writer, in milliseconds (daemon-and-setup.md 9.3). */
export const DRAFT_LOCK_WAIT = 2_000;

/** The check of a drafting tool: project and built state; the arguments go on as they are. */
export function checkDraft(input: JsonObject, context: ToolContext): CheckedCall {
  return { ...portable(nameServable(input, context)), input };
}

/** Runs `draft` with the two functions a tool may hold, over the active state. */
export async function answerDraft(
  call: CheckedCall,
  context: ToolContext,
  draft: (facade: DraftFacade, input: JsonObject) => Promise<object>,
): Promise<JsonObject> {
  const named = namedIn(call);
  using reader = openNamed(named, context);
  const facade = draftFacade({
    project: named.project,
    clock: context.clock,
    ulids: context.ulids,
    surface: toolSurface(reader, context.grant.sensitivities),
    lockWaitMs: DRAFT_LOCK_WAIT,
    nextSteps: toolNextSteps,
  });
  return { ...await draft(facade, call["input"] as JsonObject) } as JsonObject;
}

/** The evidence argument; its shape is the schema's. */
export function evidenceOf(input: JsonObject): DraftEvidence {
  return input["evidence"] as unknown as DraftEvidence;
}

/** The anchors a tool may state: no blob, lines or provider's id. */
export function anchorsOf(input: JsonObject): readonly SourceAnchor[] {
  const anchors = (input["sourceAnchors"] ?? []) as unknown as readonly Partial<SourceAnchor>[];
  return anchors.map((anchor) => ({
    provider: anchor.provider!,
    sourceUri: anchor.sourceUri!,
    repository: anchor.repository ?? null,
    commitSha: anchor.commitSha ?? null,
    blobSha: null,
    filePath: anchor.filePath ?? null,
    lineStart: null,
    lineEnd: null,
    externalId: null,
  }));
}
