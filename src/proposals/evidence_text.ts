/**
 * `evidence.json` of a proposal (proposals.md 2.3): for reviewers, and for telling an accepted
 * proposal from an unfinished one.
 *
 * @module
 */

import type { SourceAnchor } from "../knowledge/model.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { compareCodePoints } from "../platform/text.ts";
import { writtenAnchor } from "./migration_text.ts";
import type { DraftEvidence } from "./model.ts";

/** Keys of an operation that name an item or alias a reviewer should know of. */
const ITEM_KEYS = ["itemId", "sourceItemId", "targetItemId", "alias"] as const;

/** What the record says. */
export interface EvidenceRecord {
  readonly proposalId: string;
  readonly migrationId: string;
  /** One item of a content proposal; every named id of a document proposal. */
  readonly itemId: string | readonly string[];
  readonly evidence: DraftEvidence;
  readonly sourceAnchors: readonly SourceAnchor[];
  /** Additive facts for reviewers, such as why a candidate was allowed. */
  readonly more?: JsonObject;
}

/** Two-space indent, final LF, fixed key order, non-ASCII as `\uXXXX`. */
export function evidenceText(record: EvidenceRecord): string {
  const { agentId, taskId, model, reasoning } = record.evidence;
  const document = {
    proposalId: record.proposalId,
    migrationId: record.migrationId,
    itemId: record.itemId,
    agentId,
    taskId,
    model,
    reasoning,
    sourceAnchors: record.sourceAnchors.map(writtenAnchor),
    ...record.more,
  };
  const text = JSON.stringify(document, null, 2);
  return text.replace(
    /[\u007f-\uffff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  ) + "\n";
}

/** Sorted, distinct ids that the operations of a document name. */
export function namedItems(operations: JsonValue | undefined): readonly string[] {
  const named = new Set<string>();
  for (const operation of Array.isArray(operations) ? operations : []) {
    if (typeof operation !== "object" || operation === null || Array.isArray(operation)) continue;
    for (const key of ITEM_KEYS) {
      const value = (operation as JsonObject)[key];
      if (typeof value === "string") named.add(value);
    }
  }
  return [...named].sort(compareCodePoints);
}
