/**
 * The word index as a call may see it: a term that only withheld documents hold is not in it, so that
 * completing a part of a word, correcting a typing error and every bound on both go by the same list
 * as in an index without those documents (retrieval.md 8.3).
 *
 * @module
 */

import {
  admitsStatus,
  forEachPosting,
  type Lexicon,
  type PostingList,
  Vocabulary,
} from "../lexicon/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";

interface TermRow {
  readonly term: string;
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
}

const ALL_TERMS = "SELECT term, passages, names FROM terms";

/** Views by the whole word index; it is kept for as long as its file is served. */
const approvedOnly = new WeakMap<Lexicon, Lexicon>();
const withUnapproved = new WeakMap<Lexicon, Lexicon>();

/**
 * The part of a word index that a call may see. An index in which every document is admitted is seen
 * whole; of another the terms are read once. Throws `RangeError` on postings that do not fit.
 */
export function visibleLexicon(
  connection: Connection,
  lexicon: Lexicon,
  includeUnapproved: boolean,
): Lexicon {
  const views = includeUnapproved ? withUnapproved : approvedOnly;
  let view = views.get(lexicon);
  if (view === undefined) {
    const { facts } = lexicon;
    view = facts.statuses.every((code) => admitsStatus(code, includeUnapproved)) ? lexicon : {
      facts,
      vocabulary: visibleVocabulary(connection, lexicon, includeUnapproved),
    };
    views.set(lexicon, view);
  }
  return view;
}

function visibleVocabulary(
  connection: Connection,
  { facts }: Lexicon,
  includeUnapproved: boolean,
): Vocabulary {
  const isSeen = (list: PostingList) => {
    let seen = false;
    forEachPosting(list, facts.lastRow, (row) => {
      const document = facts.documentOf[row]! - 1;
      seen ||= document >= 0 && admitsStatus(facts.statuses[document]!, includeUnapproved);
    });
    return seen;
  };
  const terms = new Set<string>();
  for (const { term, passages, names } of connection.iterate<TermRow>(ALL_TERMS)) {
    if (terms.has(term)) continue;
    if ((passages !== null && isSeen([passages])) || (names !== null && isSeen([names]))) {
      terms.add(term);
    }
  }
  return new Vocabulary(Vocabulary.linesOf([...terms].sort()));
}
