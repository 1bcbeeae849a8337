/**
 * Hashed vectors of character trigrams (index-build.md section 6): pure, offline, the same on every
 * machine. Each word, padded by a space on both sides, gives its windows of three code points; each
 * window adds one or minus one to a component that its hash picks.
 *
 * @module
 */

import { PointBuffer } from "./_fold_points.ts";
import { gramDigest } from "./_gram_hash.ts";
import { VECTOR_DIMENSION } from "./schema.ts";

/** Names the model; changes when any step of it does. */
export const EMBEDDING_MODEL = "theurian-hashed-char-ngram";
/** Revision of the model. */
export const EMBEDDING_REVISION = "1";

const SPACE = 0x20;
/** A slot is the component shifted left by one, its lowest bit the sign; shifted up by one, 0 free. */
const ASCII_SLOTS = new Uint16Array(1 << 21);
const OTHER_SLOTS = new Map<string, number>();
/** Bounds the memory of a text that keeps bringing new grams. */
const MOST_OTHER_SLOTS = 1 << 18;

const FOLDED_ASCII = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const isSpace = (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= SPACE);
  FOLDED_ASCII[unit] = isSpace ? SPACE : unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
}

// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;
const buffer = new PointBuffer();
const encoder = new TextEncoder();
const gramBytes = new Uint8Array(16);

/** The vector of a text, of length 1, or all zeros when the text has no word. */
export function embedText(text: string): Float32Array {
  const sums = new Int32Array(VECTOR_DIMENSION);
  sumGrams(text, sums);
  const norm = Math.sqrt(squaredLength(sums));
  const vector = new Float32Array(VECTOR_DIMENSION);
  if (norm > 0) { for (let i = 0; i < VECTOR_DIMENSION; i++) vector[i] = sums[i]! / norm; }
  return vector;
}

/** Adds the signed gram counts of a text to `sums`, the vector before it is normalised. */
export function sumGrams(text: string, sums: Int32Array): void {
  if (NOT_ASCII.test(text)) sumFolded(text, sums);
  else sumAscii(text, sums);
}

/** Sum of the squares of the components. */
export function squaredLength(sums: Int32Array): number {
  let total = 0;
  for (let i = 0; i < sums.length; i++) total += sums[i]! * sums[i]!;
  return total;
}

function sumAscii(text: string, sums: Int32Array): void {
  let before = 0;
  let last = SPACE;
  for (let i = 0; i <= text.length; i++) {
    const point = i < text.length ? FOLDED_ASCII[text.charCodeAt(i)]! : SPACE;
    if (last !== SPACE) addAscii(before, last, point, sums);
    else if (point === SPACE) continue;
    before = last;
    last = point;
  }
}

function sumFolded(text: string, sums: Int32Array): void {
  buffer.fold(text);
  const { points, length } = buffer;
  let before = 0;
  let last = SPACE;
  for (let i = 0; i <= length; i++) {
    const point = i < length ? points[i]! : SPACE;
    if (last !== SPACE) {
      if ((before | last | point) < 0x80) addAscii(before, last, point, sums);
      else addSlot(slotOfOther(before, last, point), sums);
    } else if (point === SPACE) continue;
    before = last;
    last = point;
  }
}

function addAscii(a: number, b: number, c: number, sums: Int32Array): void {
  const key = (a << 14) | (b << 7) | c;
  let slot = ASCII_SLOTS[key]!;
  if (slot === 0) {
    gramBytes[0] = a;
    gramBytes[1] = b;
    gramBytes[2] = c;
    slot = ASCII_SLOTS[key] = slotOf(3);
  }
  addSlot(slot, sums);
}

function addSlot(slot: number, sums: Int32Array): void {
  const packed = slot - 1;
  sums[packed >> 1]! += packed & 1 ? 1 : -1;
}

function slotOfOther(a: number, b: number, c: number): number {
  const gram = String.fromCodePoint(a, b, c);
  const known = OTHER_SLOTS.get(gram);
  if (known !== undefined) return known;
  if (OTHER_SLOTS.size >= MOST_OTHER_SLOTS) OTHER_SLOTS.clear();
  const slot = slotOf(encoder.encodeInto(gram, gramBytes).written);
  OTHER_SLOTS.set(gram, slot);
  return slot;
}

/** The slot of the gram in `gramBytes`. */
function slotOf(length: number): number {
  const digest = gramDigest(gramBytes, length);
  const component = digest[0]! % VECTOR_DIMENSION;
  return ((component << 1) | (digest[1]! & 1)) + 1;
}
