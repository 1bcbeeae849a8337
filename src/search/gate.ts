/**
 * The gate between the index and the caller (retrieval.md 5.6): what canonical state says now decides
 * whether a row of the index exists at all.
 *
 * @module
 */

import {
  admittedStatuses,
  type Item,
  type Revision,
  type Sensitivity,
  type StateReader,
  type Status,
} from "../knowledge/mod.ts";
import { isValidAt } from "./as_of.ts";

/** What a call may see. */
export interface Visibility {
  readonly statuses: readonly Status[];
  readonly sensitivities: readonly Sensitivity[];
}

/** What a call may see: its grant's levels, and the statuses it asks for. */
export function visibilityOf(
  sensitivities: readonly Sensitivity[],
  includeUnapproved: boolean,
): Visibility {
  return { statuses: admittedStatuses(includeUnapproved), sensitivities };
}

/** True when the item may be seen, whether or not it has a revision. */
export function isVisible(item: Item, { statuses, sensitivities }: Visibility): boolean {
  return statuses.includes(item.status) && sensitivities.includes(item.sensitivity);
}

/** A document of the index, as the gate compares it. */
export interface IndexedDocument {
  readonly itemId: string;
  readonly revisionId: string;
  readonly servedSha256: string;
}

/** Why a document does not exist for a call; `as-of` is the caller's own doing. */
export type ClosedGate =
  | "status"
  | "sensitivity"
  | "no-revision"
  | "revision-mismatch"
  | "content-mismatch"
  | "as-of";

/** The item and revision behind a document that passed. */
export interface PassedDocument {
  readonly item: Item;
  readonly revision: Revision;
}

/**
 * Lets a document pass or says what closed the gate. Everything is read from canonical state in this
 * call; a stored status or level that is no known word refuses the call as damage.
 */
export function passGate(
  reader: StateReader,
  visibility: Visibility,
  document: IndexedDocument,
  asOf: bigint | null,
): PassedDocument | ClosedGate {
  const itemId = reader.aliasTarget(document.itemId) ?? document.itemId;
  const item = reader.item(itemId);
  if (item === null) return "no-revision";
  if (!visibility.statuses.includes(item.status)) return "status";
  if (!visibility.sensitivities.includes(item.sensitivity)) return "sensitivity";
  if (item.currentRevisionId === null) return "no-revision";
  if (item.currentRevisionId !== document.revisionId) return "revision-mismatch";
  const served = reader.servedSha256Of(document.revisionId);
  if (served === null || served !== document.servedSha256) return "content-mismatch";
  const revision = reader.currentRevision(item)!;
  return asOf === null || isValidAt(revision, asOf) ? { item, revision } : "as-of";
}
