/**
 * What an export holds: exactly what the default read path serves (okf.md 2.2, 2.3).
 *
 * @module
 */

import {
  INVERSE_RELATIONS,
  type Item,
  type Relation,
  type RelationType,
  type Revision,
  type Sensitivity,
  type StateReader,
} from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";

/** An edge as one of its ends shows it. */
export interface BundleEdge {
  readonly type: RelationType;
  readonly target: string;
  readonly note: string | null;
  /** Where the edge is stored; breaks ties of the body's order. */
  readonly storedSource: string;
}

/** One concept of a bundle. */
export interface BundleConcept {
  readonly item: Item;
  readonly revision: Revision;
  readonly edges: readonly BundleEdge[];
}

/**
 * The approved items of the admitted levels with their current revision, in id order, and the edges
 * among them. Throws `state-unreadable` when an item points at another item's revision.
 */
export function readPopulation(
  reader: StateReader,
  sensitivities: readonly Sensitivity[],
): readonly BundleConcept[] {
  const members = new Map<string, { item: Item; revision: Revision }>();
  for (const item of reader.items({ statuses: ["approved"], sensitivities })) {
    const revision = item.currentRevisionId === null
      ? null
      : reader.revision(item.currentRevisionId);
    if (revision === null) continue;
    if (revision.itemId !== item.itemId) throw foreignRevision();
    members.set(item.itemId, { item, revision });
  }
  const edges = edgesAmong(reader.relations(), members);
  return [...members].map(([itemId, member]) => ({ ...member, edges: edges.get(itemId) ?? [] }));
}

/** Edges by the end that shows them; only those whose both ends are exported. */
function edgesAmong(
  relations: readonly Relation[],
  members: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, BundleEdge[]> {
  const edges = new Map<string, BundleEdge[]>();
  const add = (itemId: string, edge: BundleEdge) => {
    const list = edges.get(itemId);
    if (list === undefined) edges.set(itemId, [edge]);
    else list.push(edge);
  };
  for (
    const { sourceItemId: source, relationType: type, targetItemId: target, note } of relations
  ) {
    if (!members.has(source) || !members.has(target)) continue;
    add(source, { type, target, note, storedSource: source });
    const inverse = INVERSE_RELATIONS[type];
    if (inverse !== undefined) {
      add(target, {
        type: inverse,
        target: source,
        note,
        storedSource: source,
      });
    }
  }
  return edges;
}

/** Publishing it would put another item's content under this id; the message names neither. */
function foreignRevision(): TheurianError {
  return new TheurianError(
    "state-unreadable",
    "Cannot export: an item points at a revision of another item",
    { remedy: "Delete .theurian/state/, then run: theurian migrate apply" },
  );
}
