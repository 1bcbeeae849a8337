/**
 * Words as the index sees them. Writer and query use the same three functions, so that what is
 * asked is cut exactly as what was stored: `searchableText()` prepares a text for the full-text
 * table, `forEachWord()` finds the words in the prepared text, `analyseWord()` folds one word and
 * takes a compound identifier apart.
 *
 * @module
 */

/** The longest word, in UTF-16 units, that the vocabulary holds. */
export const LONGEST_TERM = 128;

/** Scripts written without spaces (and Hangul, whose particles stick to the word): one token each. */
const SPACELESS_RANGES =
  "\\u0e01-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u3005-\\u3007" +
  "\\u3041-\\u30ff\\u3105-\\u312f\\u3131-\\u318e\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff" +
  "\\ua000-\\ua48f\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";

const SPACELESS = new RegExp(`[${SPACELESS_RANGES}]\\p{M}*`, "gu");
const STARTS_SPACELESS = new RegExp(`^[${SPACELESS_RANGES}]`, "u");
/** Marks that change how a character looks, never what it means. */
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]/u;
// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;
const LATIN_WITH_MARKS = /[a-z][\u0300-\u036f]+/g;

/**
 * The text as it goes into (or is asked of) the full-text table: compatibility forms are unified, and
 * each character of a script without spaces stands alone. ASCII comes back unchanged.
 */
export function searchableText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.normalize("NFKC").replace(VARIATION_SELECTORS, "").replace(SPACELESS, " $& ");
}

/** What one word contributes to the index besides itself. */
export interface WordAnalysis {
  /** Folded word as `terms` holds it; `null` for a spaceless character or an over-long word. */
  readonly term: string | null;
  /** Folded pieces of a compound identifier, `[]` for a simple word. */
  readonly parts: readonly string[];
}

/**
 * Calls `visit` with each word of a text that went through {@linkcode searchableText}, cut as the
 * full-text table's tokenizer cuts.
 */
export function forEachWord(searchable: string, visit: (word: string) => void): void {
  let start = -1;
  const length = searchable.length;
  for (let i = 0; i < length; i++) {
    const unit = searchable.charCodeAt(i);
    let isWord: boolean;
    let width = 1;
    if (unit < 0x80) isWord = ASCII_WORD[unit] === 1;
    else if (unit >= 0xd800 && unit <= 0xdfff) {
      const point = searchable.codePointAt(i)!;
      if (point > 0xffff) width = 2;
      isWord = point > 0xffff && WORD_CHARACTER.test(String.fromCodePoint(point));
    } else isWord = isWordUnit(unit);
    if (isWord) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      visit(searchable.slice(start, i));
      start = -1;
    }
    if (width === 2) i++;
  }
  if (start >= 0) visit(searchable.slice(start));
}

/** Folds a word found by {@linkcode forEachWord} and splits it at case and digit boundaries. */
export function analyseWord(word: string): WordAnalysis {
  if (word.length > LONGEST_TERM || STARTS_SPACELESS.test(word)) return { term: null, parts: [] };
  return { term: foldTerm(word), parts: identifierParts(word) };
}

/** Lower case, Latin letters without their marks: `Café` is `cafe`, as the full-text table has it. */
export function foldTerm(word: string): string {
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower.normalize("NFKD").replace(LATIN_WITH_MARKS, (run) => run[0]!).normalize("NFKC");
}

/** More pieces than this is a hash or an encoded value, not a name. */
const MOST_PARTS = 8;
/** More changes between letters and digits than this is no name either. */
const MOST_DIGIT_RUNS = 2;

/**
 * Folded pieces of a compound ASCII identifier: `parseHTTPRequest` gives `parse`, `http`, `request`;
 * `sha256` gives `sha`, `256`. Punctuation has been cut by the tokenizer already.
 */
export function identifierParts(word: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let digitRuns = isDigit(word.charCodeAt(0)) ? 1 : 0;
  for (let i = 1; i < word.length; i++) {
    const before = word.charCodeAt(i - 1);
    const here = word.charCodeAt(i);
    if (before >= 0x80 || here >= 0x80) continue;
    const digitEdge = isDigit(before) !== isDigit(here);
    if (digitEdge && isDigit(here) && ++digitRuns > MOST_DIGIT_RUNS) return [];
    const next = i + 1 < word.length ? word.charCodeAt(i + 1) : 0;
    const caseEdge = isUpper(here) && (isLower(before) || (isUpper(before) && isLower(next)));
    if (digitEdge || caseEdge) {
      pieces.push(word.slice(start, i));
      start = i;
      if (pieces.length >= MOST_PARTS) return [];
    }
  }
  if (pieces.length === 0) return [];
  pieces.push(word.slice(start));
  return pieces.map(foldTerm);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a;
}

function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a;
}

const ASCII_WORD = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  if (isDigit(unit) || isUpper(unit) || isLower(unit)) ASCII_WORD[unit] = 1;
}

/** Answers of {@linkcode isWordUnit} so far: 0 unknown, 1 yes, 2 no. */
const KNOWN_UNITS = new Uint8Array(0x10000);

function isWordUnit(unit: number): boolean {
  const known = KNOWN_UNITS[unit]!;
  if (known !== 0) return known === 1;
  const answer = WORD_CHARACTER.test(String.fromCharCode(unit));
  KNOWN_UNITS[unit] = answer ? 1 : 2;
  return answer;
}
