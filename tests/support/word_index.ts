/**
 * A word index in memory, for tests of ranking that need no project.
 *
 * @module
 */

import { chunkText } from "../../src/index/mod.ts";
import { type Lexicon, LEXICON_DDL, readLexicon, writeLexicon } from "../../src/lexicon/mod.ts";
import { type Connection, openInMemory } from "../../src/platform/sqlite/mod.ts";
import {
  normaliseQuery,
  rankWords,
  readQuery,
  WORD_WEIGHTS,
  type WordRanking,
  type WordWeights,
} from "../../src/search/mod.ts";

/** An item as the index holds it. */
export interface IndexedItem {
  readonly itemId: string;
  readonly title: string;
  readonly body: string;
  readonly labels?: string;
  readonly status?: string;
}

const ROWS = `
CREATE TABLE documents (id INTEGER PRIMARY KEY, item_id TEXT UNIQUE, title TEXT, labels TEXT,
  status TEXT, chunk_count INTEGER);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, document INTEGER, ordinal INTEGER, text TEXT);
`;

/** Indexed items that can be asked. */
export class WordIndex implements Disposable {
  readonly connection: Connection = openInMemory();
  readonly lexicon: Lexicon;
  readonly #ids: readonly string[];

  constructor(items: readonly IndexedItem[]) {
    this.connection.exec(ROWS + LEXICON_DDL);
    let row = 1;
    for (const { itemId, title, body, labels = "", status = "approved" } of items) {
      const chunks = chunkText(`${title}\n\n${body}`, "R");
      const { connection } = this;
      const sql = "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)";
      connection.run(sql, row, itemId, title, labels, status, chunks.length);
      const document = row;
      for (const { ordinal, text } of chunks) {
        connection.run("INSERT INTO chunks VALUES (?, ?, ?, ?)", row++, document, ordinal, text);
      }
    }
    writeLexicon(this.connection);
    this.lexicon = readLexicon(this.connection);
    this.#ids = items.map((item) => item.itemId).sort();
  }

  /** The whole ranking of a query. */
  rank(
    query: string,
    options: { readonly includeUnapproved?: boolean; readonly weights?: WordWeights } = {},
  ): WordRanking {
    const { includeUnapproved = false, weights = WORD_WEIGHTS } = options;
    const parsed = readQuery(normaliseQuery(query));
    return rankWords(this.connection, this.lexicon, parsed, includeUnapproved, weights);
  }

  /** Item ids in ranked order. */
  ask(query: string, options: { readonly includeUnapproved?: boolean } = {}): string[] {
    return this.rank(query, options).documents.map(({ document }) => this.#ids[document]!);
  }

  [Symbol.dispose](): void {
    this.connection.close();
  }
}
