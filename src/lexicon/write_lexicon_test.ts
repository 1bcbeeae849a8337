import assert from "node:assert/strict";
import fc from "fast-check";
import { type Connection, openInMemory } from "../platform/sqlite/mod.ts";
import {
  addToLexicon,
  forEachPosting,
  LEXICON_DDL,
  type PostingList,
  postingsOf,
  readLexicon,
  removeFromLexicon,
  writeLexicon,
} from "./mod.ts";
import { MOST_PART_BYTES } from "./_term_rows.ts";

const ROWS = `
CREATE TABLE documents (id INTEGER PRIMARY KEY, item_id TEXT UNIQUE, title TEXT, labels TEXT,
  status TEXT, chunk_count INTEGER);
CREATE TABLE chunks (id INTEGER PRIMARY KEY, document INTEGER, ordinal INTEGER, text TEXT);
`;

interface Sample {
  readonly itemId: string;
  readonly title: string;
  readonly labels?: string;
  readonly status: string;
  readonly chunks: readonly string[];
}

const LOCKS: Sample = {
  itemId: "decision.locks",
  title: "Advisory locks",
  labels: "storage",
  status: "approved",
  chunks: [
    "Advisory locks\n\n# Locking\n\nTake `pg_advisory_xact_lock` and lock once.",
    "## Timeouts\n\nA wait aborts with LOCK_TIMEOUT.",
  ],
};
const MONEY: Sample = {
  itemId: "convention.money",
  title: "Money",
  status: "draft",
  chunks: ["Money\n\n金額は整数。"],
};

function newFile(): Connection {
  const connection = openInMemory();
  connection.exec(ROWS + LEXICON_DDL);
  return connection;
}

function insert(connection: Connection, sample: Sample): number {
  const { next } = connection.get<{ next: number }>(
    "SELECT coalesce(max(id), 0) + 1 AS next FROM chunks",
  )!;
  connection.run(
    "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)",
    next,
    sample.itemId,
    sample.title,
    sample.labels ?? "",
    sample.status,
    sample.chunks.length,
  );
  for (const [ordinal, text] of sample.chunks.entries()) {
    connection.run("INSERT INTO chunks VALUES (?, ?, ?, ?)", next + ordinal, next, ordinal, text);
  }
  return next;
}

function rowOf(connection: Connection, itemId: string): number {
  const sql = "SELECT id FROM documents WHERE item_id = ?";
  return connection.get<{ id: number }>(sql, itemId)!.id;
}

function remove(connection: Connection, itemId: string): void {
  const id = rowOf(connection, itemId);
  removeFromLexicon(connection, [id]);
  connection.run("DELETE FROM chunks WHERE document = ?", id);
  connection.run("DELETE FROM documents WHERE id = ?", id);
}

/** Everything an answer can depend on, by item id and ordinal instead of by row. */
function meaningOf(connection: Connection) {
  const { facts, vocabulary } = readLexicon(connection);
  const ids = connection.all<{ item_id: string }>("SELECT item_id FROM documents ORDER BY item_id")
    .map((row) => row.item_id);
  const placeOf = (row: number) => {
    const number = facts.documentOf[row]! - 1;
    return `${ids[number]}#${row - facts.rows[number]!}`;
  };
  const terms: Record<string, unknown> = {};
  for (let number = 0; number < vocabulary.size; number++) {
    const term = vocabulary.term(number);
    const postings = postingsOf(connection, term)!;
    const listed = (list: PostingList) => {
      const entries: string[] = [];
      forEachPosting(list, facts.lastRow, (row, a, b) => entries.push(`${placeOf(row)} ${a} ${b}`));
      return entries.sort();
    };
    terms[term] = [listed(postings.passages), listed(postings.names)];
  }
  const stored = connection.all<{ term: string }>("SELECT DISTINCT term FROM terms");
  assert.equal(stored.length, vocabulary.size);
  const documents = ids.map((id, number) => ({
    id,
    status: facts.statuses[number],
    title: facts.titleLengths[number],
    length: facts.lengths[number],
    passages: Array.from(
      { length: facts.passageCounts[number]! },
      (_, ordinal) => facts.passageLengths[facts.rows[number]! + ordinal],
    ),
  }));
  return { terms, documents };
}

Deno.test("writeLexicon() counts text, headings, title and other names apart", () => {
  using connection = newFile();
  insert(connection, LOCKS);
  insert(connection, MONEY);
  writeLexicon(connection);
  const { terms, documents } = meaningOf(connection);
  assert.deepEqual(terms["lock"], [["decision.locks#0 2 0", "decision.locks#1 1 0"], []]);
  assert.deepEqual(terms["locks"], [[], ["decision.locks#0 1 1"]]);
  assert.deepEqual(terms["timeouts"], [["decision.locks#1 0 1"], []]);
  assert.deepEqual(terms["storage"], [[], ["decision.locks#0 0 1"]]);
  assert.deepEqual(terms["金額"], [["convention.money#0 1 0"], []]);
  assert.deepEqual(terms["額"], [["convention.money#0 1 0"], []]);
  assert.ok("pg_advisory_xact_lock" in terms);
  assert.deepEqual(documents.map((one) => [one.id, one.status, one.title]), [
    ["convention.money", 1, 1],
    ["decision.locks", 0, 2],
  ]);
});

