/**
 * Spelling differences that never change what a reader means: case, accents, compatibility forms.
 *
 * @module
 */

// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;
const ACCENTS = /[\u0300-\u036f]/g;
/** Marks that change how a character looks, never what it means. */
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Punctuation, arrows and drawings beyond ASCII; the typographic apostrophe is not among them. */
const MARKS =
  /[\u00a0-\u00a9\u00ab-\u00b1\u00b4\u00b6\u00b7\u00bb\u00bf\u2010-\u2018\u201a-\u2027\u2030-\u205e\u2190-\u2bff]/g;

/** True when the text holds a character beyond ASCII. */
export function hasNonAscii(text: string): boolean {
  return NOT_ASCII.test(text);
}

/**
 * The text with compatibility forms unified (full-width letters, half-width kana, ligatures), as
 * words are looked for in it, and marks beyond ASCII as spaces. ASCII comes back unchanged.
 */
export function readableText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const plain = text.replace(MARKS, " ");
  if (!NOT_ASCII.test(plain)) return plain;
  return plain.normalize("NFKC").replace(VARIATION_SELECTORS, "");
}

/**
 * Lower case without accents: `Café` is `cafe`, `GRÜẞE` is `grusse`, `ΣΟΦΟΣ` is `σοφοσ`. Marks of
 * Japanese, Korean and the Indic scripts stay: there they make another letter.
 */
export function foldWord(word: string): string {
  const lower = word.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  return lower.normalize("NFD").replace(ACCENTS, "").normalize("NFC").replaceAll("ß", "ss")
    .replaceAll("ς", "σ");
}
