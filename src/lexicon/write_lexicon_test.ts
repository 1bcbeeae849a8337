import assert from "node:assert/strict";
import { type Connection, openInMemory } from "../platform/sqlite/mod.ts";
import {
  forEachPosting,
  LEXICON_DDL,
  postingsOfStem,
  readLexicon,
  stemWord,
  writeLexicon,
} from "./mod.ts";

const ROWS = `
CREATE TABLE documents (id INTEGER PRIMARY KEY, item_id TEXT, title TEXT, status TEXT, chunk_count INTEGER);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, document INTEGER, ordinal INTEGER, text TEXT);
CREATE TABLE nodes (id INTEGER PRIMARY KEY, node_id TEXT, level INTEGER, parent INTEGER,
  document INTEGER, status TEXT, text TEXT);
`;

interface Sample {
  readonly itemId: string;
  readonly title: string;
  readonly status: string;
  readonly chunks: readonly string[];
}

const SAMPLES: readonly Sample[] = [
  {
    itemId: "decision.locks",
    title: "Advisory locks",
    status: "approved",
    chunks: [
      "Advisory locks\n\n# Locking\n\nTake `pg_advisory_xact_lock` and lock once.",
      "## Timeouts\n\nA wait aborts with LOCK_TIMEOUT.",
    ],
  },
  {
    itemId: "convention.money",
    title: "Money",
    status: "draft",
    chunks: ["Money\n\n金額は整数。"],
  },
];

function fill(connection: Connection, samples: readonly Sample[], firstRow: number): void {
  connection.exec(ROWS + LEXICON_DDL);
  let row = firstRow;
  for (const sample of samples) {
    connection.run(
      "INSERT INTO documents VALUES (?, ?, ?, ?, ?)",
      row,
      sample.itemId,
      sample.title,
      sample.status,
      sample.chunks.length,
    );
    const document = row;
    for (const [ordinal, text] of sample.chunks.entries()) {
      connection.run("INSERT INTO chunks VALUES (?, ?, ?, ?)", row++, document, ordinal, text);
    }
  }
  connection.run(
    "INSERT INTO nodes VALUES (7, 'n1', 1, NULL, ?, 'approved', 'Locking summary')",
    firstRow,
  );
  writeLexicon(connection);
}

function postings(connection: Connection, word: string, list: "passages" | "names" | "nodes") {
  const found: (readonly [number, number, number])[] = [];
  for (const term of postingsOfStem(connection, stemWord(word))) {
    forEachPosting(term[list], 1000, (place, a, b) => found.push([place, a, b]));
  }
  return found;
}

Deno.test("writeLexicon() numbers documents by item id and counts title, id, text and headings apart", () => {
  using connection = openInMemory();
  fill(connection, SAMPLES, 1);
  const { facts, vocabulary } = readLexicon(connection);
  assert.equal(facts.documentCount, 2);
  assert.deepEqual([...facts.documentRows], [3, 1]);
  assert.deepEqual([...facts.firstPassage], [0, 1, 3]);
  assert.deepEqual([...facts.documentStatus], [1, 0]);
  assert.deepEqual([...facts.titleLengths], [1, 2]);
  assert.deepEqual(postings(connection, "lock", "names"), [[1, 1, 1]]);
  assert.deepEqual(postings(connection, "lock", "passages"), [[1, 2, 0], [2, 1, 0], [1, 0, 1]]);
  assert.deepEqual(postings(connection, "timeout", "passages"), [[2, 1, 0], [2, 0, 1]]);
  assert.deepEqual(postings(connection, "lock", "nodes"), [[0, 1, 0]]);
  assert.notEqual(vocabulary.idOf("pg_advisory_xact_lock"), null);
  assert.deepEqual(postings(connection, "金額", "passages"), [[0, 1, 0]]);
  assert.deepEqual(postings(connection, "額", "passages"), [[0, 1, 0]]);
});

Deno.test("writeLexicon() gives the same bytes whatever the row numbers, and replaces what was there", () => {
  using first = openInMemory();
  using second = openInMemory();
  fill(first, SAMPLES, 1);
  fill(second, SAMPLES.toReversed(), 1);
  writeLexicon(second);
  const terms = (connection: Connection) =>
    connection.all("SELECT id, stem, passages, names, nodes FROM terms ORDER BY id");
  const facts = (connection: Connection) =>
    connection.all("SELECT vocabulary, passages FROM lexicon");
  assert.deepEqual(terms(first), terms(second));
  assert.deepEqual(facts(first), facts(second));
});

Deno.test("writeLexicon() over no documents gives an index that answers nothing", () => {
  using connection = openInMemory();
  connection.exec(ROWS + LEXICON_DDL);
  writeLexicon(connection);
  const { facts, vocabulary } = readLexicon(connection);
  assert.equal(facts.documentCount, 0);
  assert.equal(vocabulary.size, 0);
  assert.equal(vocabulary.idOf("x"), null);
  assert.deepEqual(vocabulary.containing("x", 10), []);
});

Deno.test("forEachPosting() refuses a place beyond the last and bytes that end early", () => {
  assert.throws(() => forEachPosting(Uint8Array.of(9, 2), 3, () => {}), RangeError);
  assert.throws(() => forEachPosting(Uint8Array.of(0x81), 3, () => {}), RangeError);
});