Deno.test("writeLexicon() replaces what was there, and over nothing gives an index that answers nothing", () => {
  using connection = newFile();
  writeLexicon(connection);
  assert.equal(readLexicon(connection).facts.count, 0);
  assert.equal(readLexicon(connection).vocabulary.size, 0);
  insert(connection, LOCKS);
  writeLexicon(connection);
  writeLexicon(connection);
  assert.equal(readLexicon(connection).facts.count, 1);
});

Deno.test("removeFromLexicon() leaves no word that only the removed document held", () => {
  using connection = newFile();
  insert(connection, LOCKS);
  insert(connection, MONEY);
  writeLexicon(connection);
  remove(connection, MONEY.itemId);
  const { vocabulary } = readLexicon(connection);
  for (const word of ["money", "金額", "整", "convention"]) assert.ok(!vocabulary.has(word), word);
  assert.ok(vocabulary.has("advisory"));
  const stored = connection.all<{ term: string }>("SELECT term FROM terms");
  assert.ok(!stored.some(({ term }) => /money|金/.test(term)));
});

const WORDS = ["lock", "locks", "journal", "LOCK_TIMEOUT", "金額", "retryBudget", "16:30", "a"];
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(" "));
const sample = fc.record({
  itemId: fc.constantFrom("a.one", "a.two", "b.one", "b.two", "c"),
  title: text,
  labels: text,
  status: fc.constantFrom("approved", "draft", "proposed"),
  chunks: fc.array(text, { minLength: 1, maxLength: 3 }),
});

Deno.test("addToLexicon() and removeFromLexicon() give what writeLexicon() gives from scratch", () => {
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 4 }), fc.array(sample, { maxLength: 6 }), (a, b) => {
      using grown = newFile();
      const present = new Map<string, Sample>();
      for (const one of a) {
        if (!present.has(one.itemId)) insert(grown, one);
        present.set(one.itemId, present.get(one.itemId) ?? one);
      }
      writeLexicon(grown);
      for (const one of b) {
        if (present.has(one.itemId)) remove(grown, one.itemId);
        present.delete(one.itemId);
        if (one.status === "proposed") continue;
        addToLexicon(grown, [insert(grown, one)]);
        present.set(one.itemId, one);
      }
      using scratch = newFile();
      for (const one of [...present.values()].sort((x, y) => x.itemId < y.itemId ? -1 : 1)) {
        insert(scratch, one);
      }
      writeLexicon(scratch);
      assert.deepEqual(meaningOf(grown), meaningOf(scratch));
    }),
    { numRuns: 150 },
  );
});

/** Documents of words of every frequency, so that lists of every length come about. */
function manyDocuments(count: number, seed: number): Sample[] {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const word = () => `w${Math.floor(500 ** random())}`;
  const prose = () => Array.from({ length: 30 }, word).join(" ");
  return Array.from({ length: count }, (_, n) => ({
    itemId: `kind${n % 7}.item${n}`,
    title: `${word()} only${seed}x${n}`,
    labels: "everywhere",
    status: "approved",
    chunks: Array.from({ length: 1 + Math.floor(3 * random()) }, prose),
  }));
}

Deno.test("a long history of changes to an index of many rows gives what one from scratch gives", () => {
  using grown = newFile();
  const present = new Map<string, Sample>();
  for (const one of manyDocuments(1500, 1)) {
    insert(grown, one);
    present.set(one.itemId, one);
  }
  writeLexicon(grown);
  const parts = "SELECT count(*) n FROM terms WHERE term = 'w1'";
  assert.ok(grown.get<{ n: number }>(parts)!.n > 3, "a long list has several rows");
  const changed = manyDocuments(1700, 2);
  for (let n = 0; n < changed.length; n += 1 + n % 40) {
    const some = changed.slice(n, n + n % 5);
    const ids = some.flatMap(({ itemId }) => present.has(itemId) ? [rowOf(grown, itemId)] : []);
    removeFromLexicon(grown, ids);
    for (const id of ids) {
      grown.run("DELETE FROM chunks WHERE document = ?", id);
      grown.run("DELETE FROM documents WHERE id = ?", id);
    }
    for (const { itemId } of some) present.delete(itemId);
    if (n % 3 === 0) continue;
    addToLexicon(grown, some.map((one) => insert(grown, one)));
    for (const one of some) present.set(one.itemId, one);
  }
  using scratch = newFile();
  for (const one of present.values()) insert(scratch, one);
  writeLexicon(scratch);
  assert.deepEqual(meaningOf(grown), meaningOf(scratch));
});

Deno.test("a change of one document rewrites a few short rows, however many documents there are", () => {
  using connection = newFile();
  for (const one of manyDocuments(1500, 1)) insert(connection, one);
  writeLexicon(connection);
  const bytes = (table: string, columns: string) =>
    connection.get<{ most: number }>(`SELECT max(${columns}) most FROM ${table}`)!.most;
  const lists = "coalesce(length(passages), 0) + coalesce(length(names), 0)";
  assert.ok(bytes("terms", lists) <= MOST_PART_BYTES);
  assert.ok(bytes("vocabulary", "length(lines)") < 5000);
  assert.ok(bytes("document_facts", "length(packed)") < 5000);
});

Deno.test("readLexicon() refuses an index of which a row is missing", () => {
  for (const table of ["lexicon", "vocabulary", "document_facts"]) {
    using connection = newFile();
    for (const one of manyDocuments(500, 1)) insert(connection, one);
    writeLexicon(connection);
    connection.run(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`);
    assert.throws(() => readLexicon(connection), RangeError, table);
  }
});
