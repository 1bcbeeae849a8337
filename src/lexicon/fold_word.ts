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

/** True when the text holds a character beyond ASCII. */
export function hasNonAscii(text: string): boolean {
  return NOT_ASCII.test(text);
}

/**
 * The text with compatibility forms unified (full-width letters, half-width kana, ligatures), as
 * words are looked for in it. ASCII comes back unchanged.
 */
export function readableText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text.normalize("NFKC").replace(VARIATION_SELECTORS, "");
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
