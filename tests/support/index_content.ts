import { blobText, type Connection, openForReading } from "../../src/platform/sqlite/mod.ts";
import { unpackVector } from "../../src/index/mod.ts";
import {
  forEachPosting,
  type PostingList,
  postingsOf,
  readLexicon,
  unpackFacts,
} from "../../src/lexicon/mod.ts";

/**
 * Everything that a build's file says, without row numbers, build id and time: two builds of one
 * state and flavour give equal values, however they were made.
 */
export function indexContent(path: string): Record<string, unknown> {
  using file = openForReading(path);
  const rows = (sql: string) => file.all<Record<string, unknown>>(sql).map(readable);
  const vectors = file.all<{ document: string; width: number; data: Uint8Array; n: number }>(
    "SELECT d.revision_id AS document, v.width, v.data, d.chunk_count AS n FROM vectors v " +
      "JOIN documents d ON d.id = v.document ORDER BY d.item_id",
  ).flatMap((row) =>
    Array.from({ length: row.n }, (_, ordinal) => [
      `${row.document}#${ordinal}`,
      [...unpackVector(row, ordinal)!],
    ])
  );
  return {
    build: rows(
      "SELECT stamp, schema_version, state_hash, project_id, indexes_unapproved, sensitivities, " +
        "embedding_model, embedding_dimension, raptor, scanned, document_count, chunk_count, " +
        "node_count FROM build",
    ),
    documents: rows(
      "SELECT item_id, revision_id, CAST(title AS BLOB) AS title, kind, namespace, status, " +
        "sensitivity, trust_level, served_sha256, chunk_count, facts_sha256 FROM documents " +
        "ORDER BY item_id",
    ),
    chunks: rows(
      "SELECT d.item_id, c.ordinal, c.tokens, CAST(c.heading AS BLOB) AS heading, " +
        "CAST(c.text AS BLOB) AS text, c.id - d.id AS offset FROM chunks c " +
        "JOIN documents d ON d.id = c.document ORDER BY d.item_id, c.ordinal",
    ),
    vectors,
    nodes: rows(
      "SELECT n.node_id, n.tree_id, n.level, n.node_type, n.revision_id, n.namespace, " +
        "n.sensitivity, n.status, n.content_hash, CAST(n.text AS BLOB) AS text, d.item_id, " +
        "p.node_id AS parent FROM nodes n LEFT JOIN documents d ON d.id = n.document " +
        "LEFT JOIN nodes p ON p.id = n.parent ORDER BY n.level, n.node_id",
    ),
    lines: rows(
      "SELECT d.item_id, l.position, l.line FROM secret_lines l " +
        "JOIN documents d ON d.id = l.document ORDER BY d.item_id, l.position",
    ),
    words: wordsOf(file),
  };
}

/** The word index with public ids for its places. */
function wordsOf(file: Connection): Record<string, unknown> {
  const names = new Map(
    file.all<{ id: number; item: string; ordinal: number }>(
      "SELECT c.id, d.item_id AS item, c.ordinal FROM chunks c JOIN documents d ON d.id = c.document",
    ).map(({ id, item, ordinal }) => [id, `${item}#${ordinal}`]),
  );
  const { vocabulary } = readLexicon(file);
  const documents = file.all<{ packed: Uint8Array }>(
    "SELECT packed FROM document_facts ORDER BY first",
  ).flatMap(({ packed }) => unpackFacts(packed));
  const listed = (list: PostingList) => {
    const found: string[] = [];
    forEachPosting(list, 0xffffffff, (place, first, second) => {
      found.push(`${names.get(place)} ${first} ${second}`);
    });
    return found.sort();
  };
  const terms = file.all<{ term: string }>("SELECT DISTINCT term FROM terms ORDER BY term")
    .map(({ term }) => postingsOf(file, term)!);
  return {
    vocabulary: vocabulary.lines,
    documents: documents.map((fact) => ({ ...fact, row: names.get(fact.row) })),
    terms: terms.map((term) => [term.term, listed(term.passages), listed(term.names)]),
  };
}

function readable(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? blobText(value) : value,
    ]),
  );
}

/** True when the bytes of a word stand anywhere in the file, free pages included. */
export function fileHolds(path: string, word: string): boolean {
  return new TextDecoder("latin1").decode(Deno.readFileSync(path)).includes(word);
}
