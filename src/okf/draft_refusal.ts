/**
 * Why a concept was not drafted, from a closed list (okf.md 5.5 and section 6): the words are ours,
 * and so is everything in them.
 *
 * @module
 */

import { errorKind, isFault, type TheurianError } from "../platform/errors.ts";
import { decodeUtf8, SOURCE_FILE_BYTES } from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import type { DraftSurface } from "../proposals/mod.ts";
import type { MappedConcept } from "./map_concepts.ts";

/** Reasons by their name in a report. */
const SENTENCES = {
  "item-exists": "the project holds this item already",
  "item-withdrawn": "the project has withdrawn this item",
  "body-blank": "the body is blank",
  "body-too-large": "the body is larger than 8 MiB",
  "body-not-utf8": "the body is not UTF-8",
  "secret-found": "a text looks as if it held a secret",
  "queue-full": "too many proposals wait for review",
  "history-broken": "the landed migrations do not replay",
  "not-valid": "the migration would not be valid",
} as const;

/** Why drafting refused a concept. */
export type DraftReason = keyof typeof SENTENCES;

/** True for what one concept may be refused for; anything else stops the import. */
export function isDraftRefusal(error: unknown): error is TheurianError {
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

/** Names the reason of a refusal. */
export function draftReason(
  error: TheurianError,
  { facts, body }: MappedConcept,
  surface: DraftSurface,
): DraftReason {
  if (isFault(error, "secret-found")) return "secret-found";
  if (isFault(error, "proposals-full")) return "queue-full";
  const known = knownItem(facts.itemId, surface);
  if (known === "unknown") return "history-broken";
  if (known !== null) return known.retired ? "item-withdrawn" : "item-exists";
  if (body.length > SOURCE_FILE_BYTES) return "body-too-large";
  const text = decodeUtf8(body);
  if (text === null) return "body-not-utf8";
  return isBlank(text) ? "body-blank" : "not-valid";
}

function knownItem(itemId: string, surface: DraftSurface) {
  try {
    return surface.item(itemId);
  } catch (error) {
    if (isFault(error)) return "unknown";
    throw error;
  }
}

/** What a report says: the failure's class, the reason, and where a document's rule was broken. */
export function refusalSentence(error: TheurianError, reason: DraftReason | null): string {
  const why = reason === null || reason === "not-valid" ? error.message : SENTENCES[reason];
  return `drafting refused it (${errorKind(error)}): ${why}`;
}
