/**
 * Text rules shared by every area. All lengths are Unicode code points; the white-space set is the
 * contract's own, which differs from JavaScript's `trim` and `\s` at both ends
 * (corpus-and-migrations.md section 2, index-build.md section 4).
 *
 * @module
 */

/** The contract's white space as the inside of a regular-expression class. */
export const WHITESPACE_CLASS =
  "\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const LEADING = new RegExp(`^[${WHITESPACE_CLASS}]+`, "u");
const NOT_BLANK = new RegExp(`[^${WHITESPACE_CLASS}]`, "u");

/** True when the UTF-16 unit is white space of the contract (all of it lies in the first plane). */
export function isWhitespaceUnit(unit: number): boolean {
  return (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= 0x20) || unit === 0x85 ||
    unit === 0xa0 || unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 ||
    unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}

/** Removes white space at the end, in linear time. */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isWhitespaceUnit(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Removes white space at both ends. */
export function strip(text: string): string {
  return stripEnd(text.replace(LEADING, ""));
}

/** True when the text consists of white space only; the empty text is blank. */
export function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text);
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Number of code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let pairs = 0;
  for (let i = 0; i + 1 < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        pairs++;
        i++;
      }
    }
  }
  return text.length - pairs;
}

/** The first `count` code points; never splits a surrogate pair. */
export function firstCodePoints(text: string, count: number): string {
  if (text.length <= count) return text;
  let index = 0;
  for (let taken = 0; taken < count && index < text.length; taken++) {
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, index);
}

/** Orders by code point, which equals the byte order of UTF-8; JavaScript's own order does not. */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const highX = x >= 0xd800 && x <= 0xdfff;
      const highY = y >= 0xd800 && y <= 0xdfff;
      if (highX !== highY) return highX ? 1 : -1;
      return x - y;
    }
  }
  return a.length - b.length;
}

/**
 * Rewrites every C0, DEL and C1 character as `\xHH`, so that committed text cannot drive a terminal
 * (cli-and-plugins.md 1.3). Idempotent.
 */
export function escapeControls(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) => {
    return "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0");
  });
}

/** What stands behind a cut fragment of text in a refusal (daemon-and-setup.md section 1). */
export const CUT_MARKER = "… (cut)";

/** The text, or its first `limit` code points and {@linkcode CUT_MARKER}. */
export function cut(text: string, limit: number): string {
  return codePointLength(text) <= limit ? text : firstCodePoints(text, limit) + CUT_MARKER;
}

/** Replaces each unpaired surrogate by `?`, so that the text can be encoded as UTF-8. */
export function replaceLoneSurrogates(text: string, replacement = "?"): string {
  return text.isWellFormed() ? text : text.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    replacement,
  );
}
