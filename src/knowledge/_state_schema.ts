/**
 * Tables of a canonical state: ours, and private to this folder (decision 2). One file holds one
 * state and is never changed after it is published.
 *
 * Keys and what queries filter by are columns; everything else an author wrote is JSON, because a
 * text column would read back cut at a NUL.
 */

/** Says whose file or pointer this is; another value, or none, means *not built here*. */
export const STATE_STAMP = "theurian-deno";

/** Version of these tables; raised by any change of them. Stays outside the state hash. */
export const STATE_LAYOUT_VERSION = 1;

/** SQLite `application_id` ("Thds"), so that a foreign file is told apart before any table is read. */
export const STATE_APPLICATION_ID = 0x54686473;

/**
 * - `meta`: one row. `surfaceable` is the number of items with a surfaceable status as the apply
 *   counted it; `seal` is known to the data directory too.
 * - `items.trace`: what the report of permissive moves remembers (15.4).
 * - `revisions.position`: order among the revisions of one item, oldest first.
 * - `bodies`: one row a distinct body, exact bytes.
 * - `evidence.source`: the source's URI as a JSON text.
 */
export const STATE_DDL = `
PRAGMA application_id = ${STATE_APPLICATION_ID};
PRAGMA user_version = ${STATE_LAYOUT_VERSION};

CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stamp TEXT NOT NULL,
  schema_version INTEGER NOT NULL,
  engine_version INTEGER NOT NULL,
  state_hash TEXT NOT NULL,
  project_id TEXT NOT NULL,
  seal TEXT NOT NULL,
  created_at TEXT NOT NULL,
  surfaceable INTEGER
) STRICT;

CREATE TABLE items (
  item_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  sensitivity TEXT NOT NULL,
  revision_id TEXT,
  facts TEXT NOT NULL,
  trace TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX items_by_status ON items (status, sensitivity);

CREATE TABLE revisions (
  revision_id TEXT PRIMARY KEY,
  item_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  content_sha256 TEXT NOT NULL,
  served_sha256 TEXT NOT NULL,
  body_bytes INTEGER NOT NULL,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX revisions_by_item ON revisions (item_id, position);

CREATE TABLE bodies (
  content_sha256 TEXT NOT NULL UNIQUE,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE relations (
  source_item_id TEXT NOT NULL,
  relation_type TEXT NOT NULL,
  target_item_id TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (source_item_id, relation_type, target_item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_by_target ON relations (target_item_id);

CREATE TABLE aliases (
  alias TEXT PRIMARY KEY,
  item_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  item_id TEXT NOT NULL,
  source TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (item_id, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE specifications (
  spec_id TEXT PRIMARY KEY,
  facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
  sequence INTEGER PRIMARY KEY,
  migration_id TEXT NOT NULL UNIQUE,
  checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;
`;
