/**
 * Tables of the word index inside an index file. Places are row numbers of the file itself: a passage
 * is its `chunks.id`, a document its `documents.id`, so that a few changed documents change little.
 * Everything long is kept in rows of a few thousand bytes for the same reason.
 *
 * - `lexicon`: one row: how many documents and terms there are.
 * - `terms`: the postings of each term: a folded word, a compound name, a character or a pair of
 *   characters. A long list has several rows in ascending `part`, each of which holds the places from
 *   its `part` up to the next one; a list that would be empty is NULL, a row with two of them is gone.
 * - `vocabulary`: every term in order, each followed by a line feed. `first` is the first of a row;
 *   rows are put in order by it, as JavaScript compares texts.
 * - `document_facts`: in ascending item id what scoring needs of each document (`lexicon_facts.ts`);
 *   `first` is the item id of a row's first document, and rows are put in order by it.
 *
 * @module
 */
export const LEXICON_DDL = `
CREATE TABLE lexicon (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  documents INTEGER NOT NULL,
  terms INTEGER NOT NULL
) STRICT;

CREATE TABLE terms (
  term TEXT NOT NULL,
  part INTEGER NOT NULL,
  passages BLOB,
  names BLOB,
  PRIMARY KEY (term, part)
) STRICT, WITHOUT ROWID;

CREATE TABLE vocabulary (
  id INTEGER PRIMARY KEY,
  first TEXT NOT NULL,
  lines TEXT NOT NULL
) STRICT;

CREATE TABLE document_facts (
  id INTEGER PRIMARY KEY,
  first TEXT NOT NULL,
  packed BLOB NOT NULL
) STRICT;
`;
