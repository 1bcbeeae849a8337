/**
 * Words as the index and a query see them. Both sides cut with the same function, so that what is
 * asked is cut exactly as what was stored.
 *
 * A *name* is a run of words joined by single marks, as people write identifiers, paths, times and
 * compounds: `pg_advisory_xact_lock`, `idempotencyKey`, `docs/adr/4.md`, `16:30`, `append-only`. It
 * is found by each of its words and as a whole. Scripts without spaces give a *run* of characters.
 *
 * @module
 */

import { foldWord, hasNonAscii, readableText } from "./fold_word.ts";

/** Scripts written without spaces, and Hangul, whose particles stick to the word. */
const SPACELESS_RANGES =
  "\\u0e01-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007" +
  "\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u3105-\\u312f\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf" +
  "\\u4e00-\\u9fff\\ua000-\\ua48f\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";

const SPACELESS = new RegExp(`[${SPACELESS_RANGES}]`, "u");
const SPACELESS_RUN = new RegExp(`(?:[${SPACELESS_RANGES}]\\p{M}*)+`, "gu");
const SPACELESS_CHARACTER = new RegExp(`[${SPACELESS_RANGES}]\\p{M}*`, "gu");

const WORD = "[\\p{L}\\p{N}\\p{M}\\p{Co}]+";
const JOINT = "(?:[-_./:@#+&'’~]|::|->)";
const NAME = new RegExp(`${WORD}(?:${JOINT}${WORD}){0,11}`, "gu");
const ASCII_NAME = /[A-Za-z0-9]+(?:(?:[-_./:@#+&'~]|::|->)[A-Za-z0-9]+){0,11}/g;
const WORDS_IN_NAME = new RegExp(WORD, "gu");
/** English endings that stick to a word behind an apostrophe. */
const CONTRACTION = /['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/giu;

/** A longer word, in UTF-16 units, is an encoded value that nobody types. */
const LONGEST_WORD = 128;
/** A name of more words than this is found by its words alone. */
const MOST_WORDS_IN_WHOLE = 8;

/** One name or run of a text. */
export type Piece = NamePiece | RunPiece;

/** Words joined into one written unit; most have a single word. */
export interface NamePiece {
  readonly kind: "name";
  /** Folded words in order. */
  readonly words: readonly string[];
  /**
   * Other spellings of single words: `SQLite`, whose words are `sq` and `lite`, gives `sqlite`;
   * `sha256` gives `sha` and `256`.
   */
  readonly extras: readonly string[];
  /** The words joined by `_`; `null` for a single word. */
  readonly whole: string | null;
}

/** Characters of a script without spaces. */
export interface RunPiece {
  readonly kind: "run";
  /** One entry a character, its marks included. */
  readonly characters: readonly string[];
}

/** The written units of a text, as they stand there, in order. Linear in the text. */
export function unitsOf(text: string): readonly string[] {
  const readable = readableText(text);
  return readable.match(hasNonAscii(readable) ? NAME : ASCII_NAME) ?? [];
}

/** What a written unit found by {@linkcode unitsOf} consists of. */
export function piecesOf(unit: string): Piece[] {
  const plain = unit.includes("'") || unit.includes("’") ? unit.replace(CONTRACTION, "") : unit;
  const pieces: Piece[] = [];
  if (!hasNonAscii(plain) || !SPACELESS.test(plain)) {
    addName(pieces, plain);
    return pieces;
  }
  let from = 0;
  for (const match of plain.matchAll(SPACELESS_RUN)) {
    addName(pieces, plain.slice(from, match.index));
    const characters = match[0].match(SPACELESS_CHARACTER)!;
    pieces.push({ kind: "run", characters: characters.map(foldWord) });
    from = match.index + match[0].length;
  }
  addName(pieces, plain.slice(from));
  return pieces;
}

/** Pieces of a whole text in order. */
export function piecesOfText(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const unit of unitsOf(text)) {
    for (const piece of piecesOf(unit)) pieces.push(piece);
  }
  return pieces;
}

function addName(pieces: Piece[], unit: string): void {
  const words: string[] = [];
  const extras: string[] = [];
  for (const match of unit.match(WORDS_IN_NAME) ?? []) {
    if (match.length > LONGEST_WORD) continue;
    const parts = splitAtCase(match);
    if (parts.length > 1) extras.push(foldWord(match));
    for (const part of parts) {
      const word = foldWord(part);
      words.push(word);
      addDigitParts(word, extras);
    }
  }
  if (words.length === 0) return;
  const whole = words.length > 1 && words.length <= MOST_WORDS_IN_WHOLE ? words.join("_") : null;
  pieces.push({
    kind: "name",
    words,
    extras,
    whole: whole !== null && whole.length <= LONGEST_WORD ? whole : null,
  });
}

/** Before a capital behind a small letter, and before the last capital of several (not `IDs`). */
const CASE_EDGE = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))/;

/** `parseHTTPRequest` is `parse`, `HTTP`, `Request`; one that changes case all the time is no name. */
function splitAtCase(word: string): string[] {
  if (!CASE_EDGE.test(word)) return [word];
  const parts = word.split(CASE_EDGE);
  const tooFine = parts.length > MOST_WORDS_IN_WHOLE || parts.length * 2 > word.length;
  return tooFine ? [word] : parts;
}

const MIXED = /^(?:[a-z]{3,}[0-9]+|[0-9]{2,}[a-z]{2,}|[a-z]{3,}[0-9]+[a-z]+)$/;

function addDigitParts(word: string, extras: string[]): void {
  if (!MIXED.test(word)) return;
  for (const part of word.match(/[a-z]{3,}|[0-9]{2,}/g) ?? []) extras.push(part);
}

/** Character pairs of a run, as postings hold them besides the single characters. */
export function pairsOf(characters: readonly string[]): string[] {
  const pairs: string[] = [];
  for (let i = 1; i < characters.length; i++) pairs.push(characters[i - 1]! + characters[i]!);
  return pairs;
}
