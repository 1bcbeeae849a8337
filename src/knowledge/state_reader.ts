/**
 * Reading one canonical state. Every area that reads knowledge does it through this interface; the
 * SQLite behind it is private to this folder.
 *
 * @module
 */

import type {
  Alias,
  Evidence,
  Item,
  Relation,
  Revision,
  Sensitivity,
  Specification,
  Status,
} from "./model.ts";

/** Facts about a revision that are cheap to read: no body is touched. */
export interface RevisionSummary {
  readonly revisionId: string;
  readonly itemId: string;
  readonly title: string;
  /** SHA-256 of `servedText(title, body)` as recorded when the revision was applied. */
  readonly servedSha256: string;
  /** Bytes of the body. */
  readonly bodyBytes: number;
}

/** An item's current revision as an index build compares it: no body, nothing decoded. */
export interface CurrentRevision {
  readonly itemId: string;
  readonly status: Status;
  readonly sensitivity: Sensitivity;
  readonly revisionId: string;
  /** The item that owns the revision; another one than `itemId` is damage (INV-2). */
  readonly revisionItemId: string;
  readonly servedSha256: string;
  /** Differs when any authored fact of the revision besides its body differs. */
  readonly stamp: string;
}

/** Which items a walk admits; both sets are applied inside the query. */
export interface ItemFilter {
  readonly statuses: readonly Status[];
  readonly sensitivities: readonly Sensitivity[];
}

/**
 * One canonical state, opened read-only. All reads are of one project. A stored value outside its
 * vocabulary, a pointer to another item's revision or a body that does not match its hash throws
 * `TheurianError` `state-unreadable` (retrieval.md 9.2); nothing stored is echoed.
 */
export interface StateReader extends Disposable {
  readonly projectId: string;
  readonly stateHash: string;
  /** The project id that the state was applied under; a registration may have changed it since. */
  readonly builtFor: string;

  /** The item of exactly this id; aliases are not followed. */
  item(itemId: string): Item | null;
  /** The item id an alias leads to, one hop; `null` when it is no alias. */
  aliasTarget(alias: string): string | null;
  /** Items in ascending id order, whether or not they have a revision. */
  items(filter: ItemFilter): Iterable<Item>;
  /**
   * Current revisions of the admitted items, of `only` these when given, in ascending item id order.
   * Items without a revision, or whose revision is gone, are left out.
   */
  currentRevisions(filter: ItemFilter, only?: readonly string[]): Iterable<CurrentRevision>;
  /** Every item, whatever its status, in ascending id order. */
  allItems(): Iterable<Item>;

  /** The item's current revision with its body, checked (INV-2, INV-3); `null` without one. */
  currentRevision(item: Item): Revision | null;
  /** Title, hash and size of the item's current revision without reading the body. */
  currentSummary(item: Item): RevisionSummary | null;
  /**
   * SHA-256 of the served text of a revision, computed anew from what is stored; `null` when the
   * revision or its body is missing. For comparing without refusing (retrieval.md 5.6, the gate).
   */
  servedSha256Of(revisionId: string): string | null;
  /** A revision by id, whoever owns it; `null` when absent. */
  revision(revisionId: string): Revision | null;
  /** Ids of every revision of an item, oldest first. */
  revisionIdsOf(itemId: string): readonly string[];

  /** Stored edges that touch the item, ordered by stored source, type, target. */
  relationsTouching(itemId: string): readonly Relation[];
  relations(): readonly Relation[];
  aliases(): readonly Alias[];
  evidence(itemId?: string): readonly Evidence[];
  specifications(): readonly Specification[];

  /** Item counts by status among the given levels (knowledge.status). */
  countByStatus(filter: ItemFilter): ReadonlyMap<Status, number>;
  /** Rows of the migration history, in application order. */
  history(): readonly { readonly migrationId: string; readonly checksum: string }[];
  /**
   * Items with a surfaceable status now, and as recorded by the apply that built the state (`null`
   * where that record is missing); rows of the migration history (retrieval.md 9.3).
   */
  integrityCounts(): {
    readonly surfaceable: number;
    readonly expected: number | null;
    readonly migrations: number;
  };
}
