/**
 * BLAKE2b with an eight-byte digest over one short message, the hash of a gram (index-build.md
 * section 6). A general implementation takes twelve microseconds for it, this one about one: the
 * message fills at most two of the sixteen words, and only the first word of the state is wanted.
 *
 * @module
 */

/** First half of the initial state, as low and high 32-bit halves. */
// deno-fmt-ignore
const IV = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

/** The parameter block's first word: digest of 8 bytes, no key, fan-out 1, depth 1. */
const PARAMETERS = 0x01010008;
/** Messages longer than this need more words than {@linkcode gramDigest} mixes in. */
export const LONGEST_GRAM_BYTES = 16;

/** The order in which each of the twelve rounds reads the message words. */
// deno-fmt-ignore
const SIGMA = new Uint8Array([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
  7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
  2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
  13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
  10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
]);

/** Positions of the four state words that each of the eight mixing steps of a round works on. */
// deno-fmt-ignore
const LANES = new Uint8Array([
  0, 8, 16, 24, 2, 10, 18, 26, 4, 12, 20, 28, 6, 14, 22, 30,
  0, 10, 20, 30, 2, 12, 22, 24, 4, 14, 16, 26, 6, 8, 18, 28,
]);

const v = new Uint32Array(32);
const m = new Uint32Array(32);
const messageBytes = new Uint8Array(m.buffer);
const digest = new Uint32Array(2);

/**
 * Hashes the first `length` bytes of `bytes` (at most {@linkcode LONGEST_GRAM_BYTES}) and returns the
 * digest as two little-endian words, in an array that the next call overwrites.
 */
export function gramDigest(bytes: Uint8Array, length: number): Uint32Array {
  if (length > LONGEST_GRAM_BYTES) throw new RangeError("Cannot hash a gram of so many bytes");
  messageBytes.fill(0, 0, LONGEST_GRAM_BYTES);
  for (let i = 0; i < length; i++) messageBytes[i] = bytes[i]!;
  v.set(IV);
  v.set(IV, 16);
  v[0]! ^= PARAMETERS;
  const first = v[0]!;
  v[24]! ^= length;
  v[28] = ~v[28]!;
  v[29] = ~v[29]!;
  for (let step = 0; step < 96; step++) mix(step);
  digest[0] = first ^ v[0]! ^ v[16]!;
  digest[1] = IV[1]! ^ v[1]! ^ v[17]!;
  return digest;
}

/** One mixing step: two additions with a message word each, four rotations. */
function mix(step: number): void {
  const lane = (step & 7) << 2;
  const a = LANES[lane]!, b = LANES[lane + 1]!, c = LANES[lane + 2]!, d = LANES[lane + 3]!;
  const x = SIGMA[step << 1]! << 1, y = SIGMA[(step << 1) + 1]! << 1;
  let al = v[a]!, ah = v[a + 1]!, bl = v[b]!, bh = v[b + 1]!;
  let cl = v[c]!, ch = v[c + 1]!, dl = v[d]!, dh = v[d + 1]!;

  let low = al + bl + m[x]!;
  ah = (ah + bh + m[x + 1]! + (low / 0x100000000 | 0)) | 0;
  al = low | 0;
  let tl = dl ^ al, th = dh ^ ah;
  dl = th;
  dh = tl;
  low = (cl >>> 0) + (dl >>> 0);
  ch = (ch + dh + (low > 0xffffffff ? 1 : 0)) | 0;
  cl = low | 0;
  tl = bl ^ cl;
  th = bh ^ ch;
  bl = (tl >>> 24) | (th << 8);
  bh = (th >>> 24) | (tl << 8);

  low = (al >>> 0) + (bl >>> 0) + m[y]!;
  ah = (ah + bh + m[y + 1]! + (low / 0x100000000 | 0)) | 0;
  al = low | 0;
  tl = dl ^ al;
  th = dh ^ ah;
  dl = (tl >>> 16) | (th << 16);
  dh = (th >>> 16) | (tl << 16);
  low = (cl >>> 0) + (dl >>> 0);
  ch = (ch + dh + (low > 0xffffffff ? 1 : 0)) | 0;
  cl = low | 0;
  tl = bl ^ cl;
  th = bh ^ ch;
  bl = (th >>> 31) | (tl << 1);
  bh = (tl >>> 31) | (th << 1);

  v[a] = al;
  v[a + 1] = ah;
  v[b] = bl;
  v[b + 1] = bh;
  v[c] = cl;
  v[c + 1] = ch;
  v[d] = dl;
  v[d + 1] = dh;
}
