/**
 * The families with a shape of their own (index-build.md 8.2). All but the key block lie inside one
 * run of token characters, `[A-Za-z0-9_-]`; each match looks at 260 characters at most, so that a scan
 * stays linear.
 *
 * @module
 */

import type { SecretFamily } from "./secret_finding.ts";

/** A run of token characters in a text, from `start` to before `end`. */
export interface TokenRun {
  readonly start: number;
  readonly end: number;
}

/** A match of a family. */
export interface FamilyMatch {
  readonly family: SecretFamily;
  readonly start: number;
  readonly end: number;
}

const DIGIT = 1;
const UPPER = 2;
const LOWER = 4;
const DASH = 8;
const UNDERSCORE = 16;
const ALPHANUMERIC = DIGIT | UPPER | LOWER;

const CLASS_OF = new Uint8Array(128);
for (let unit = 0x30; unit <= 0x39; unit++) CLASS_OF[unit] = DIGIT;
for (let unit = 0x41; unit <= 0x5a; unit++) CLASS_OF[unit] = UPPER;
for (let unit = 0x61; unit <= 0x7a; unit++) CLASS_OF[unit] = LOWER;
CLASS_OF[0x2d] = DASH;
CLASS_OF[0x5f] = UNDERSCORE;

/** True for `[A-Za-z0-9_-]`. */
export function isTokenUnit(unit: number): boolean {
  return unit < 128 && CLASS_OF[unit] !== 0;
}

/** True when an ASCII digit stands in the part of the text. */
export function holdsDigit(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (CLASS_OF[text.charCodeAt(i)] === DIGIT) return true;
  return false;
}

const WORD_CHARACTER = /^[\p{L}\p{N}_]/u;
/** `-----BEGIN`, the part of a key block that lies in one run. */
const BLOCK_OPENING = "-----BEGIN";
const ACCESS_KEY_PREFIX = /A(?:KIA|SIA|BIA|CCA)/y;
const GITHUB_PREFIX = /gh[pousr]_/y;
const OPENAI_PREFIX = /sk-/y;
const SLACK_PREFIX = /xox[abeoprs]-/y;
const STRIPE_PREFIX = /[sr]k_(?:live|test)_/y;
const KEY_BLOCK = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----/y;

/**
 * How every family's match begins. A text without any of these, which is nearly every text, holds no
 * more than runs that are random.
 */
export const FAMILY_OPENING =
  /A(?:KIA|SIA|BIA|CCA|Iza)|gh[pousr]_|sk-|[sr]k_(?:live|test)_|xox[abeoprs]-|-----BEGIN /;

/**
 * The first match of a family of its own shape in the run at or behind `from`. Behind a character of
 * the run only a dash lets another token begin; the key block begins with dashes itself.
 */
export function findFamily(text: string, run: TokenRun, from: number): FamilyMatch | null {
  for (let start = from; start < run.end; start++) {
    const mayBegin = start === run.start || text.charCodeAt(start - 1) === 0x2d ||
      text.charCodeAt(start) === 0x2d;
    const match = mayBegin ? matchAt(text, run, start) : null;
    if (match !== null) return { family: match.family, start, end: match.end };
  }
  return null;
}

/** The match that starts at `start`, if any. */
export function matchAt(
  text: string,
  run: TokenRun,
  start: number,
): { readonly family: SecretFamily; readonly end: number } | null {
  const first = text.charCodeAt(start);
  if (first === 0x2d) {
    if (run.end - start !== BLOCK_OPENING.length) return null;
    KEY_BLOCK.lastIndex = start;
    return KEY_BLOCK.test(text) ? { family: "private-key-block", end: KEY_BLOCK.lastIndex } : null;
  }
  const shape = shapeAt(text, run, start, first);
  return shape !== null && startsWord(text, start) ? shape : null;
}

function shapeAt(text: string, run: TokenRun, start: number, first: number) {
  switch (first) {
    case 0x41: // A
      return accessKeyId(text, run, start) ?? googleKey(text, run, start);
    case 0x67: // g
      return found("github-token", counted(text, run, start, GITHUB_PREFIX, ALPHANUMERIC, 36));
    case 0x72: // r
      return found("stripe-secret-key", stripeKey(text, run, start));
    case 0x73: { // s
      const openai = counted(text, run, start, OPENAI_PREFIX, ALPHANUMERIC | DASH | UNDERSCORE, 20);
      return found("openai-api-key", openai) ??
        found("stripe-secret-key", stripeKey(text, run, start));
    }
    case 0x78: // x
      return found(
        "slack-token",
        counted(text, run, start, SLACK_PREFIX, ALPHANUMERIC | DASH, 10),
      );
    default:
      return null;
  }
}

function found(family: SecretFamily, end: number | null) {
  return end === null ? null : { family, end };
}

function accessKeyId(text: string, run: TokenRun, start: number) {
  ACCESS_KEY_PREFIX.lastIndex = start;
  if (!ACCESS_KEY_PREFIX.test(text)) return null;
  const end = start + 20;
  if (extent(text, start + 4, Math.min(run.end, end), DIGIT | UPPER) !== end) return null;
  return classAt(text, end) & ALPHANUMERIC ? null : found("aws-access-key-id", end);
}

function googleKey(text: string, run: TokenRun, start: number) {
  return run.end === start + 39 && text.startsWith("AIza", start)
    ? found("google-api-key", run.end)
    : null;
}

function stripeKey(text: string, run: TokenRun, start: number): number | null {
  return counted(text, run, start, STRIPE_PREFIX, ALPHANUMERIC, 16);
}

/** End of a prefix and of the whole stretch of `classes` behind it, if `least` to 255 long. */
function counted(
  text: string,
  run: TokenRun,
  start: number,
  prefix: RegExp,
  classes: number,
  least: number,
): number | null {
  prefix.lastIndex = start;
  if (!prefix.test(text)) return null;
  const valueStart = prefix.lastIndex;
  const end = extent(text, valueStart, Math.min(run.end, valueStart + 256), classes);
  const length = end - valueStart;
  return length >= least && length <= 255 ? end : null;
}

/** Where the stretch of characters of `classes` from `start` ends, at most `limit`. */
function extent(text: string, start: number, limit: number, classes: number): number {
  let end = start;
  while (end < limit && (classAt(text, end) & classes) !== 0) end++;
  return end;
}

function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit < 128 ? CLASS_OF[unit]! : 0;
}

/** No letter, number or `_` of any script stands right before. */
function startsWord(text: string, start: number): boolean {
  if (start === 0) return true;
  const unit = text.charCodeAt(start - 1);
  if (unit < 128) return (CLASS_OF[unit]! & (ALPHANUMERIC | UNDERSCORE)) === 0;
  const isLow = unit >= 0xdc00 && unit <= 0xdfff;
  const before = isLow && start > 1 ? text.slice(start - 2, start) : text.slice(start - 1, start);
  const whole = isLow && before.codePointAt(0)! <= 0xffff ? before.slice(1) : before;
  return !WORD_CHARACTER.test(whole);
}
