/**
 * Tables of the word index inside an index file. Places are row numbers of the file itself: a passage
 * is its `chunks.id`, a document its `documents.id`, so that a few changed documents change little.
 *
 * - `lexicon`: one row of facts. `documents` holds, in ascending item id, what scoring needs of each
 *   document (`lexicon_facts.ts`); `vocabulary` every term in order, each on a line of its own
 *   between line feeds.
 * - `terms`: the postings of each term: a folded word, a compound name, a character or a pair of
 *   characters. A posting list that would be empty is NULL, and a term with two of them is gone.
 *
 * @module
 */
export const LEXICON_DDL = `
CREATE TABLE lexicon (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  vocabulary TEXT NOT NULL,
  documents BLOB NOT NULL
) STRICT;

CREATE TABLE terms (
  term TEXT PRIMARY KEY,
  passages BLOB,
  names BLOB
) STRICT, WITHOUT ROWID;
`;
