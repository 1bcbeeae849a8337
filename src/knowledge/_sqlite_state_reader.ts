/** A {@linkcode StateReader} over our own tables. */

import { createHash } from "node:crypto";
import { type Connection, ContentMemo, type SqlValue } from "../platform/sqlite/mod.ts";
import { guarded } from "./_state_refusals.ts";
import {
  type Alias,
  type Evidence,
  type Item,
  type Relation,
  type Revision,
  SENSITIVITIES,
  servedText,
  type Specification,
  type Status,
  STATUSES,
  SURFACEABLE_STATUSES,
} from "./model.ts";
import {
  evidenceOf,
  type EvidenceRow,
  itemOf,
  type ItemRow,
  relationOf,
  type RelationRow,
  revisionOf,
  type RevisionRow,
  specificationOf,
  type SpecificationRow,
} from "./_state_rows.ts";
import { damaged, decodeFacts, text, word } from "./_stored_facts.ts";
import type { OpenState } from "./state_files.ts";
import type { ItemFacts } from "./working_state.ts";
import type { CurrentRevision, ItemFilter, RevisionSummary, StateReader } from "./state_reader.ts";

const ITEM = "SELECT item_id, status, sensitivity, revision_id, facts FROM items";
const REVISION =
  "SELECT r.revision_id, r.item_id, r.content_sha256, r.facts, b.bytes FROM revisions r " +
  "LEFT JOIN bodies b ON b.content_sha256 = r.content_sha256 WHERE r.revision_id = ?";
const SUMMARY =
  "SELECT revision_id, item_id, served_sha256, body_bytes, facts FROM revisions WHERE revision_id = ?";
const RELATION = "SELECT source_item_id, relation_type, target_item_id, facts FROM relations";
const RELATION_ORDER = " ORDER BY source_item_id, relation_type, target_item_id";

interface SummaryRow {
  readonly revision_id: string;
  readonly item_id: string;
  readonly served_sha256: string;
  readonly body_bytes: number;
  readonly facts: string;
}

type IntegrityCounts = ReturnType<StateReader["integrityCounts"]>;

/** Counts walk the tables, and a state file never changes: one count a file that stays the same. */
const integrityCounts = new WeakMap<object, IntegrityCounts>();

/** A revision whose bytes were compared with its hash. */
interface VerifiedRevision {
  readonly servedSha256: string;
  readonly revision: Revision;
}

/** Bytes of bodies that are remembered for one file, and of one body. */
const MOST_REMEMBERED = 16_777_216;
const MOST_REMEMBERED_BODY = 262_144;

/** Revisions of one unchanged file, with the bytes of their bodies together. */
class VerifiedRevisions {
  readonly #byId = new Map<string, VerifiedRevision>();
  #bytes = 0;

  get(revisionId: string): VerifiedRevision | undefined {
    return this.#byId.get(revisionId);
  }

  add(verified: VerifiedRevision, bytes: number): void {
    if (bytes > MOST_REMEMBERED_BODY) return;
    if (this.#bytes + bytes > MOST_REMEMBERED) {
      this.#byId.clear();
      this.#bytes = 0;
    }
    this.#byId.set(verified.revision.revisionId, verified);
    this.#bytes += bytes;
  }
}

/**
 * Hashing and decoding bodies is most of what a search costs, and a state file never changes: a
 * connection that reads another file, or the same one changed, has another content.
 */
const verifiedRevisions = new WeakMap<object, VerifiedRevisions>();

/** Rows that a search asks for again and again, of one file. */
const MOST_ROWS = 4096;
const items = new ContentMemo<ItemFacts | null>(MOST_ROWS);
const aliasTargets = new ContentMemo<string | null>(MOST_ROWS);

/** Reads one open state file; closing the reader closes the file. */
export class SqliteStateReader implements StateReader {
  readonly projectId: string;
  readonly stateHash: string;
  readonly builtFor: string;
  readonly #connection: Connection;
  /** The row read last: what decides over a revision and what shows it ask one after the other. */
  #lastRow: RevisionRow | undefined;
  #lastServed: { readonly revisionId: string; readonly served: string } | undefined;

  constructor({ connection, meta }: OpenState, projectId: string) {
    this.#connection = connection;
    this.projectId = projectId;
    this.stateHash = meta.stateHash;
    this.builtFor = meta.projectId;
  }

