/**
 * Rules for a draft against what the surface knows of the item (proposals.md 3.2).
 *
 * @module
 */

import { SENSITIVITIES, TRUST_LEVELS, type TrustLevel } from "../knowledge/model.ts";
import { argumentName, refuseDraft } from "./_refuse.ts";
import type { ContentDraft, DraftSurface, KnownItem } from "./model.ts";

/**
 * The draft with its unset labels inherited from the item, or with a namespace derived from the id
 * of a new one. Refuses a retired item, an `expectedRevision` that does not match, and a lower
 * sensitivity. What a tool's caller says of its own trust counts up to `inferred`, or to what the
 * item holds already: a person may say more. Throws `invalid-input`; over MCP a visible mismatch carries `REVISION_CONFLICT`.
 */
export function settleAgainstState(draft: ContentDraft, surface: DraftSurface): ContentDraft {
  const known = surface.item(draft.itemId);
  if (known?.retired) throw refuseRetired();
  checkExpectedRevision(draft, known, surface.speaks);
  if (known === null) {
    return {
      ...draft,
      namespace: draft.namespace ?? derivedNamespace(draft.itemId),
      trustLevel: statedTrust(draft.trustLevel, null, surface.speaks),
    };
  }
  const wanted = draft.sensitivity;
  if (
    wanted !== null && SENSITIVITIES.indexOf(wanted) < SENSITIVITIES.indexOf(known.sensitivity)
  ) {
    throw refuseDraft(
      "Cannot draft: the item is more restricted than the sensitivity asked for",
      `Leave ${argumentName(surface.speaks, "sensitivity")} out. ` +
        "To lower it, write a migration with a `changeSensitivity` operation by hand and have it reviewed.",
    );
  }
  return {
    ...draft,
    namespace: draft.namespace ?? known.namespace,
    trustLevel: statedTrust(draft.trustLevel, known.trustLevel, surface.speaks) ?? known.trustLevel,
    sensitivity: wanted ?? known.sensitivity,
  };
}

/** The level asked for; over MCP at most what nobody has to vouch for. */
function statedTrust(
  asked: TrustLevel | null,
  held: TrustLevel | null,
  speaks: DraftSurface["speaks"],
): TrustLevel | null {
  if (asked === null || speaks === "cli") return asked;
  const rank = (level: TrustLevel) => TRUST_LEVELS.indexOf(level);
  const most = Math.max(rank("inferred"), held === null ? 0 : rank(held));
  return TRUST_LEVELS[Math.min(rank(asked), most)]!;
}

/** The item id without its last segment; empty for an id without a dot. */
export function derivedNamespace(itemId: string): string {
  return itemId.slice(0, Math.max(0, itemId.lastIndexOf(".")));
}

function refuseRetired() {
  return refuseDraft(
    "Cannot draft: the item is retired",
    "Write a migration with a `restoreItem` operation by hand and have it reviewed, or draft under another item id.",
  );
}

function checkExpectedRevision(
  draft: ContentDraft,
  known: KnownItem | null,
  speaks: DraftSurface["speaks"],
): void {
  const name = argumentName(speaks, "expectedRevision");
  const current = known?.currentRevisionId ?? null;
  const expected = draft.expectedRevision;
  if (expected === current) return;
  const details = { itemId: draft.itemId, expected, actual: current };
  if (current === null) {
    throw refuseDraft(
      `Cannot draft: ${name} is given but the item has no revision to replace`,
      `Leave ${name} out for a first revision.`,
      { wireCode: "REVISION_CONFLICT", details },
    );
  }
  throw refuseDraft(
    expected === null
      ? `Cannot draft: the item's current revision is ${current} and ${name} does not say so`
      : `Cannot draft: the item's current revision is ${current}, not ${expected}`,
    `Read the current revision, then draft again with ${name} set to ${current}.`,
    { wireCode: "REVISION_CONFLICT", details },
  );
}
