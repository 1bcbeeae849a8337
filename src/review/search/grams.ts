/**
 * A filter for literal text: which records can hold it, by the three-byte pieces of their folded
 * text. It answers with candidates that a reader verifies against the stored text; it holds no text,
 * no counts and no order, so it can neither rank nor tell of anything that is not served
 * (review.md 7, "no statistics").
 *
 * @module
 */

/** Classes a byte falls into, in six bits. */
const CLASSES = 64;
const CLASS_OF_BYTE = classOfByte();
/** Pieces of three classes. */
export const BUCKETS = CLASSES ** 3;

/** Letters, digits and common marks have a class of their own; other bytes share some. */
function classOfByte(): Uint8Array {
  const classes = new Uint8Array(256);
  const own = "abcdefghijklmnopqrstuvwxyz0123456789 \n.,-_/:()`\"'=";
  for (let byte = 0; byte < 256; byte++) {
    const place = own.indexOf(String.fromCharCode(byte));
    if (place >= 0) classes[byte] = 1 + place;
    else if (byte >= 0x80) classes[byte] = 1 + own.length + byte % (CLASSES - 6 - own.length);
    else classes[byte] = byte === 0 ? 0 : CLASSES - 5 + byte % 5;
  }
  for (let upper = 0x41; upper <= 0x5a; upper++) classes[upper] = classes[upper + 0x20]!;
  return classes;
}

const encoder = new TextEncoder();

/** Buckets of a text's pieces; the last two pieces are padded, so that every byte starts one. */
export class GramReader {
  #bytes = new Uint8Array(64 * 1024);
  #buckets = new Uint32Array(64 * 1024);

  /** The bucket of every piece, repeats included; good until the next call. */
  read(text: string): Uint32Array {
    const length = this.#encode(text);
    const bytes = this.#bytes;
    const buckets = this.#buckets;
    let first = length > 0 ? CLASS_OF_BYTE[bytes[0]!]! : 0;
    let second = length > 1 ? CLASS_OF_BYTE[bytes[1]!]! : 0;
    for (let i = 0; i < length; i++) {
      const third = i + 2 < length ? CLASS_OF_BYTE[bytes[i + 2]!]! : 0;
      buckets[i] = (first << 12) | (second << 6) | third;
      first = second;
      second = third;
    }
    return buckets.subarray(0, length);
  }

  #encode(text: string): number {
    if (this.#bytes.length < text.length * 3) {
      this.#bytes = new Uint8Array(text.length * 3);
      this.#buckets = new Uint32Array(text.length * 3);
    }
    return encoder.encodeInto(text, this.#bytes).written;
  }
}

/** Which buckets a searched text asks for. */
export type GramQuestion =
  /** A record must be in each of these. */
  | { readonly kind: "all"; readonly buckets: readonly number[] }
  /** Too short for a whole piece: a record must be in one of this range. */
  | { readonly kind: "range"; readonly from: number; readonly to: number };

/** The question a literal text asks; ASCII letters fold. */
export function gramQuestion(text: string): GramQuestion {
  const classes = Array.from(encoder.encode(text), (byte) => CLASS_OF_BYTE[byte]!);
  if (classes.length >= 3) {
    const buckets = new Set<number>();
    for (let i = 0; i + 2 < classes.length; i++) {
      buckets.add((classes[i]! << 12) | (classes[i + 1]! << 6) | classes[i + 2]!);
    }
    return { kind: "all", buckets: [...buckets] };
  }
  const [first = 0, second] = classes;
  return second === undefined
    ? { kind: "range", from: first << 12, to: ((first + 1) << 12) - 1 }
    : {
      kind: "range",
      from: (first << 12) | (second << 6),
      to: ((first << 12) | (second << 6)) + CLASSES - 1,
    };
}

/** Ascending numbers as differences of seven bits a byte. */
export function encodePostings(ids: Uint32Array, start: number, end: number): Uint8Array {
  const bytes = new Uint8Array((end - start) * 5);
  let length = 0;
  let last = -1;
  for (let i = start; i < end; i++) {
    let difference = ids[i]! - last;
    last = ids[i]!;
    while (difference > 0x7f) {
      bytes[length++] = (difference & 0x7f) | 0x80;
      difference >>>= 7;
    }
    bytes[length++] = difference;
  }
  return bytes.slice(0, length);
}

/**
 * Reads a list into `ids` from `at` on and returns where it ends there; a list has at most as many
 * numbers as bytes. Throws `RangeError` on a list that is none.
 */
export function decodePostings(bytes: Uint8Array, ids: Uint32Array, at: number): number {
  let last = -1;
  let difference = 0;
  let shift = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    difference |= (byte & 0x7f) << shift;
    if (byte >= 0x80) {
      shift += 7;
      if (shift > 28) break;
      continue;
    }
    last += difference;
    ids[at++] = last;
    difference = 0;
    shift = 0;
  }
  if (shift !== 0 || at > ids.length) throw new RangeError("Cannot read a postings list");
  return at;
}
