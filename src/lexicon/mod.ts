/**
 * The word index: how text is cut into words, what is stored about them, and how it is read.
 *
 * @module
 */

export { foldWord, hasNonAscii, readableText } from "./fold_word.ts";
export {
  forEachPosting,
  type Lexicon,
  postingsOfStem,
  postingsOfTerm,
  readLexicon,
  type TermPostings,
} from "./read_lexicon.ts";
export {
  type NamePiece,
  pairsOf,
  type Piece,
  piecesOf,
  piecesOfText,
  type RunPiece,
  unitsOf,
} from "./scan_words.ts";
export { LEXICON_CLEAR, LEXICON_DDL } from "./schema.ts";
export { stemWord } from "./stem_word.ts";
export { Vocabulary } from "./vocabulary.ts";
export { writeLexicon } from "./write_lexicon.ts";
export { admitsStatus, type LexiconFacts } from "./lexicon_facts.ts";
