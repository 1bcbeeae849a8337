/**
 * Writes block-style YAML that every reader takes for the same values: the strict loader here, a
 * YAML 1.1 reader without timestamps, and a 1.2 core-schema reader (proposals.md 2.2).
 *
 * @module
 */

/** What can be written; `undefined` members are left out. */
export type WritableYaml =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly WritableYaml[]
  | { readonly [key: string]: WritableYaml | undefined };

/**
 * One YAML document, UTF-8 text with LF ends and a final LF. Keys keep their order, no anchors, no
 * folding, non-ASCII is literal. A text that could be read as another type, or in which a reader
 * could see other line ends, is quoted. Throws `RangeError` for a number that is not finite and for
 * a text with an unpaired surrogate, which no YAML file can hold.
 */
export function writeYaml(value: WritableYaml): string {
  return writeStyled(value, text);
}

/** How a text is written on one line. */
export type TextStyle = (value: string) => string;

/** Lays out a document with the given style of texts; keys are texts too. */
export function writeStyled(value: WritableYaml, text: TextStyle): string {
  if (isMapping(value) && Object.keys(value).length > 0) {
    return mapping(value, 0, text).join("\n") + "\n";
  }
  if (Array.isArray(value) && value.length > 0) return sequence(value, 0, text).join("\n") + "\n";
  return scalar(value, text) + "\n";
}

function isMapping(value: unknown): value is { readonly [key: string]: WritableYaml | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapping(
  value: { readonly [key: string]: WritableYaml | undefined },
  indent: number,
  text: TextStyle,
): string[] {
  const lines: string[] = [];
  const pad = " ".repeat(indent);
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const name = pad + text(key) + ":";
    if (isMapping(member) && Object.keys(member).length > 0) {
      lines.push(name, ...mapping(member, indent + 2, text));
    } else if (Array.isArray(member) && member.length > 0) {
      lines.push(name, ...sequence(member, indent, text));
    } else {
      lines.push(`${name} ${scalar(member, text)}`);
    }
  }
  return lines;
}

function sequence(values: readonly WritableYaml[], indent: number, text: TextStyle): string[] {
  const lines: string[] = [];
  const pad = " ".repeat(indent);
  for (const member of values) {
    const nested = isMapping(member) && Object.keys(member).length > 0
      ? mapping(member, indent + 2, text)
      : Array.isArray(member) && member.length > 0
      ? sequence(member, indent + 2, text)
      : null;
    if (nested === null) {
      lines.push(`${pad}- ${scalar(member, text)}`);
    } else {
      lines.push(`${pad}- ${nested[0]!.slice(indent + 2)}`, ...nested.slice(1));
    }
  }
  return lines;
}

function scalar(value: WritableYaml, text: TextStyle): string {
  if (value === null) return "null";
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return number(value);
  return Array.isArray(value) ? "[]" : "{}";
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError("Cannot write a number that is not finite");
  if (Object.is(value, -0)) return "-0.0"; // A whole number has no sign at zero.
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  // The 1.1 grammar wants a dot in the mantissa and a sign in the exponent.
  const [mantissa, exponent] = String(value).split("e") as [string, string?];
  const dotted = mantissa.includes(".") ? mantissa : mantissa + ".0";
  if (exponent === undefined) return dotted;
  return `${dotted}e${exponent.startsWith("-") ? "" : "+"}${exponent.replace(/^\+/, "")}`;
}

/** Words that some reader takes for a boolean or null. */
const RESERVED = /^(?:y|yes|n|no|on|off|true|false|null)$/i;

/** Letters first, or a relative path: nothing that resolves to a number, a tag or an indicator. */
const PLAIN = /^(?:[A-Za-z]|\.\.\/)[A-Za-z0-9_./+-]*(?: [A-Za-z0-9_./+-]+)*$/;

/** An identifier or digest that starts with a digit and cannot be read as a number. */
const PLAIN_IDENTIFIER = /^(?!0[xob])(?=[0-9A-Za-z]*[A-DF-Za-df-z])[0-9A-Za-z]+$/;

/** What single quotes can hold on one line, for every reader. */
// deno-lint-ignore no-control-regex
const NEEDS_ESCAPES = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

function text(value: string): string {
  if (!value.isWellFormed()) throw new RangeError("Cannot write a text with an unpaired surrogate");
  if (!RESERVED.test(value) && (PLAIN.test(value) || PLAIN_IDENTIFIER.test(value))) return value;
  if (!NEEDS_ESCAPES.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const escaped = JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
  return escaped;
}
