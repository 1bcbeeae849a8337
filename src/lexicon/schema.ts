/**
 * Tables of the word index inside an index file. Numbers here are the word index's own: documents
 * are numbered by item id, passages by document and ordinal, nodes by level and node id, so that the
 * same rows give the same bytes whatever row numbers a build used.
 *
 * - `lexicon`: one row of facts. `documents`, `passages` and `nodes` are packed by
 *   `lexicon_facts.ts`; `vocabulary` holds every term in order, each on a line of its own between
 *   line feeds, so that line *n* is the term with `id` *n*.
 * - `terms`: each distinct folded word, compound name or character pair and its postings. `stem` is
 *   what inflections share. A posting list that would be empty is NULL.
 *
 * @module
 */
export const LEXICON_DDL = `
CREATE TABLE lexicon (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  vocabulary TEXT NOT NULL,
  documents BLOB NOT NULL,
  passages BLOB NOT NULL,
  nodes BLOB NOT NULL
) STRICT;

CREATE TABLE terms (
  id INTEGER PRIMARY KEY,
  stem TEXT NOT NULL,
  passages BLOB,
  names BLOB,
  nodes BLOB
) STRICT;

CREATE INDEX terms_stem ON terms (stem);
`;

/** Empties the tables of {@linkcode LEXICON_DDL}. */
export const LEXICON_CLEAR = "DELETE FROM terms; DELETE FROM lexicon;";
