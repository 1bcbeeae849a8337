/**
 * Block-style YAML for people: texts stand plain wherever every reader of YAML 1.1 and 1.2 takes them
 * for the same text (okf.md 3.3).
 *
 * @module
 */

import { resolvePlain } from "./_plain_scalar.ts";
import { type WritableYaml, writeStyled } from "./write_yaml.ts";

/**
 * One YAML document as `writeYaml` lays it out, with plain texts where they are safe, in single
 * quotes where a reader could take them for something else, and in double quotes with escapes where a
 * character could end a line or is invisible. Throws `RangeError` for an unpaired surrogate.
 */
export function writeReadableYaml(value: WritableYaml): string {
  return writeStyled(value, readableText);
}

/** What a YAML 1.1 or 1.2 core reader takes for a number or an instant. */
const OTHER_TYPE = new RegExp(
  "^(?:" + [
    "[-+]?[0-9]+",
    "0o[0-7]+",
    "[-+]?0x[0-9a-fA-F]+",
    "[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?",
    "[-+]?\\.(?:inf|Inf|INF)",
    "\\.(?:nan|NaN|NAN)",
    "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]*)?" +
    "(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?",
  ].join("|") + ")$",
);
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|~|<<|=)$/i;

/** A first character that starts something else, or that could. */
const INDICATOR_FIRST = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?:\s|$)|---|\.\.\.)/;
/** A mapping's colon or a comment inside, or blanks that would be lost. */
const BREAKS_PLAIN = /:(?:\s|$)|\s#|^\s|\s$/;

/** Ends a line for some reader, is invisible, or cannot stand raw. */
// deno-lint-ignore no-control-regex
const NEEDS_ESCAPES = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

function readableText(value: string): string {
  if (!value.isWellFormed()) throw new RangeError("Cannot write a text with an unpaired surrogate");
  if (NEEDS_ESCAPES.test(value)) return escaped(value);
  const plain = value !== "" && !WORD.test(value) && !OTHER_TYPE.test(value) &&
    resolvePlain(value) === value && !INDICATOR_FIRST.test(value) &&
    !BREAKS_PLAIN.test(value.replaceAll("\u00a0", "x"));
  return plain ? value : `'${value.replaceAll("'", "''")}'`;
}

function escaped(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}
