/**
 * The edges of a bundle as operations of one migration (okf.md 5.1 step 8). An invertible edge stands
 * in a bundle twice, once at each end; it is collected once.
 *
 * @module
 */

import {
  INVERSE_RELATIONS,
  isItemId,
  RELATION_TYPES,
  type RelationType,
} from "../knowledge/mod.ts";
import { codePointLength } from "../platform/text.ts";
import { type Refusal, shownLiteral } from "./import_report.ts";
import type { ListedEdge } from "./parse_concept.ts";

/** Most characters of a note (corpus-and-migrations.md 9.1). */
const NOTE_LENGTH = 1_000;

/** An `addRelation` operation. */
export interface EdgeOperation {
  readonly op: "addRelation";
  readonly sourceItemId: string;
  readonly relationType: RelationType;
  readonly targetItemId: string;
  readonly note?: string;
}

/** The concept that lists an edge. */
export interface EdgeOwner {
  readonly itemId: string;
  /** Its path in the bundle. */
  readonly concept: string;
}

/** Collects edges of concepts in order; what cannot be taken is refused one by one. */
export class EdgeCollector {
  readonly refusals: Refusal[] = [];
  readonly #edges = new Map<string, EdgeOperation>();

  /** In the order they were taken. */
  get operations(): readonly EdgeOperation[] {
    return [...this.#edges.values()];
  }

  /** Takes an edge that the concept of `itemId` lists. */
  add({ itemId, concept }: EdgeOwner, listed: ListedEdge): void {
    const type = RELATION_TYPES.find((known) => known === listed.type);
    const valid = type !== undefined && isItemId(listed.target) && listed.target !== itemId &&
      codePointLength(listed.note ?? "") <= NOTE_LENGTH;
    if (!valid) return this.refuse({ itemId, concept }, listed);
    const edge = operationOf(itemId, type, listed.target, listed.note);
    const inverse = INVERSE_RELATIONS[type];
    const turned = inverse === undefined
      ? null
      : operationOf(listed.target, inverse, itemId, listed.note);
    if (this.#holds(edge) || (turned !== null && this.#holds(turned))) return;
    if (this.#isFree(edge)) this.#edges.set(keyOf(edge), edge);
    else if (turned !== null && this.#isFree(turned)) this.#edges.set(keyOf(turned), turned);
    else this.refuse({ itemId, concept }, listed);
  }

  /** Records an edge that is dropped. */
  refuse({ itemId, concept }: EdgeOwner, { type, target, note }: ListedEdge): void {
    const edge = `${type} ${target}${note === null ? "" : ` (${note})`}`;
    this.refusals.push({ kind: "relations", key: itemId, literal: shownLiteral(edge), concept });
  }

  #holds(edge: EdgeOperation): boolean {
    const taken = this.#edges.get(keyOf(edge));
    return taken !== undefined && taken.note === edge.note;
  }

  #isFree(edge: EdgeOperation): boolean {
    return !this.#edges.has(keyOf(edge));
  }
}

function operationOf(
  sourceItemId: string,
  relationType: RelationType,
  targetItemId: string,
  note: string | null,
): EdgeOperation {
  const edge = { op: "addRelation" as const, sourceItemId, relationType, targetItemId };
  return note === null ? edge : { ...edge, note };
}

function keyOf({ sourceItemId, relationType, targetItemId }: EdgeOperation): string {
  return `${sourceItemId} ${relationType} ${targetItemId}`;
}
