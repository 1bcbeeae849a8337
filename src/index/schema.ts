/**
 * Layout of one published build. This file is the whole agreement between the writer
 * (`index build`, the purge) and the reader (search): one SQLite file, never changed after it is
 * published, holding only what this deployment may serve (index-build.md sections 3 and 5).
 *
 * Integer keys inside, contract ids at the edge: a chunk's public id is
 * `<documents.revision_id>#<chunks.ordinal>`. Row numbers differ between an incremental build and
 * one from scratch; ids, texts, vectors and statistics do not. Never order by a row number.
 *
 * Text columns may hold NUL: select them as `CAST(x AS BLOB)` and decode.
 *
 * @module
 */

import { LEXICON_DDL } from "../lexicon/mod.ts";

/** Version of this layout and of everything computed into it; any change of either raises it. */
export const INDEX_SCHEMA_VERSION = 2;

/** Says whose file or pointer this is; another value, or none, means *not built here*. */
export const INDEX_STAMP = "theurian-deno";

/** SQLite `application_id` of a build ("Thdn"), so that a foreign file is told apart at once. */
export const INDEX_APPLICATION_ID = 0x5468646e;

/** Components of a vector. */
export const VECTOR_DIMENSION = 256;

/** Bytes before each packed vector: its squared length as a little-endian unsigned 32-bit number. */
export const VECTOR_HEADER_BYTES = 4;

/**
 * Tables.
 *
 * - `build`: one row of facts about the file; `scanned` is 1 when `secret_lines` is complete.
 *   `history_*` name the migrations that the state held, `purged` what was taken out since.
 * - `documents`: one row an indexed item, its current revision. `id` is the id of its first chunk,
 *   and the chunks of a document have consecutive ids, so that
 *   `SELECT … FROM documents WHERE id <= :chunk ORDER BY id DESC LIMIT 1` leads from any chunk to its
 *   document. `status` and `sensitivity` are the item's, the rest the revision's; `labels` are joined
 *   by spaces.
 *   `facts_sha256` tells the next build whether anything authored but the body has changed.
 * - `chunks`: the passages; `text` is exact, `tokens` the estimate of index-build.md 4.1.
 * - `vectors`: one row a document, the vectors of its chunks one after the other in ordinal order,
 *   each as {@linkcode VECTOR_HEADER_BYTES} and 256 signed integers of `width` bytes (1 or 2,
 *   little-endian) before normalisation. Cosine = dot / sqrt(squared length × squared length). No
 *   rows when `build.embedding_model` is empty.
 * - `nodes`: the summary forest. A level-1 node summarises all chunks of `document`; `parent` is the
 *   node one level up. Every edge of the contract follows from these two columns.
 * - `secret_lines`: report lines of the secret scan, taken over by the next build.
 * - the word index: `src/lexicon/schema.ts`.
 */
export const INDEX_DDL = `
PRAGMA application_id = ${INDEX_APPLICATION_ID};
PRAGMA user_version = ${INDEX_SCHEMA_VERSION};

CREATE TABLE build (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stamp TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  build_id TEXT NOT NULL,
  state_hash TEXT NOT NULL,
  project_id TEXT NOT NULL,
  built_at TEXT NOT NULL,
  indexes_unapproved INTEGER NOT NULL,
  sensitivities TEXT NOT NULL,
  embedding_model TEXT NOT NULL,
  embedding_dimension INTEGER NOT NULL,
  raptor INTEGER NOT NULL,
  scanned INTEGER NOT NULL,
  history_count INTEGER NOT NULL,
  history_sha256 TEXT NOT NULL,
  purged TEXT NOT NULL,
  summary_model TEXT NOT NULL,
  summary_revision TEXT NOT NULL,
  summary_prompt_hash TEXT NOT NULL,
  document_count INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  node_count INTEGER NOT NULL
) STRICT;

CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  item_id TEXT NOT NULL UNIQUE,
  revision_id TEXT NOT NULL,
  title TEXT NOT NULL,
  labels TEXT NOT NULL,
  kind TEXT NOT NULL,
  namespace TEXT NOT NULL,
  status TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  trust_level TEXT NOT NULL,
  served_sha256 TEXT NOT NULL,
  chunk_count INTEGER NOT NULL,
  facts_sha256 TEXT NOT NULL
) STRICT;

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE vectors (
  document INTEGER PRIMARY KEY,
  width INTEGER NOT NULL CHECK (width IN (1, 2)),
  data BLOB NOT NULL
) STRICT;

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY,
  node_id TEXT NOT NULL UNIQUE,
  tree_id TEXT NOT NULL,
  level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 3),
  node_type TEXT NOT NULL,
  parent INTEGER,
  document INTEGER,
  revision_id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  status TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  text TEXT NOT NULL,
  CHECK ((level = 1) = (document IS NOT NULL))
) STRICT;

CREATE INDEX nodes_document ON nodes (document) WHERE document IS NOT NULL;
CREATE INDEX nodes_parent ON nodes (parent) WHERE parent IS NOT NULL;
CREATE INDEX nodes_scope ON nodes (namespace, sensitivity, status, level);

CREATE TABLE secret_lines (
  document INTEGER NOT NULL,
  position INTEGER NOT NULL,
  line TEXT NOT NULL,
  PRIMARY KEY (document, position)
) STRICT, WITHOUT ROWID;
${LEXICON_DDL}`;
