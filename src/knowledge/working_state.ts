/**
 * A canonical state in the making: what a replay has written so far over a state that was carried
 * over, or over nothing. Reads fall through to the carried state one row at a time, so that applying
 * one migration costs in proportion to what it touches (decision 11).
 *
 * @module
 */

import type { Alias, Evidence, Item, Relation, Revision, Specification } from "./model.ts";
import type { LabelTrace } from "./permissive_moves.ts";

/** An item without the project it belongs to: a state knows only one. */
export type ItemFacts = Omit<Item, "projectId">;

/** A revision without its body, which is found by its hash. */
export type RevisionFacts = Omit<Revision, "projectId" | "body">;

/** An item with what the report of permissive moves remembers about it. */
export interface TracedItem {
  readonly item: ItemFacts;
  readonly trace: LabelTrace;
}

/** Whose revision it is, and over which body. */
export interface RevisionClaim {
  readonly itemId: string;
  readonly contentSha256: string;
}

/** Reads one row at a time from a finished state. */
export interface CarriedState {
  item(itemId: string): TracedItem | null;
  revision(revisionId: string): RevisionClaim | null;
  /** Oldest first. */
  revisionIdsOf(itemId: string): readonly string[];
  hasRelation(edge: Edge): boolean;
  specification(specId: string): Specification | null;
}

/** What identifies a relation. */
export type Edge = Pick<Relation, "sourceItemId" | "relationType" | "targetItemId">;

/** A table of written rows; `null` stands for a removed one. */
type Written<T> = Map<string, T | null>;

/** The rows written by one replay, and reads that see them first. */
export class WorkingState {
  readonly #carried: CarriedState | null;
  readonly items = new Map<string, TracedItem>();
  /** In the order they were appended. */
  readonly revisions = new Map<string, RevisionFacts>();
  readonly relations: Written<Relation> = new Map();
  readonly aliases: Written<Alias> = new Map();
  readonly evidence: Written<Evidence> = new Map();
  readonly specifications = new Map<string, Specification>();
  readonly #appended = new Map<string, string[]>();
  /** Keys of the rows that were removed here, to tell which row is meant. */
  readonly removedEdges = new Map<string, Edge>();
  readonly removedEvidence = new Map<string, { itemId: string; sourceUri: string }>();

  constructor(carried: CarriedState | null) {
    this.#carried = carried;
  }

  item(itemId: string): TracedItem | null {
    return this.items.get(itemId) ?? this.#carried?.item(itemId) ?? null;
  }

  putItem(traced: TracedItem): void {
    this.items.set(traced.item.itemId, traced);
  }

  revision(revisionId: string): RevisionClaim | null {
    return this.revisions.get(revisionId) ?? this.#carried?.revision(revisionId) ?? null;
  }

  appendRevision(revision: RevisionFacts): void {
    this.revisions.set(revision.revisionId, revision);
    const appended = this.#appended.get(revision.itemId);
    if (appended === undefined) this.#appended.set(revision.itemId, [revision.revisionId]);
    else appended.push(revision.revisionId);
  }

  /** Ids of every revision of an item, oldest first. */
  revisionIdsOf(itemId: string): readonly string[] {
    return [
      ...(this.#carried?.revisionIdsOf(itemId) ?? []),
      ...(this.#appended.get(itemId) ?? []),
    ];
  }

  /** Adds an edge unless it is there: the first note wins. */
  addRelation(relation: Relation): void {
    const key = edgeKey(relation);
    const written = this.relations.get(key);
    const exists = written === undefined
      ? this.#carried?.hasRelation(relation) ?? false
      : written !== null;
    if (!exists) this.relations.set(key, relation);
  }

  removeRelation(edge: Edge): void {
    const key = edgeKey(edge);
    this.relations.set(key, null);
    this.removedEdges.set(key, edge);
  }

  putAlias(alias: Alias): void {
    this.aliases.set(alias.alias, alias);
  }

  removeAlias(alias: string): void {
    this.aliases.set(alias, null);
  }

  putEvidence(evidence: Evidence): void {
    this.evidence.set(evidenceKey(evidence.itemId, evidence.anchor.sourceUri), evidence);
  }

  removeEvidence(itemId: string, sourceUri: string): void {
    const key = evidenceKey(itemId, sourceUri);
    this.evidence.set(key, null);
    this.removedEvidence.set(key, { itemId, sourceUri });
  }

  specification(specId: string): Specification | null {
    return this.specifications.get(specId) ?? this.#carried?.specification(specId) ?? null;
  }

  putSpecification(specification: Specification): void {
    this.specifications.set(specification.specId, specification);
  }
}

function edgeKey({ sourceItemId, relationType, targetItemId }: Edge): string {
  return `${sourceItemId} ${relationType} ${targetItemId}`;
}

// No item id holds a space; a source may hold anything.
function evidenceKey(itemId: string, sourceUri: string): string {
  return `${itemId} ${sourceUri}`;
}
