/**
 * The rows of `document_facts`, of which a change rewrites the ones it falls into.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { type DocumentFact, packFacts, unpackFacts } from "./lexicon_facts.ts";

/** Documents in a row as it is written; a row takes twice as many before it is cut. */
const DOCUMENTS_PER_ROW = 200;

/** Facts of documents by their row. */
export type FactsByRow = ReadonlyMap<number, DocumentFact>;

interface ItemRow {
  readonly id: number;
  readonly item_id: string;
}

const INSERT = "INSERT INTO document_facts (first, packed) VALUES (?, ?)";
const ROW_OF = "SELECT id, first, packed FROM document_facts WHERE first <= ? " +
  "ORDER BY first DESC LIMIT 1";
const FIRST_ROW = "SELECT id, first, packed FROM document_facts ORDER BY first LIMIT 1";
const FOLLOWING = "SELECT min(first) AS next FROM document_facts WHERE first > ?";
const BETWEEN = "SELECT id, item_id FROM documents WHERE item_id >= ? AND item_id < ? " +
  "ORDER BY item_id";
const ALL = "SELECT id, item_id FROM documents ORDER BY item_id";

/** Facts of all documents in ascending item id. */
export function readFactRows(connection: Connection): Uint8Array[] {
  return connection.all<{ packed: Uint8Array }>("SELECT packed FROM document_facts ORDER BY first")
    .map(({ packed }) => packed);
}

/** Writes facts into the empty table, for all rows of `documents` that there are facts of. */
export function writeFacts(connection: Connection, facts: FactsByRow): void {
  insert(connection, connection.all<ItemRow>(ALL), facts);
}

/**
 * Brings the rows that items fall into in line with `documents`, but for `gone`, rows that are about to
 * be removed from there. `facts` holds those of documents that are new.
 */
export function changeFacts(
  connection: Connection,
  itemIds: readonly string[],
  gone: ReadonlySet<number>,
  facts: FactsByRow,
): void {
  let done = "";
  for (const itemId of itemIds.toSorted()) {
    if (itemId < done) continue;
    done = rewrite(connection, itemId, gone, facts);
  }
}

interface FactRow {
  readonly id: number;
  readonly first: string;
  readonly packed: Uint8Array;
}

/** Behind every item id. */
const BEHIND_ALL = "\u{10ffff}";

/** Rewrites the row that an item falls into and answers the item id from which on the next one holds. */
function rewrite(
  connection: Connection,
  itemId: string,
  gone: ReadonlySet<number>,
  facts: FactsByRow,
): string {
  const row = connection.get<FactRow>(ROW_OF, itemId) ?? connection.get<FactRow>(FIRST_ROW);
  const next = row === undefined
    ? BEHIND_ALL
    : connection.get<{ next: string | null }>(FOLLOWING, row.first)!.next ?? BEHIND_ALL;
  const from = row === undefined || itemId < row.first ? itemId : row.first;
  const known = new Map(facts);
  for (const fact of row === undefined ? [] : unpackFacts(row.packed)) known.set(fact.row, fact);
  const documents = connection.all<ItemRow>(BETWEEN, from, next).filter(({ id }) => !gone.has(id));
  if (row !== undefined) connection.run("DELETE FROM document_facts WHERE id = ?", row.id);
  insert(connection, documents, known);
  return next;
}

/** Writes rows for the documents whose facts are known. */
function insert(connection: Connection, all: readonly ItemRow[], facts: FactsByRow): void {
  const documents = all.filter(({ id }) => facts.has(id));
  const rows = Math.max(1, Math.round(documents.length / DOCUMENTS_PER_ROW));
  const size = Math.max(1, Math.ceil(documents.length / rows));
  for (let from = 0; from < documents.length; from += size) {
    const some = documents.slice(from, from + size);
    connection.run(INSERT, some[0]!.item_id, packFacts(some.map(({ id }) => facts.get(id)!)));
  }
}
