import { draftContent } from "./draft_content.ts";
import type { DraftContext } from "./draft_context.ts";
import { draftDocument } from "./draft_document.ts";
import type { DraftFacade } from "./model.ts";

/** The two functions that tools may hold (proposals.md 1, P2). */
export function draftFacade(context: DraftContext): DraftFacade {
  return {
    draftContent: async (draft) => (await draftContent(draft, context)).proposal,
    draftDocument: (draft) => draftDocument(draft, context),
  };
}
