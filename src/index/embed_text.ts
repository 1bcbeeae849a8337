/**
 * Hashed vectors of character trigrams (index-build.md section 6): pure, offline, the same on every
 * machine. Each word, padded by a space on both sides, gives its windows of three code points; each
 * window adds one or minus one to a component that its hash picks.
 *
 * @module
 */

import { PointBuffer } from "./_fold_points.ts";
import { gramDigest } from "./_gram_hash.ts";
import { PLAIN_COMPONENTS, PLAIN_POINTS, PLAIN_SIGNS } from "./_plain_gram_slots.ts";
import { VECTOR_DIMENSION } from "./schema.ts";

/** Names the model; changes when any step of it does. */
export const EMBEDDING_MODEL = "theurian-hashed-char-ngram";
/** Revision of the model. */
export const EMBEDDING_REVISION = "1";

const SPACE = 0x20;
/** A slot is the component shifted left by one, its lowest bit the sign; shifted up by one, 0 free. */
const ASCII_SLOTS = new Uint16Array(1 << 21);
let plainSlotsAreKnown = false;
const OTHER_SLOTS = new Map<string, number>();
/** Bounds the memory of a text that keeps bringing new grams. */
const MOST_OTHER_SLOTS = 1 << 18;

const FOLDED_ASCII = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const isSpace = (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x1c && unit <= SPACE);
  FOLDED_ASCII[unit] = isSpace ? SPACE : unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
}

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
  const length = encodePlain(text);
  if (length >= 0) sumPlain(length, sums);
  else sumFolded(text, sums);
}

/** Sum of the squares of the components. */
export function squaredLength(sums: Int32Array): number {
  let total = 0;
  for (let i = 0; i < sums.length; i++) total += sums[i]! * sums[i]!;
  return total;
}

/** Bytes of a text that is plain ASCII, folded. */
let plain = new Uint8Array(8192);

/** Brings a text into `plain` and answers its length; -1 when it is not plain ASCII. */
function encodePlain(text: string): number {
  if (plain.length <= text.length) plain = new Uint8Array(2 * text.length);
  const { read, written } = encoder.encodeInto(text, plain);
  return read === text.length && written === read ? read : -1;
}

/** Takes over what most windows hash to: hashing those of one document takes longer than all else. */
function learnPlainSlots(): void {
  plainSlotsAreKnown = true;
  const components = atob(PLAIN_COMPONENTS);
  const signs = atob(PLAIN_SIGNS);
  const points = encoder.encode(PLAIN_POINTS);
  let at = 0;
  for (const a of points) {
    for (const b of points) {
      const front = (a << 14) | (b << 7);
      for (const c of points) {
        const sign = (signs.charCodeAt(at >> 3) >> (at & 7)) & 1;
        ASCII_SLOTS[front | c] = ((components.charCodeAt(at++) << 1) | sign) + 1;
      }
    }
  }
}

/** Sums the windows of the first `length` bytes of `plain`. */
function sumPlain(length: number, sums: Int32Array): void {
  if (!plainSlotsAreKnown) learnPlainSlots();
  const bytes = plain, folded = FOLDED_ASCII, slots = ASCII_SLOTS;
  bytes[length] = SPACE;
  let last = SPACE;
  /** The two points before the one at hand, as the front of a key; of no use behind a space. */
  let front = 0;
  for (let i = 0; i <= length; i++) {
    const point = folded[bytes[i]!]!;
    if (last !== SPACE) addSlot(slots[front | point] || learnAscii(front | point), sums);
    front = ((last << 14) | (point << 7)) & 0x1fffff;
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
      const key = (before << 14) | (last << 7) | point;
      if ((before | last | point) < 0x80) addSlot(ASCII_SLOTS[key] || learnAscii(key), sums);
      else addSlot(slotOfOther(before, last, point), sums);
    } else if (point === SPACE) continue;
    before = last;
    last = point;
  }
}

/** The slot of a window of three ASCII points that was not met before. */
function learnAscii(key: number): number {
  gramBytes[0] = key >> 14;
  gramBytes[1] = (key >> 7) & 0x7f;
  gramBytes[2] = key & 0x7f;
  return ASCII_SLOTS[key] = slotOf(3);
}

function addSlot(slot: number, sums: Int32Array): void {
  const packed = slot - 1;
  sums[packed >> 1]! += ((packed & 1) << 1) - 1;
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
