/**
 * JSON with exact integers. Double precision turns 9223372036854775807 into another number, so
 * whoever reads or writes 64-bit values (review evidence, provider answers, tool calls) uses these
 * functions: an integer beyond 2^53 is a `bigint`, every other number a `number`
 * (review.md 8, "64-bit").
 *
 * @module
 */

/** How a number written with a fraction or an exponent is read. */
export type FractionRule =
  /** As the number it denotes: `5.0` is 5 (JSON Schema's integer). */
  | "number"
  /** As `NaN`, so that `Number.isInteger` tells `5` from `5.0` and `5e0`. */
  | "nan";

/** What a parse keeps within. */
export interface ParseOptions {
  readonly fractions: FractionRule;
  /** Deepest nesting of lists and objects; the outermost value has depth 1. Default 1,000. */
  readonly maxDepth?: number;
}

/** Nesting of lists and objects that {@linkcode parseExactJson} accepts unless told otherwise. */
export const JSON_DEPTH = 1_000;

/** Digits of an integer kept exactly; a longer one is read as JavaScript reads it (infinite). */
const EXACT_DIGITS = 4_096;

/** A text that is not JSON, or nests too deep. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  constructor(readonly reason: "syntax" | "depth") {
    super(reason === "depth" ? "Cannot read JSON: nested too deep" : "Cannot read JSON");
  }
}

/** A number that a plain parse would lose something of, inside a list or object or alone. */
const NEEDS_SOURCE = /[:,[][ \t\r\n]*-?(?:\d+[.eE]|\d{16})/;
const IS_NUMBER = /^[ \t\r\n]*-?\d/;
const WRITTEN_AS_INTEGER = /^-?\d+$/;

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

/**
 * Parses strict JSON: no byte order mark, `NaN`, comment or text after the value. Of duplicate keys
 * the last counts. Throws {@linkcode JsonSyntaxError}; nothing of the text is in its message.
 */
export function parseExactJson(text: string, options: ParseOptions): unknown {
  if (nestsDeeper(text, options.maxDepth ?? JSON_DEPTH)) throw new JsonSyntaxError("depth");
  try {
    if (!NEEDS_SOURCE.test(text) && !IS_NUMBER.test(text)) return JSON.parse(text);
    return parseWithSource(text, (_key, value, context) => {
      return typeof value === "number" && context.source !== undefined
        ? readNumber(value, context.source, options.fractions)
        : value;
    });
  } catch {
    throw new JsonSyntaxError("syntax");
  }
}

function readNumber(value: number, source: string, fractions: FractionRule): unknown {
  if (!WRITTEN_AS_INTEGER.test(source)) return fractions === "nan" ? NaN : value;
  if (Number.isSafeInteger(value)) return value;
  return source.length <= EXACT_DIGITS ? BigInt(source) : value;
}

/** True when lists and objects nest deeper than `limit`; linear, and blind to brackets in strings. */
function nestsDeeper(text: string, limit: number): boolean {
  if (text.length <= limit || opensAtMost(text, limit)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) {
      i = endOfString(text, i);
    } else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > limit) return true;
    } else if (unit === 0x5d || unit === 0x7d) {
      depth--;
    }
  }
  return false;
}

/** True when the text holds no more opening brackets than `limit`, wherever they stand. */
function opensAtMost(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > limit) return false;
    }
  }
  return true;
}

/** Index of the quote that closes the string opened at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** JSON text in which a `bigint` is written as the integer it is. */
export function printExactJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    // A `bigint`, most likely: asked about one by one it is several times slower.
  }
  return JSON.stringify(
    value,
    (_key, inner) => typeof inner === "bigint" ? rawJson(inner.toString()) : inner,
    indent,
  );
}

/** The value with each `bigint` replaced by what `JSON.stringify` writes as that integer. */
export function withRawIntegers<T>(value: T): T {
  return mapIntegers(value, (integer) => rawJson(integer.toString()));
}

/** The value with each `bigint` as the nearest `number`: for validators that know no `bigint`. */
export function withApproximateIntegers<T>(value: T): T {
  return mapIntegers(value, Number);
}

/** True when a `bigint` stands anywhere in the value. Iterative: arguments may nest deep. */
function holdsBigint(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "bigint") return true;
    if (next !== null && typeof next === "object") {
      for (const inner of Object.values(next)) pending.push(inner);
    }
  }
  return false;
}

/** Returns the same object when it holds no `bigint`. */
function mapIntegers<T>(value: T, map: (integer: bigint) => unknown): T {
  const mapped = (inner: unknown): unknown => {
    if (typeof inner === "bigint") return map(inner);
    if (inner === null || typeof inner !== "object") return inner;
    if (Array.isArray(inner)) return inner.map(mapped);
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, mapped(one)]));
  };
  return holdsBigint(value) ? mapped(value) as T : value;
}
