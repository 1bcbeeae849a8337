/** What an untagged plain scalar means (corpus-and-migrations.md 8.2). */
export type PlainValue = null | boolean | number | bigint | string;

/** The scalar looks like a number or word that readers disagree on. */
export const REFUSED_SCALAR: unique symbol = Symbol("refused scalar");

/** The number has too many digits to be read. */
export const HUGE_NUMBER: unique symbol = Symbol("huge number");

/** Longest number that is read, in characters. */
const NUMBER_LENGTH = 1000;

const INTEGER = /^[-+]?(?:0|[1-9][0-9]*|0x[0-9a-fA-F]+)$/;
const FLOAT = /^(?:[-+]?[0-9]+\.[0-9]*(?:[eE][-+][0-9]+)?|\.[0-9]+(?:[eE][-+][0-9]+)?)$/;

const REFUSED = new RegExp(
  "^(?:" + [
    "[-+]?0[0-7_]+",
    "[-+]?0b[01_]+",
    "[-+]?0x[0-9a-fA-F_]+",
    "[-+]?[1-9][0-9_]*",
    "[-+]?[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+][0-9]+)?",
    "\\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?",
    "[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+",
    "[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\\.[0-9_]*",
    "[-+]?\\.(?:inf|Inf|INF)",
    "\\.(?:nan|NaN|NAN)",
  ].join("|") + ")$",
);

const WORDS = new Map<string, null | boolean | typeof REFUSED_SCALAR>([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"]
    .map((word) => [word, true] as const),
  ...["false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"]
    .map((word) => [word, false] as const),
  ["<<", REFUSED_SCALAR],
  ["=", REFUSED_SCALAR],
]);

const LONGEST_WORD = 5;

/** Resolves a plain scalar, first match wins; the whole text decides. */
export function resolvePlain(
  text: string,
): PlainValue | typeof REFUSED_SCALAR | typeof HUGE_NUMBER {
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  return startsLikeNumber(text.charCodeAt(0)) ? resolveNumber(text) : text;
}

function startsLikeNumber(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2d || unit === 0x2b || unit === 0x2e;
}

function resolveNumber(
  text: string,
): PlainValue | typeof REFUSED_SCALAR | typeof HUGE_NUMBER {
  if (INTEGER.test(text)) return text.length > NUMBER_LENGTH ? HUGE_NUMBER : integer(text);
  if (FLOAT.test(text)) {
    const value = Number(text);
    return text.length > NUMBER_LENGTH || !Number.isFinite(value) ? HUGE_NUMBER : value;
  }
  return REFUSED.test(text) ? REFUSED_SCALAR : text;
}

function integer(text: string): number | bigint {
  const digits = text.replace(/^[-+]/, "");
  const small = Number(digits);
  if (Number.isSafeInteger(small)) return text.startsWith("-") && small !== 0 ? -small : small;
  return text.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}