  item(itemId: string): Item | null {
    const facts = items.get(this.#connection, itemId, () => {
      const row = this.#get<ItemRow>(`${ITEM} WHERE item_id = ?`, itemId);
      return row === undefined ? null : itemOf(row);
    });
    return facts === null ? null : { ...facts, projectId: this.projectId };
  }

  aliasTarget(alias: string): string | null {
    const sql = "SELECT item_id FROM aliases WHERE alias = ?";
    return aliasTargets.get(
      this.#connection,
      alias,
      () => this.#get<{ item_id: string }>(sql, alias)?.item_id ?? null,
    );
  }

  /**
   * An item of an admitted status whose level is no known word passes the query, so that it is
   * refused as damage and not dropped in silence (retrieval.md 9.4).
   */
  *items(filter: ItemFilter): Iterable<Item> {
    const sql = `${ITEM} WHERE ${ADMITTED} ORDER BY item_id`;
    for (const row of this.#iterate<ItemRow>(sql, ...valuesOf(filter))) yield this.#item(row);
  }

  *currentRevisions(
    filter: ItemFilter,
    only?: readonly string[],
  ): Iterable<CurrentRevision> {
    const sql = "SELECT i.item_id, i.status, i.sensitivity, r.revision_id, " +
      "r.item_id revision_item_id, r.served_sha256, r.facts FROM items i " +
      `JOIN revisions r ON r.revision_id = i.revision_id WHERE ${ADMITTED}`;
    const values = valuesOf(filter);
    if (only === undefined) {
      for (const row of this.#iterate<CurrentRow>(`${sql} ORDER BY i.item_id`, ...values)) {
        yield currentOf(row);
      }
      return;
    }
    for (const itemId of only.toSorted()) {
      const row = this.#get<CurrentRow>(`${sql} AND i.item_id = ?`, ...values, itemId);
      if (row !== undefined) yield currentOf(row);
    }
  }

  *allItems(): Iterable<Item> {
    for (const row of this.#iterate<ItemRow>(`${ITEM} ORDER BY item_id`)) yield this.#item(row);
  }

  currentRevision(item: Item): Revision | null {
    if (item.currentRevisionId === null) return null;
    const revision = this.revision(item.currentRevisionId);
    if (revision === null) throw damaged("the current revision of an item is missing");
    if (revision.itemId !== item.itemId) {
      throw damaged("an item points at a revision of another item");
    }
    return revision;
  }

  currentSummary(item: Item): RevisionSummary | null {
    if (item.currentRevisionId === null) return null;
    const row = this.#get<SummaryRow>(SUMMARY, item.currentRevisionId);
    if (row === undefined) throw damaged("the current revision of an item is missing");
    return {
      revisionId: row.revision_id,
      itemId: row.item_id,
      title: text(decodeFacts(row.facts), "title"),
      servedSha256: row.served_sha256,
      bodyBytes: row.body_bytes,
    };
  }

  servedSha256Of(revisionId: string): string | null {
    const known = this.#verified(revisionId);
    if (known !== undefined) return known.servedSha256;
    const row = this.#revisionRow(revisionId);
    if (row === undefined || row.bytes === null) return null;
    const opening = servedText(text(decodeFacts(row.facts), "title"), "");
    const served = createHash("sha256").update(opening).update(row.bytes).digest("hex");
    this.#lastServed = { revisionId, served };
    return served;
  }

  revision(revisionId: string): Revision | null {
    const known = this.#verified(revisionId);
    if (known !== undefined) return known.revision;
    const row = this.#revisionRow(revisionId);
    if (row === undefined) return null;
    const revision = revisionOf(row, this.projectId);
    // Who compared the served text is a search, which will come again; a build reads once.
    if (this.#lastServed?.revisionId === revisionId) {
      this.#remember(revision, this.#lastServed.served, row.bytes?.length ?? 0);
    }
    return revision;
  }

  /** Only under the project id it was read for, which is part of the revision. */
  #verified(revisionId: string): VerifiedRevision | undefined {
    const known = verifiedRevisions.get(this.#connection.content)?.get(revisionId);
    return known?.revision.projectId === this.projectId ? known : undefined;
  }

  #remember(revision: Revision, servedSha256: string, bytes: number): void {
    const { content } = this.#connection;
    const known = verifiedRevisions.get(content) ?? new VerifiedRevisions();
    verifiedRevisions.set(content, known);
    known.add({ servedSha256, revision }, bytes);
  }

  revisionIdsOf(itemId: string): readonly string[] {
    const sql = "SELECT revision_id FROM revisions WHERE item_id = ? ORDER BY position";
    return this.#all<{ revision_id: string }>(sql, itemId).map((row) => row.revision_id);
  }

  relationsTouching(itemId: string): readonly Relation[] {
    const sql = `${RELATION} WHERE source_item_id = ? OR target_item_id = ?${RELATION_ORDER}`;
    return this.#all<RelationRow>(sql, itemId, itemId).map(relationOf);
  }

  relations(): readonly Relation[] {
    return this.#all<RelationRow>(RELATION + RELATION_ORDER).map(relationOf);
  }

  aliases(): readonly Alias[] {
    const sql = "SELECT alias, item_id, created_at FROM aliases ORDER BY alias";
    return this.#all<{ alias: string; item_id: string; created_at: string }>(sql)
      .map((row) => ({ alias: row.alias, itemId: row.item_id, createdAt: row.created_at }));
  }

  evidence(itemId?: string): readonly Evidence[] {
    const where = itemId === undefined ? "" : " WHERE item_id = ?";
    const sql = `SELECT item_id, facts FROM evidence${where} ORDER BY item_id, source`;
    return this.#all<EvidenceRow>(sql, ...(itemId === undefined ? [] : [itemId])).map(evidenceOf);
  }

  specifications(): readonly Specification[] {
    const sql = "SELECT spec_id, facts FROM specifications ORDER BY spec_id";
    return this.#all<SpecificationRow>(sql).map(specificationOf);
  }

  countByStatus({ statuses, sensitivities }: ItemFilter): ReadonlyMap<Status, number> {
    const sql = "SELECT status, sensitivity, count(*) n FROM items GROUP BY status, sensitivity";
    const counts = new Map<Status, number>();
    for (const row of this.#all<{ status: Status; sensitivity: string; n: number }>(sql)) {
      if (!statuses.includes(row.status)) continue;
      const level = word(row.sensitivity, SENSITIVITIES, "sensitivity");
      if (sensitivities.includes(level)) {
        counts.set(row.status, (counts.get(row.status) ?? 0) + row.n);
      }
    }
    return counts;
  }

  history(): readonly { readonly migrationId: string; readonly checksum: string }[] {
    const sql = "SELECT migration_id, checksum FROM history ORDER BY sequence";
    return this.#all<{ migration_id: string; checksum: string }>(sql)
      .map((row) => ({ migrationId: row.migration_id, checksum: row.checksum }));
  }

  integrityCounts(): IntegrityCounts {
    const sql = "SELECT (SELECT count(*) FROM items WHERE status IN (?, ?, ?)) surfaceable, " +
      "(SELECT surfaceable FROM meta) expected, (SELECT count(*) FROM history) migrations";
    const { content } = this.#connection;
    const known = integrityCounts.get(content);
    if (known !== undefined) return known;
    const { surfaceable, expected, migrations } = this.#get<IntegrityCounts>(
      sql,
      ...SURFACEABLE_STATUSES,
    )!;
    const counts = { surfaceable, expected, migrations };
    integrityCounts.set(content, counts);
    return counts;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #revisionRow(revisionId: string): RevisionRow | undefined {
    if (this.#lastRow?.revision_id !== revisionId) {
      this.#lastRow = this.#get<RevisionRow>(REVISION, revisionId);
    }
    return this.#lastRow;
  }

  #item(row: ItemRow): Item {
    return { ...itemOf(row), projectId: this.projectId };
  }

  #get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return guarded(() => this.#connection.get<Row>(sql, ...values));
  }

  #all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return guarded(() => this.#connection.all<Row>(sql, ...values));
  }

  *#iterate<Row>(sql: string, ...values: SqlValue[]): Iterable<Row> {
    const rows = this.#connection.iterate<Row>(sql, ...values);
    try {
      while (true) {
        const next = guarded(() => rows.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      rows.return?.();
    }
  }
}

interface CurrentRow extends ItemRow {
  readonly revision_id: string;
  readonly revision_item_id: string;
  readonly served_sha256: string;
}

/** Admitted by the filter, or of a level that is no known word. */
const ADMITTED = "status IN (?, ?, ?, ?, ?, ?) AND sensitivity NOT IN (?, ?, ?, ?)";

function valuesOf({ statuses, sensitivities }: ItemFilter): string[] {
  const hidden = SENSITIVITIES.filter((level) => !sensitivities.includes(level));
  return [...padded(statuses, STATUSES.length), ...padded(hidden, SENSITIVITIES.length)];
}

function currentOf(row: CurrentRow): CurrentRevision {
  return {
    itemId: row.item_id,
    status: word(row.status, STATUSES, "status"),
    sensitivity: word(row.sensitivity, SENSITIVITIES, "sensitivity"),
    revisionId: row.revision_id,
    revisionItemId: row.revision_item_id,
    servedSha256: row.served_sha256,
    stamp: row.facts,
  };
}

/** Fixed arity keeps the statement's text constant. */
function padded(words: readonly string[], length: number): string[] {
  return Array.from({ length }, (_, i) => words[i] ?? "");
}
