/**
 * The word index: how text is cut into words, what is stored about them, and how it is read.
 *
 * @module
 */

export * from "./fold_word.ts";
export * from "./lexicon_facts.ts";
export * from "./postings.ts";
export * from "./read_lexicon.ts";
export * from "./scan_words.ts";
export * from "./schema.ts";
export * from "./stem_word.ts";
export * from "./vocabulary.ts";
export * from "./write_lexicon.ts";
