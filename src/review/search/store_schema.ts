/**
 * Layout of the review store (review.md 7). Records stand in serving order; their texts in the order
 * they were read.
 *
 * @module
 */

import type { EvidenceKind } from "../evidence/model.ts";
import type { TextChannel } from "./project_record.ts";

/** Marks stores of this layout and evidence format; another value counts as not built here. */
export const REVIEW_STAMP = "theurian-review/1/evidence-1";

export const STORE_SCHEMA = `
CREATE TABLE review_metadata (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stamp TEXT NOT NULL,
  seal TEXT NOT NULL,
  built_at TEXT NOT NULL,
  ranks BLOB NOT NULL
) STRICT;
CREATE TABLE review_records (
  rank INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  record_key TEXT NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  repository TEXT NOT NULL,
  pull_request INTEGER,
  thread_state TEXT,
  file_path TEXT,
  source_uri TEXT NOT NULL,
  author_id TEXT NOT NULL,
  author_name TEXT NOT NULL,
  run_id TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  first_text INTEGER NOT NULL,
  last_text INTEGER NOT NULL
) STRICT;
CREATE TABLE review_participants (
  external_id TEXT NOT NULL,
  rank INTEGER NOT NULL,
  PRIMARY KEY (external_id, rank)
) STRICT, WITHOUT ROWID;
CREATE TABLE review_texts (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  content TEXT NOT NULL
) STRICT;
CREATE TABLE review_grams (
  bucket INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  postings BLOB NOT NULL,
  PRIMARY KEY (bucket, segment)
) STRICT, WITHOUT ROWID;
`;

/** Made after the rows; each ends with the rank, so that a filtered page is read in order. */
export const STORE_INDEXES = `
CREATE INDEX records_by_key ON review_records (record_key);
CREATE INDEX records_by_repository ON review_records (repository);
CREATE INDEX records_by_pull_request ON review_records (pull_request);
CREATE INDEX records_by_state ON review_records (thread_state) WHERE thread_state IS NOT NULL;
CREATE INDEX records_by_file ON review_records (file_path) WHERE file_path IS NOT NULL;
`;

export const CHANNELS: readonly TextChannel[] = ["title", "body", "comment"];

/** Position of a kind in the serving order: byte order of its name. */
export const KIND_ORDER: Readonly<Record<EvidenceKind, number>> = {
  "pull-request": 0,
  "review-submission": 1,
  "review-thread": 2,
};

/** A record that is not served stands nowhere in the serving order. */
export const NO_RANK = 0xffff_ffff;
